# The choice of msplit(): supports by their evidence, nu given the support by leave-one-out, or from moments, which
# do not give that, by the restricted likelihood, and an average over the supports that are not dropped.

LEAST_WEIGHT <- .02                   # as a share of the largest weight: supports of smaller weight are dropped
MSPLIT_GRID <- 10^seq(-2, 2.5, .5)    # nu of the paths
RIDGE_GRID <- 10^seq(-3, 2.5, .25)    # nu of the dense estimators, given the support

# For each response the supports that are not dropped, their weights and dense estimators: a data frame
# `supports`, and `beta` and `a0` with a column and a number for each of its rows.
msplit_choice <- function(out, input, settings, call) {
  q <- ncol(input$coded)
  compete <- settings$choose == "ridge" || frame_family(input$frame) == "multinomial"
  open <- if (compete) no_supports(q) else open_supports(out, settings$n, q)
  index <- open$index
  supports <- list(response = open$response, start = as.integer(cumsum(c(0L, lengths(index)))),
                   index = as.integer(unlist(index)))
  ridge <- function(nu) {
    settings$nu <- nu
    msplit_kernel(input, settings, supports, out, call)$fits
  }
  nu <- if (is.null(settings$given$nu)) RIDGE_GRID else settings$nu
  made <- ridge(nu)
  if (compete && length(nu) > 1 && q > 1) { # the scores of classes are compared, so all classes have one nu
    all <- rowSums(matrix(made$along, length(nu)))
    made <- ridge(nu[c(which.min(all), 1L)[1]])
  }
  known <- !is.na(made$loss) # a missing loss: the columns are collinear to rounding
  open$weight[!known] <- 0
  sum <- vapply(seq_len(q), function(r) sum(open$weight[open$response == r]), 0)
  list(
    response = open$response, index = index, weight = unname(open$weight / sum[open$response]),
    criterion = open$criterion, fit = open$fit, event = open$event, nu = made$nu, loo = made$loo,
    df = made$df, loss = made$loss, a0 = made$a0, beta = matrix(made$dense, ncol(input$frame$x))
  )
}

# The empty support for every response, where there are more than two classes or ridge is wanted: no support that the
# evidence favours classifies better.
no_supports <- function(q) {
  list(fit = rep.int(1L, q), event = rep.int(0L, q), response = seq_len(q),
       criterion = rep.int(NA_real_, q), weight = rep.int(1, q), index = rep(list(integer()), q))
}

# The events of all nu are taken together: the criterion of a support is the smallest of its events. Rows by response,
# the largest weight first.
open_supports <- function(out, n, q) {
  all <- out$all
  size <- all$size
  fit <- rep.int(seq_along(out$fits), lengths(lapply(out$fits, `[[`, "t")))
  # without a criterion, as where there is one row, the empty support of the first nu
  all$criterion[is.na(all$criterion) & fit == 1L & all$event == 0L] <- 0
  within <- which(size <= n / (2 * log(n)) & !is.na(all$criterion))
  least <- rep(Inf, q)
  first <- order(all$response[within], all$criterion[within])
  within <- within[first]
  top <- within[!duplicated(all$response[within])]
  least[all$response[top]] <- all$criterion[top]
  near <- within[all$criterion[within] <= least[all$response[within]] - 2 * log(LEAST_WEIGHT)]
  before <- cumsum(size) - size
  found <- lapply(near, function(i) c(all$response[i], all$index[before[i] + seq_len(size[i])]))
  once <- !duplicated(found)
  near <- near[once]
  response <- all$response[near]
  weight <- unlist(lapply(split(all$criterion[near], response), function(criterion) {
    average_weights(-criterion / 2, least = LEAST_WEIGHT)
  }))
  kept <- weight > 0
  near <- near[kept]
  list(fit = fit[near], event = all$event[near], response = response[kept],
       criterion = all$criterion[near], weight = unname(weight)[kept], index = lapply(found[once][kept], `[`, -1L))
}

# The table of the supports that are not dropped, a row for each.
support_table <- function(choice, nu, responses, label, of) {
  out <- list(
    weight = choice$weight, criterion = choice$criterion, size = lengths(choice$index),
    terms = vapply(choice$index, function(j) paste(label[j + 1L], collapse = ", "), ""), nu = choice$nu,
    loo = choice$loo, df = choice$df, loss = choice$loss, lambda = nu[choice$fit],
    step = choice$event
  )
  if (length(responses) > 1) {
    out <- c(stats::setNames(list(responses[choice$response]), of), out)
  }
  quick_frame(out)
}

# The models that are named by a word: "average", the weighted mean of the dense estimators, and
# "best", that of the largest weight; `beta` has a column, `a0` a number for each response.
named_models <- function(choice, q) {
  top <- match(seq_len(q), choice$response)
  d <- nrow(choice$beta)
  mean <- matrix(0, d + 2L, q) # of coefficients, intercept and df
  all <- rbind(choice$beta, choice$a0, choice$df)
  for (k in seq_along(choice$weight)) {
    r <- choice$response[k]
    mean[, r] <- mean[, r] + choice$weight[k] * all[, k]
  }
  list(
    average = list(beta = mean[seq_len(d), , drop = FALSE], a0 = mean[d + 1L, ], df = mean[d + 2L, ]),
    best = list(beta = choice$beta[, top, drop = FALSE], a0 = choice$a0[top], df = choice$df[top])
  )
}

# NULL where no supports were weighed.
probability_matrix <- function(choice, columns, responses) {
  if (all(is.na(choice$criterion))) return(NULL)
  d <- nrow(choice$beta)
  out <- matrix(0, d, length(responses), dimnames = list(column_labels(columns, seq_len(d)), responses))
  for (k in seq_along(choice$weight)) {
    at <- choice$index[[k]] + 1L
    out[at, choice$response[k]] <- out[at, choice$response[k]] + choice$weight[k]
  }
  out[out > 1] <- 1
  out
}

# The models named by a word as a path holds them: for each `beta`, `a0` (lists by response where
# there are several), and a number a response of `size` (of the support of the largest weight),
# `df` and `loss`; `support`: the columns of that support.
named_parts <- function(named, choice, columns, responses, loss) {
  if (is.null(choice)) return(NULL)
  top <- match(seq_along(responses), choice$response)
  named$average$loss <- loss
  named$best$loss <- choice$loss[top]
  support <- stats::setNames(lapply(choice$index[top], function(j) j + 1L), responses)
  lapply(named, function(model) {
    beta <- lapply(seq_along(responses), function(r) {
      b <- unname(model$beta[, r])
      at <- which(b != 0)
      sparse_matrix(at - 1L, c(0L, length(at)), b[at], c(length(b), 1L), list(columns, NULL))
    })
    of <- function(parts) if (length(responses) > 1) stats::setNames(as.list(parts), responses) else parts[[1]]
    list(beta = of(beta), a0 = of(unname(model$a0)),
         support = support, size = lengths(support), df = unname(model$df),
         loss = unname(model$loss))
  })
}

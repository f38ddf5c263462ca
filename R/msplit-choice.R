# The choice of msplit(): supports by their evidence; nu, given the support, by leave-one-out errors, or by the
# restricted likelihood from moments, which have no such errors; an average over the supports that are not dropped.

LEAST_WEIGHT <- .02                   # as a share of the largest weight: supports of smaller weight are dropped
MSPLIT_GRID <- 10^seq(-2, 2.5, .5)    # nu of the paths
RIDGE_GRID <- 10^seq(-3, 2.5, .25)    # nu of the dense estimators, given the support

# The supports that are not dropped, by response, the largest weight first, and their dense estimators. In the result
# `columns` has the numbers of the columns of each support, `at` the number of its event among `paths$all`, `beta` and
# `a0` a column and a number for each support.
msplit_choice <- function(paths, input, settings, call) {
  q <- ncol(input$coded)
  compete <- settings$choose == "ridge" || response_family_of_frame(input$frame) == "multinomial"
  open <- if (compete) msplit_choice_no_supports(paths$all, q) else msplit_choice_open_supports(paths$all, settings$n)
  ridge <- function(nu) {
    settings$nu <- nu
    msplit_kernel_run(input, settings, open, paths, call)$fits
  }
  nu <- if (is.null(settings$given$nu)) RIDGE_GRID else settings$nu
  made <- ridge(nu)
  if (compete && length(nu) > 1 && q > 1) { # the scores of classes are compared, so all classes have one nu
    all <- rowSums(matrix(made$along, length(nu)))
    made <- ridge(nu[c(which.min(all), 1L)[1]])
  }
  if (anyNA(made$loss)) { # where columns are collinear to rounding
    open$weight[is.na(made$loss)] <- 0
    open$weight <- open$weight / stats::ave(open$weight, open$response, FUN = sum)
  }
  made$beta <- matrix(made$dense, ncol(input$frame$x))
  open$columns <- lapply(seq_along(open$response), function(k) {
    before <- open$start[k]
    open$index[before + seq_len(open$start[k + 1L] - before)] + 1L
  })
  c(open, made[c("nu", "loo", "df", "loss", "a0", "beta")])
}

# The empty support for every response, where there are more than two classes or ridge is wanted: no support that the
# evidence favours classifies better.
msplit_choice_no_supports <- function(all, q) {
  list(at = match(seq_len(q), all$response), response = seq_len(q), weight = rep.int(1, q),
       criterion = rep.int(NA_real_, q), start = integer(q + 1L), index = integer())
}

# The supports of the events of all nu together, in the form that the kernel of the ridges takes: support k is one of
# response[k] and has the columns index[start[k] + 1], ..., index[start[k + 1]], counted from 0.
msplit_choice_open_supports <- function(all, n) {
  if (anyNA(all$criterion)) { # as where there is one row: then the empty support of the first nu
    first <- match(unique(all$response), all$response)
    all$criterion[first][is.na(all$criterion[first])] <- 0
  }
  .Call(C_open_supports, all, n / (2 * log(n)), LEAST_WEIGHT)
}

# The table of the supports that are not dropped, a row for each. step, lambda: of every event.
msplit_choice_table <- function(choice, step, lambda, responses, label, of) {
  table <- list(
    weight = choice$weight, criterion = choice$criterion, size = lengths(choice$columns),
    terms = vapply(choice$columns, function(j) paste(label[j], collapse = ", "), ""), nu = choice$nu,
    loo = choice$loo, df = choice$df, loss = choice$loss, lambda = lambda[choice$at],
    step = step[choice$at]
  )
  if (length(responses) > 1) {
    table <- c(stats::setNames(list(responses[choice$response]), of), table)
  }
  table_data_frame(table)
}

# The models that are named by a word: "average", the weighted mean of the dense estimators, and
# "best", that of the largest weight; `beta` has a column, `a0` a number for each response.
msplit_choice_named_models <- function(choice, q) {
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

# Features x responses, the sums of the weights of the supports with a feature. NULL where no supports were weighed.
msplit_choice_support_weight <- function(choice, columns, responses) {
  if (all(is.na(choice$criterion))) return(NULL)
  d <- nrow(choice$beta)
  weights <- matrix(0, d, length(responses), dimnames = list(labels_of_columns(columns, seq_len(d)), responses))
  for (k in seq_along(choice$columns)) {
    members <- choice$columns[[k]]
    weights[members, choice$response[k]] <- weights[members, choice$response[k]] + choice$weight[k]
  }
  weights[weights > 1] <- 1
  weights
}

# The models named by a word as a path holds them: for each `beta`, `a0` (lists by response where
# there are several), and for each response the numbers `size` (of the support of the largest weight),
# `df` and `loss`; `support`: the columns of that support.
msplit_choice_named_parts <- function(named, choice, columns, responses, loss) {
  several <- length(responses) > 1
  top <- match(seq_along(responses), choice$response)
  named$average$loss <- loss
  named$best$loss <- choice$loss[top]
  support <- choice$columns[top]
  names(support) <- responses
  size <- lengths(support)
  lapply(named, function(model) {
    beta <- lapply(seq_along(responses), function(r) {
      b <- model$beta[, r]
      nonzero <- which(b != 0)
      table_sparse_matrix(nonzero - 1L, c(0L, length(nonzero)), b[nonzero], c(length(b), 1L), list(columns, NULL))
    })
    of <- function(parts) if (several) stats::setNames(as.list(parts), responses) else parts[[1]]
    list(beta = of(beta), a0 = of(model$a0), support = support, size = size, df = model$df, loss = model$loss)
  })
}

# All subsets whose criterion is close to the best: the search for them, the table of their models, its verbs.

#' Every subset that is nearly as good as the best
#'
#' `tlcp(within = 2)` lists, beside the best subset, all subsets whose criterion is at most 2 above that of the best. Use it
#' before a report calls the chosen variables *the* variables: where many subsets are within 2, which of them is the best
#' was decided by chance. The list is complete: the branch and bound search that proves the best subset leaves out only
#' sets whose lower bound is above the limit.
#'
#' A model has the weight \eqn{\exp(-\Delta/2)}, \eqn{\Delta} being its criterion less the smallest one, divided by the
#' sum of the weights of the list. By BIC this is about the posterior probability of the model among those listed, by AIC
#' it is the Akaike weight (Burnham and Anderson 2002). The share of a feature is the sum of the weights of the models that
#' have it. With `step = "within"` [coef()][transfer_path] and [predict()][transfer_path] of the fit give the average of
#' the models by their weights, in which a model without a feature counts as 0.
#'
#' The criterion of fits that do not borrow is that of `steps$criterion`, as [AIC()] or [BIC()] have it. A fit that borrows
#' has the penalised criterion J of [tlcp()], in units of twice a log-likelihood, given the borrowing prior. Of a
#' likelihood (`family`) and with `method = "cutoff"` there is no list: the proof is not of their criterion.
#'
#' At most 10,000 subsets are listed; a message says when there are more.
#'
#' @param x `fit$within` of [tlcp()].
#' @param digits Significant digits to print.
#' @param n How many models to print or draw.
#' @param row.names,optional As for any [as.data.frame()].
#' @param object `fit$within`.
#' @param ... `plot()`: graphical parameters. Otherwise nothing.
#' @returns `fit$within` is an object of class `tlcp_within`, a list: `models`, a logical matrix, models x features, the
#'   best model first; `criterion`, `difference` (to the best), `weight` and `size` of each model; `share`, a number for
#'   each feature; `beta` (features x models, on the original scale) and `a0`; `complete`: is the list proven complete?
#'   `as.data.frame()` has a row for each model: `size`, `criterion`, `difference`, `weight` and a logical column for each
#'   feature. `tidy()` has a row for each feature of some model: `term`, `share`, `estimate` (the average), `min` and `max`
#'   of its coefficient over the models that have it. `plot()` and `autoplot()` draw the models as rows of a map: which
#'   features come and go.
#' @references Burnham, K. P. and Anderson, D. R. (2002). *Model Selection and Multimodel Inference*. Springer.
#'   \doi{10.1007/b97636}
#' @seealso [tlcp()], [selection_frequency()]
#' @name tlcp_within
#' @examples
#' fit <- tlcp(mpg ~ ., data = mtcars, criterion = "BIC", within = 2)
#' fit$within
#' coef(fit, step = "within")
#' tidy(fit$within)
NULL

WITHIN_MOST <- 10000

tlcp_within_settings <- function(asked, frame, method, call) {
  what <- if (by_likelihood(frame$family)) "a likelihood" else if (method == "cutoff") "{.code method = \"cutoff\"}" else
    if (!isTRUE(asked$select)) "{.code select = FALSE}"
  if (!is.null(what)) {
    abort_input(paste0("{.arg within} is given with ", what, "."), "within",
                i = "Leave it out: the search proves a list of subsets for least squares that select.", call = call)
  }
  check_number(asked$within, "within", 0, call)
}

# The sets with a criterion of at most settings$within above the best: list(sets, criterion, complete), the best first,
# criterion without the constant of likelihood_constant(). certificate: of the search for the best set.
tlcp_within_sets <- function(problem, certificate, settings, call) {
  p <- length(problem$columns)
  pen <- problem$borrowing$pen
  force <- forced_columns(settings, problem$columns)
  units <- if (is.null(settings$groups)) {
    list(form = problem$form, pen = pen, force = force, columns = rep(1L, p), of = seq_len(p))
  } else {
    search_units(problem$form, pen, force, problem$columns, settings)
  }
  anew <- problem$borrowing$anew
  found <- if (is.null(anew)) {
    out <- tlcp_within_run(units, units$pen, certificate$value + settings$within, settings, call)
    list(`in` = out$`in`, criterion = out$value, complete = out$stopped == "complete" && !out$full)
  } else {
    tlcp_within_anew(units, anew, certificate$value + settings$within, settings, call)
  }
  order <- order(found$criterion, colSums(found$`in`))
  order <- utils::head(order, WITHIN_MOST)
  whole <- found$complete && length(order) == length(found$criterion)
  if (!whole) {
    tell(paste0("There are more subsets within ", format(settings$within), " of the best than the ",
                big_number(length(order)), " of the table."), "Give a smaller `within`, or a larger `max_seconds`.")
  }
  list(sets = found$`in`[units$of, order, drop = FALSE], criterion = found$criterion[order], complete = whole)
}

tlcp_within_run <- function(units, pen, limit, settings, call) {
  limit <- limit + 1e-9 * max(1, abs(limit))
  out <- .Call(C_subset_within, units$form, pen, units$force, limit, 2 * WITHIN_MOST, settings)
  if (out$status != 0) abort_collinear(call)
  if (out$stopped == "interrupt") rlang::interrupt()
  out
}

# Criteria that estimate the variance anew: a set of size m is in the list if its residual sum of squares is at most
# T(m) = exp((limit - k m)/n), a convex function of m. Between two sizes T is below its chord, whose slope is the penalty
# of a search that lists every such set, and some others, which are left out. Sizes are divided so that chord and curve
# stay close.
tlcp_within_anew <- function(units, anew, limit, settings, call) {
  most <- function(m) exp((limit - anew$k * m) / anew$n) - anew$floor
  size <- attainable_sizes(units)
  all <- .Call(C_subset_models, units$form, cbind(units$force >= 0), NULL)
  least <- units$form$c0 - sum(all$w * units$form$b)
  size <- size[most(size) >= least - 1e-9 * abs(least)]
  step <- max(1, floor(.5 * anew$n / max(anew$k, 1e-3)))
  part <- if (length(size)) floor((size - size[1]) / step)
  sets <- list()
  rss <- list()
  complete <- TRUE
  for (sizes in split(size, part)) {
    ends <- range(sizes)
    slope <- if (diff(ends) > 0) -diff(most(ends)) / diff(ends) else most(ends[1]) * anew$k / anew$n
    out <- tlcp_within_run(units, slope * units$columns, most(ends[1]) + slope * ends[1], settings, call)
    complete <- complete && out$stopped == "complete" && !out$full
    m <- colSums(out$`in` * units$columns)
    value <- out$value - slope * m
    at <- m >= ends[1] & m <= ends[2] & value <= most(m) * (1 + 1e-10)
    sets <- c(sets, list(out$`in`[, at, drop = FALSE]))
    rss <- c(rss, list(value[at]))
  }
  sets <- do.call(cbind, sets)
  list(`in` = sets, criterion = likelihood_value(unlist(rss), colSums(sets * units$columns), anew), complete = complete)
}

# The fit with the list of models and their average, as `within` and as the named model "within".
tlcp_within_added <- function(fit, path, settings) {
  near <- path$near
  problem <- path[c("all_domains", "domains", "columns", "borrowing", "form")]
  models <- set_models(near$sets, problem, path$own_domain, NULL)
  z <- exact_coefficients(problem, models$w)
  if (problem$borrowing$borrow == "aggregate") z <- shared_by_all(z, problem$all_domains)
  listed <- c(problem, list(z = z, sets = near$sets))
  raw <- domain_models(listed, settings)[[1]]
  labels <- all_labels(settings)
  difference <- near$criterion - near$criterion[1]
  weight <- exp(-difference / 2) / sum(exp(-difference / 2))
  sets <- matrix(FALSE, length(near$criterion), length(labels), dimnames = list(NULL, labels))
  sets[, path$columns] <- t(near$sets)
  fit$within <- structure(list(
    models = sets, criterion = near$criterion + path$constant, difference = difference, weight = weight,
    size = as.integer(rowSums(sets)), share = colSums(sets * weight), beta = raw$beta, a0 = as.vector(raw$a0),
    complete = near$complete, within = settings$within, title = criterion_name(settings$criterion)
  ), class = "tlcp_within")
  fit$named <- list(within = list(beta = raw$beta %*% Matrix::Matrix(weight, ncol = 1, sparse = TRUE),
                                  a0 = sum(raw$a0 * weight)))
  fit
}

criterion_name <- function(criterion) if (is.numeric(criterion)) paste("criterion with k =", format(criterion)) else criterion

#' @rdname tlcp_within
#' @export
print.tlcp_within <- function(x, digits = 4, n = 10, ...) {
  count <- length(x$criterion)
  table <- as.data.frame(x)[seq_len(min(n, count)), c("size", "criterion", "difference", "weight"), drop = FALSE]
  table$features <- apply(x$models[seq_len(nrow(table)), , drop = FALSE], 1, function(on) {
    paste(colnames(x$models)[on], collapse = " ")
  })
  share <- sort(x$share[x$share > 0], decreasing = TRUE)
  share <- data.frame(feature = names(share), share = round(unname(share), 2))
  print_description(x, list(
    head = paste0(counted(count, "subset"), " within ", format(x$within), " of the best by ", x$title,
                  if (x$complete) ", proven to be all"),
    tables = list(
      list(title = "\n", table = table, more = count - nrow(table), of = "subsets in as.data.frame()"),
      shown_table(share, 15, "\nShare of the weight of the subsets that have the feature:\n", "features in tidy()")
    )
  ), digits)
}

#' @rdname tlcp_within
#' @export
as.data.frame.tlcp_within <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(size = x$size, criterion = x$criterion, difference = x$difference, weight = x$weight, x$models,
             check.names = FALSE)
}

#' @rdname tlcp_within
#' @export
tidy.tlcp_within <- function(x, ...) {
  beta <- as.matrix(x$beta)
  on <- which(x$share > 0)
  in_models <- function(j, take) take(beta[j, x$models[, j]])
  data.frame(term = names(x$share)[on], share = unname(x$share[on]), estimate = unname(drop(beta %*% x$weight)[on]),
             min = vapply(on, in_models, 1, min), max = vapply(on, in_models, 1, max), row.names = NULL)
}

#' @rdname tlcp_within
#' @export
plot.tlcp_within <- function(x, n = 30, ...) plot_picture(x, tlcp_within_picture(x, n), ...)

#' @rdname tlcp_within
#' @exportS3Method ggplot2::autoplot
autoplot.tlcp_within <- function(object, n = 30, ...) autoplot_picture(tlcp_within_picture(object, n), ...)

# Models down, best first, features across by their share; a tile where the model has the feature, its colour the sign
# and size of the coefficient in units of the largest one of the feature.
tlcp_within_picture <- function(x, n) {
  n <- min(check_number(n, "n", 1, rlang::caller_env(), whole = TRUE), length(x$criterion))
  share <- sort(x$share[x$share > 0], decreasing = TRUE)
  if (!length(share)) return(empty_picture("The best subset, and all near it, is empty.", "Subsets near the best"))
  share <- utils::head(share, 40)
  beta <- as.matrix(x$beta)[match(names(share), names(x$share)), seq_len(n), drop = FALSE]
  largest <- apply(abs(as.matrix(x$beta)[match(names(share), names(x$share)), , drop = FALSE]), 1, max)
  model <- paste0(seq_len(n), " (+", formatC(x$difference[seq_len(n)], digits = 2, format = "f"), ")")
  data <- data.frame(row = rep(model, each = length(share)), class = rep(names(share), n),
                     weight = as.vector(beta / largest))
  map_picture(data[data$weight != 0, ], model, names(share), c("feature", "model (difference to the best)"),
              paste0(counted(length(x$criterion), "subset"), " within ", format(x$within), " of the best by ", x$title),
              if (length(x$criterion) > n) paste("the best", n, "are shown"), "coefficient / its largest")
}

# The table of all subsets near the best: their models, weights and average, and its verbs.

#' Every subset that is nearly as good as the best
#'
#' `tlcp(within = 2)` lists, beside the best subset, all subsets whose criterion is at most 2 above that of the best.
#' Use it before a report calls the chosen variables *the* variables: if many subsets are within 2, chance decided which
#' of them is the best. The list is complete: the branch and bound search that proves the best subset leaves out only
#' sets whose lower bound is above the limit. For how often a feature is selected from other
#' rows use [selection_frequency()].
#'
#' The weight of a model is \eqn{\exp(-\Delta/2)}, where \eqn{\Delta} is its criterion minus the smallest one, divided
#' by the sum over the list. By BIC the weight approximates the posterior probability of the model among those listed;
#' by AIC it is the Akaike weight (Burnham and Anderson 2002). The share of a feature is the sum of the weights of the
#' models that have it. With `step = "within"` [coef()][transfer_path] and [predict()][transfer_path] of the fit give
#' the weighted average of the models. A coefficient that a model lacks counts as 0.
#'
#' For fits that do not borrow the criterion is that of `steps$criterion`, as [AIC()] or [BIC()] have it. For a fit that
#' borrows it is the penalised criterion J of [tlcp()], in units of twice a log-likelihood, given the borrowing prior.
#' With a `family`, and with `method = "cutoff"`, there is no list, since the proof is not about their criterion.
#'
#' At most 10,000 subsets are listed. If there are more, the list has all subsets within half of `within`, a quarter,
#' and so on (`fit$within$within`), and a message says so.
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
#'   `as.data.frame()` has one row per model: `size`, `criterion`, `difference`, `weight` and one logical column per
#'   feature. `tidy()` has one row per feature that is in a model: `term`, `share`, `estimate` (the average), `min` and
#'   `max` of its coefficient over the models that have it. `plot()` and `autoplot()` draw a map with one row per model
#'   and one column per feature.
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

# The fit with the list of models and their average, as `within` and as the named model "within".
tlcp_within_added <- function(fit, path, settings) {
  near <- path$near
  problem <- path[c("all_domains", "domains", "columns", "borrowing", "form")]
  models <- tlcp_models_of_sets(near$sets, problem, path$own_domain, NULL)
  z <- tlcp_models_coefficients(problem, models$w)
  if (problem$borrowing$borrow == "aggregate") z <- tlcp_models_shared_by_all(z, problem$all_domains)
  listed <- c(problem, list(z = z, sets = near$sets))
  raw <- tlcp_models_of_domains(listed, settings)[[1]]
  labels <- labels_of_all_columns(settings)
  difference <- near$criterion - near$criterion[1]
  weight <- exp(-difference / 2) / sum(exp(-difference / 2))
  sets <- matrix(FALSE, length(near$criterion), length(labels), dimnames = list(NULL, labels))
  sets[, path$columns] <- t(near$sets)
  fit$within <- structure(list(
    models = sets, criterion = near$criterion + path$constant, difference = difference, weight = weight,
    size = as.integer(rowSums(sets)), share = colSums(sets * weight), beta = raw$beta, a0 = as.vector(raw$a0),
    complete = near$complete, within = near$within,
    title = tlcp_prior_criterion_name(settings$criterion, problem$borrowing$borrow)
  ), class = "tlcp_within")
  fit$named <- list(within = list(beta = raw$beta %*% Matrix::Matrix(weight, ncol = 1, sparse = TRUE),
                                  a0 = sum(raw$a0 * weight)))
  fit
}

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
  description_print(x, list(
    head = paste0(words_counted(count, "subset"), " within ", format(x$within), " of the best by ", x$title,
                  if (x$complete) ", proven to be all" else ", perhaps not all: the search ended early"),
    tables = list(
      list(title = "\n", table = table, more = count - nrow(table), of = "subsets in as.data.frame()"),
      description_table(share, 15, "\nWeight of the subsets with the feature, as a share of all:\n",
                        "features in tidy()")
    )
  ), digits)
}

#' @rdname tlcp_within
#' @export
as.data.frame.tlcp_within <- function(x, row.names = NULL, optional = FALSE, ...) {
  arguments_of_generic(same = TABLE_ARGUMENTS)
  data.frame(size = x$size, criterion = x$criterion, difference = x$difference, weight = x$weight, x$models,
             check.names = FALSE)
}

#' @rdname tlcp_within
#' @export
tidy.tlcp_within <- function(x, ...) {
  arguments_of_generic()
  beta <- as.matrix(x$beta)
  on <- which(x$share > 0)
  in_models <- function(j, take) take(beta[j, x$models[, j]])
  data.frame(term = names(x$share)[on], share = unname(x$share[on]), estimate = unname(drop(beta %*% x$weight)[on]),
             min = vapply(on, in_models, 1, min), max = vapply(on, in_models, 1, max), row.names = NULL)
}

#' @rdname tlcp_within
#' @export
plot.tlcp_within <- function(x, n = 30, ...) picture_user_plot(x, tlcp_within_picture(x, n), ...)

#' @rdname tlcp_within
#' @exportS3Method ggplot2::autoplot
autoplot.tlcp_within <- function(object, n = 30, ...) picture_user_autoplot(tlcp_within_picture(object, n), ...)

# Models down, best first, features across by their share; a tile where the model has the feature, its colour the sign
# and size of the coefficient in units of the largest one of the feature.
tlcp_within_picture <- function(x, n) {
  n <- min(check_number(n, "n", 1, rlang::caller_env(), whole = TRUE), length(x$criterion))
  share <- sort(x$share[x$share > 0], decreasing = TRUE)
  if (!length(share)) return(picture_empty("No subset near the best has a feature.", "Subsets near the best"))
  share <- utils::head(share, 40)
  beta <- as.matrix(x$beta)[match(names(share), names(x$share)), seq_len(n), drop = FALSE]
  largest <- apply(abs(as.matrix(x$beta)[match(names(share), names(x$share)), , drop = FALSE]), 1, max)
  model <- paste0(seq_len(n), " (+", formatC(x$difference[seq_len(n)], digits = 2, format = "f"), ")")
  data <- data.frame(row = rep(model, each = length(share)), class = rep(names(share), n),
                     weight = as.vector(beta / largest))
  picture_map(data[data$weight != 0, ], model, names(share), c("feature", "model (difference to the best)"),
              paste0(words_counted(length(x$criterion), "subset"), " within ", format(x$within), " of the best by ",
                     x$title),
              if (length(x$criterion) > n) paste("the best", n, "are shown"), "coefficient / its largest")
}

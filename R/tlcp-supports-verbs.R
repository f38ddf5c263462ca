# Verbs of fits by tlcp(borrow = "sparse"): what print() says, and errors and intervals from the draws.

describe_path.supports_path <- function(x, digits, n = NULL) {
  table <- x$supports$features
  shown <- table[order(-table$included), c("term", "common", "own")]
  shown$estimate <- unname(stats::coef(x)[shown$term])
  shown <- shown[seq_len(min(nrow(shown), max(length(x$selected), 5))), ]
  names(shown)[2:3] <- c("P(common)", "P(own)")
  domains <- x$supports$domains
  names(domains) <- c("domain", "own effects", "background", "shares common")
  list(head = tlcp_supports_head(x, digits),
       tables = list(description_table(shown, n %||% 20, "\nFeatures by probability of an effect\n", "rows"),
                     description_table(domains, 20, "\nDomains\n", "rows")))
}

tlcp_supports_head <- function(x, digits) {
  features <- x$supports$features
  domains <- x$supports$domains
  common <- sum(features$common >= .5)
  own <- sum(features$own >= .5)
  with <- domains$shares[-1] >= .5
  whom <- if (!common) "" else if (!any(with, na.rm = TRUE)) ", which no other domain shares" else
    paste0(", shared with ", if (sum(with) > 4) paste(sum(with), "of", length(with), "other domains") else
      words_in_quotes(domains$domain[-1][with]))
  apart <- domains$domain[-1][!with]
  dense <- domains$background[1]
  c(
    paste0(x$labels[["title"]], ": target ", x$target, " (", x$nobs, " rows) and ",
           words_counted(nrow(domains) - 1, "other domain"), ", ", words_counted(nrow(features), "feature")),
    paste0(words_counted(common, "common effect"), whom, "; ", words_counted(own, "effect"), " of the target's own",
           " (each with probability of at least 1/2)"),
    if (common && length(apart)) paste0("most common effects are not those of ", words_in_quotes(apart, 4)),
    path_print_incomplete(x$left_out, x$target),
    paste0("leave-one-out mean squared error ", format(x$steps$loo[2], digits = digits), ", of the mean ",
           format(x$steps$rss[1] / x$nobs * (x$nobs / max(x$nobs - 1, 1))^2, digits = digits),
           if (dense > .01) paste0("; all features have small effects, too (variance ", words_number(dense), ")"))
  )
}

#' @export
summary.supports_path <- function(object, step = NULL, ...) {
  arguments_of_generic()
  step <- path_worth_check_one_step(object, step, NULL, rlang::current_env())
  worth <- path_worth(object, step)
  table <- tidy(object, step = step, conf.int = step > 0)
  ranking <- order(table$type != "intercept", -table$probability)
  table <- table[ranking, setdiff(names(table), c("type", "step", "lambda"))]
  structure(list(head = tlcp_supports_head(object, 4), step = step, rss = worth$rss, df = worth$df,
                 coefficients = table, domains = object$supports$domains),
            class = c("summary.supports_path", "summary.transfer_path"))
}

describe_path.summary.supports_path <- function(x, digits, n = NULL) {
  worth <- paste0("Step ", x$step, ": df ", format(x$df, digits = digits), ", residual sum of squares ",
                  format(x$rss, digits = digits))
  list(head = c(x$head, worth), tables = list(
    description_table(x$coefficients, n %||% 20, "\nPosterior means with 95 % intervals\n", "rows in $coefficients"),
    description_table(x$domains, 20, "\nDomains\n", "rows in $domains")
  ))
}

#' @export
inclusion_probability.supports_path <- function(path) matrix(path$supports$features$included)

#' @export
inclusion_is_strong.supports_path <- function(path) {
  included <- path$supports$features$included
  matrix(seq_along(included) %in% tlcp_supports_strong(included, .1))
}

# The largest set whose mean of 1 - probability is at most `fdr`, without those less probable than not.
tlcp_supports_strong <- function(probability, fdr) {
  ranking <- order(-probability)
  size <- sum(cumsum(1 - probability[ranking]) / seq_along(ranking) <= fdr)
  chosen <- ranking[seq_len(size)]
  sort(chosen[probability[chosen] >= .5])
}

# The draws of the coefficients of step 1, a row for each; step 0 has none.
tlcp_supports_draws <- function(object, step, call) {
  if (path_worth_check_one_step(object, step, NULL, call) == 0L) {
    abort_input("{.arg step} is 0, the model without features, which has no standard errors.", "step",
                i = "Leave it out.", call = call)
  }
  if (object$settings$intercept) object$draws else object$draws[-1, , drop = FALSE]
}

#' @export
vcov.supports_path <- function(object, step = NULL, ...) {
  arguments_of_generic()
  stats::cov(t(tlcp_supports_draws(object, step, rlang::current_env())))
}

#' @export
confint.supports_path <- function(object, parm, level = .95, step = NULL, ...) {
  arguments_of_generic()
  call <- rlang::current_env()
  level <- check_share(level, "level", call)
  draws <- tlcp_supports_draws(object, step, call)
  if (!missing(parm)) draws <- draws[tlcp_intervals_terms(parm, rownames(draws), call), , drop = FALSE]
  tails <- c((1 - level) / 2, (1 + level) / 2)
  structure(tlcp_supports_limits(draws, level),
            dimnames = list(rownames(draws), paste(format(100 * tails, trim = TRUE, digits = 3), "%")))
}

tlcp_supports_limits <- function(draws, level) {
  t(apply(draws, 1, stats::quantile, c((1 - level) / 2, (1 + level) / 2), names = FALSE))
}

#' @export
tidy.supports_path <- function(x, step = NULL, lambda = NULL, return_zeros = FALSE, conf.int = FALSE,
                               conf.level = .95, exponentiate = FALSE, ...) {
  more <- arguments_of_generic(path_tidy_arguments(x), same = TIDY_ARGUMENTS)
  call <- rlang::current_env()
  check_flag(return_zeros, "return_zeros", call)
  check_flag(conf.int, "conf.int", call)
  check_share(conf.level, "conf.level", call)
  path_tidy_check_exponentiate(x, exponentiate, call)
  table <- path_tidy_table(x, step, lambda, return_zeros, more, call)
  mine <- is.null(more$domain) || identical(as.character(more$domain), x$target)
  at <- match(table$term, rownames(x$draws))
  from_draws <- function(values) ifelse(mine & table$step == 1, values[at], NA)
  table$std.error <- from_draws(apply(x$draws, 1, stats::sd))
  if (conf.int) {
    limits <- tlcp_supports_limits(x$draws, conf.level)
    table$conf.low <- from_draws(limits[, 1])
    table$conf.high <- from_draws(limits[, 2])
  }
  table[path_tidy_order(table)]
}

#' @export
path_predict_covariance.supports_path <- function(object, step, domain, call) {
  if (length(setdiff(domain, object$target)) || anyNA(domain)) {
    abort_input("Standard errors are of predictions by the target's model.", "domain",
                i = "Give rows of the target, or {.code domain = \"{object$target}\"}.", call = call)
  }
  draws <- tlcp_supports_draws(object, step, call)
  list(V = stats::cov(t(draws)), df = Inf, sigma = sqrt(object$borrowing$s2[[1]]) * object$response_scale[[1]])
}

#' Effects of a sparse transfer at a false discovery rate
#'
#' For a fit by `tlcp(borrow = "sparse")`: which common effects, and which effects of the target's own, are told from 0.
#' The rows of each kind are the largest set whose mean of 1 - probability is at most `fdr`, without effects less
#' probable than not. The rate is that of the model; it was not calibrated in simulations.
#' @param object A fit by [tlcp()] with `borrow = "sparse"`.
#' @param fdr The false discovery rate of each kind, above 0 and below 1.
#' @param ... Must be empty.
#' @returns A data frame: `kind` (`"common"` or `"own"`), `term`, `estimate` (of this effect, on the original scale) and
#'   `probability` that it is not 0, the most probable first. No row: no effect is told from 0.
#' @seealso [signals()] of other fits, [tlcp()]
#' @examples
#' set.seed(1)
#' x <- matrix(rnorm(120 * 40), 120)
#' hospital <- rep(c("a", "b", "c"), each = 40)
#' y <- x[, 1] - x[, 2] + x[, 3] * (hospital == "a") + rnorm(120)
#' fit <- tlcp(x, y, domain = hospital, target = "a", borrow = "sparse")
#' signals(fit)
#' @export
signals.supports_path <- function(object, fdr = .1, ...) {
  call <- arguments_check()
  fdr <- check_number(fdr, "fdr", 0, call)
  if (fdr <= 0 || fdr >= 1) {
    abort_input("{.arg fdr} is {fdr}.", "fdr", i = "Give a number above 0 and below 1.", call = call)
  }
  table <- object$supports$features
  parts <- lapply(c("common", "own"), function(kind) {
    probability <- table[[kind]]
    at <- tlcp_supports_strong(probability, fdr)
    at <- at[order(-probability[at])]
    table_data_frame(list(kind = rep(kind, length(at)), term = table$term[at],
                          estimate = table[[paste0(kind, "_effect")]][at], probability = probability[at]))
  })
  do.call(rbind, parts)
}

#' @export
plot.supports_path <- function(x, top_n = 20, ...) {
  picture_user_plot(x, tlcp_supports_picture(x, top_n, rlang::current_env()), ...)
}

#' @exportS3Method ggplot2::autoplot
autoplot.supports_path <- function(object, top_n = 20, ...) {
  picture_user_autoplot(tlcp_supports_picture(object, top_n, rlang::current_env()), ...)
}

# What is borrowed, by feature: probabilities of a common effect and of one of the target's own.
tlcp_supports_picture <- function(x, top_n, call) {
  top_n <- check_number(top_n, "top_n", 1, call, whole = TRUE)
  table <- x$supports$features
  table <- utils::head(table[order(-table$included), ], top_n)
  n <- nrow(table)
  panels <- lapply(c("common", "own"), function(kind) {
    drawn <- data.frame(x = table[[kind]], y = n + 1 - seq_len(n),
                        col = picture_colours$feature[ifelse(table[[kind]] >= .5, 1L, 2L)])
    picture_panel(
      picture_axis("probability that the effect is not 0", c(-.03, 1.03), seq(0, 1, .25)),
      picture_name_axis(table$term),
      list(picture_rule("y", seq_len(n), col = picture_colours$faint, lty = 1),
           picture_layer("segment", data.frame(x = 0, y = drawn$y, xend = drawn$x, col = drawn$col), lwd = 2),
           picture_layer("point", drawn, pch = 19)),
      title = if (kind == "common") "common effects" else "effects of the target's own"
    )
  })
  picture_new(panels, "What is borrowed", picture_base_keys(c("1/2 or more", "less"), picture_colours$feature[1:2],
                                                            c(19, 19)))
}

# Several rules on the same folds; of cross-validations: held-in and held-out curves side by side.
# Of data: compare-fits.R.

#' Is it worth borrowing? Rules side by side
#'
#' Compares the prediction errors of several rules on the same folds. A rule is a method of this package, a model of
#' another package, or a simple baseline. Use it to see whether other data help: `compare_paths(y ~ ., data = d, domain
#' = hospital, target = "A")` fits `tlcp()` with and without the other hospitals, and `compare_paths(y ~ ., data = d,
#' sources = models)` fits `greedytl()` beside the models themselves. Each rule is fitted without each fold in turn, and
#' its losses are compared with those of the first rule. `compare_paths(fit1, fit2)` compares the methods of two fits,
#' with their settings, on the data of their calls. If you already have cross-validations, `compare_paths(gain =
#' cv1, t = cv2)` puts their losses into one table, step by step. Use [cv_path()] to choose the step of one method.
#'
#' @section Comparison on data: Every rule is judged by the model that it chooses itself on the rows of the fit: a path
#' by its default model, a [cv_path()] object (`function(x, ...) cv_path(x, fit = tlcp, ...)`) by its default step.
#' Nothing is chosen on the held-out rows. The same rows are held out for all rules: if [tgreedy()] is among the fits,
#' one domain after the other; with a `target`, only its rows. If one of the methods takes zeros and ones, or other
#' numbers, as classes, as a logistic model does, they are classes for all rules, with a message. For counts, shares and
#' survival times give [cv_path()] objects. If the classes are separated without some fold, so that the likelihood of a
#' rule other than the first has no maximum, its loss and difference are means over the other folds, with a message; a
#' rule that has no fit to all rows is left out.
#'
#' The baselines are
#' * `"alone"`: the first fit without the sources;
#' * `"mean"`: the mean of the response, or the shares of the classes;
#' * `"ridge"`: ridge regression on the features, on the sources, and on both (the comparator of Kuzborskij and others).
#'   Columns have unit variance, classes have equal weight, and the ridge is chosen among \eqn{10^{-4}, \ldots, 10^4} by
#'   exact leave-one-out;
#' * `"average"`: the mean of the sources' predictions as they are (`print()` of [greedytl()] instead gives the
#'   leave-one-out error of a regression on their mean);
#' * `"best"`: the source with the smallest loss on the rows of the fit, so that it is chosen without the held-out rows;
#' * `"each"`: every source by itself. The smallest loss among these was found on the held-out rows and is therefore too
#'   favourable: use `"best"`.
#'
#' Sources are used as they are. Their predictions must be numbers in the unit of the response, or, for two classes,
#' numbers that are positive for the second class. If the response is numbers, coefficients without an intercept (a
#' named vector, [estimates()]) get the level that fits the rows of the fit best. With more than two classes
#' `"average"`, `"best"` and `"each"` are left out, with a message. With a `target`, baselines are fitted to its rows
#' alone, and there is also a ridge regression on all rows.
#'
#' A model of another package is fitted by a function of `x` and `y`: `function(x, y) lm(y ~ ., data.frame(x))`,
#' `function(x, y) glmnet::cv.glmnet(x, y)`, `function(x, y) ranger::ranger(x = x, y = y)`. `x` is the design matrix,
#' with names made by [make.names()] (`wt.hp` for `wt:hp`). Models that [sources()] lists predict as it says. For other
#' models `predict(model, data.frame)` must return numbers, classes, or a matrix with one column per class. If the
#' function has arguments `weights`, `domain` or `sources`, it is given these (`NULL` if there are none). With `sources`
#' its model predicts from the columns of both, as in `function(x, y, sources) glmnet::cv.glmnet(cbind(x, sources), y)`.
#' The functions may draw random numbers: [set.seed()] makes them repeatable, whatever `parallel` is.
#'
#' Standard errors are computed over the folds, as in [cv_path()]. `difference` is taken fold by fold, so that a fold
#' that is hard for all rules adds nothing to its standard error. The fits of different folds share rows, so these
#' standard errors are a guide, not a test.
#'
#' @section Log loss: `loss = "log_loss"` is the mean of minus the logarithm of the probability that a rule gives to the
#' true class: half of the deviance. It compares fits with `prob = TRUE` (`function(x, ...) greedytl(x, prob = TRUE,
#' ...)`), whose scores are calibrated again in each fold, [cv_path()] objects of such methods, logistic models, and
#' models of other packages that predict probabilities. The baselines are `"alone"`, `"mean"`, and for two classes
#' `"average"`, `"best"` and `"each"` with the sources' own probabilities. These come from the log odds of [sources()]
#' with `scale = "link"`, or from predictions that are all between -1 and 1, which are taken as 2p - 1. Other sources
#' are left out, with a message. `print()` says which sources have better probabilities than the first rule, by more
#' than two corrected standard errors of the difference, and which are within two of it, not told apart. Probabilities
#' are bounded at 1e-15 and 1 - 1e-15.
#'
#' @section Comparison of cross-validations: `held_in` is the training loss of the fit on all rows: `loss` in its
#'   `steps` (for [tgreedy()] the mean over domains); for [tlcp()] the mean square of the target's rows, or with `loss =
#'   "deviance"` their mean deviance; with `loss = "class"` the `error` in the steps of [shareboost()]; with `loss =
#'   "auroc"` the mean over domains of the area. `held_in` is `NA` for other losses and for a Cox model, whose partial
#'   likelihood grows with the number of rows. `held_out` is the cross-validated loss with its standard error `se`. For
#'   fits with several `lambda` the chosen one is shown. A large difference between the two curves shows overfitting;
#'   with `by = "domain"` it shows effects that differ from domain to domain. `difference` is the held-out loss minus
#'   that of the first rule at its best step, fold by fold. A fold that is hard for all rules, as a domain with a level
#'   of its own, makes `se` large, but not the standard error of `difference`: compare rules and steps by this.
#'
#' `plot()` and `autoplot()` draw both losses against the number of features. The line of `held_in` is dashed (the
#' legend names rules without it). The line of `held_out` is solid, with a dot at its smallest value, and dotted after a
#' path has ended. A band shows one standard error to each side, that for comparisons of steps (`cvwithin` of
#' [cv_path()]); with more than three rules it is a bar at the smallest value. If a path has one model beside the empty
#' one, as with `select = FALSE`, there are points and bars. If several steps have the same features, the last is shown.
#' A comparison on data has one row per rule; a loss far above the others, such as that of the mean of the response, is
#' written as a number at the edge.
#'
#' @param ... Fits of the same columns and rows, preferably named, with arguments of the comparison:
#'   `compare_paths(fit1, fit2, nfolds = 5)`. Or [cv_path()] objects with the same folds and loss, preferably named:
#'   `gain = cv1, t = cv2`. Those without a name are named by their rule. With data: must be empty; give the arguments
#'   of a method in a function of `fits`: `function(x, ...) tlcp(x, target = "4", ...)`. For `plot()`: graphical
#'   parameters that replace the defaults, such as `main`, `xlab`, `ylim`, `col` (one per rule), `lwd`. For
#'   `autoplot()`: `log`, as for `plot()`. For `tidy()`: must be empty.
#' @param x,y,formula,data,sources,weights,subset,na.action,domain,sparse As for [cv_path()]; one response.
#'   For `print()`, `plot()` and `tidy()`, `x` is what `compare_paths()` returned.
#' @param fits A named list of functions, see below. All other rules are compared with the first. `NULL`: both rules of
#'   [greedytl()], `list(transfer = greedytl, paper = function(x, ...) greedytl(x, rule = "paper", ...))`, with `prob =
#'   TRUE` for `loss = "log_loss"`. `NULL` with a `target`: [tlcp()] with the other domains (`borrow`), without them
#'   (`alone`), and with all rows as one data set (`aggregate`).
#' @param target The domain that the model is for, if `fits` is `NULL`. Otherwise give it to the methods in the
#'   functions of `fits`.
#' @param family If `fits` is `NULL` and the response has two classes: `"binomial"` or `"gaussian"`, the family of the
#'   fits. With `"binomial"` and no `target` these are `greedytl(family = "binomial")` and `greedytl(prob = TRUE)`.
#' @param baselines `NULL` (all that these data allow), `FALSE` (none), or some of `"alone"`,
#'   `"mean"`, `"ridge"`, `"average"`, `"best"`, `"each"`.
#' @param nfolds,foldid,by,parallel,bound As for [cv_path()]; `bound` is for methods of this package.
#' @param loss `NULL`: the misclassification (`"class"`) for classes, also of logistic models, and `"mse"` for numbers.
#'   Or, as for [cv_path()], `"mse"` or `"mae"` for numbers; `"class"`, `"balanced"` or `"auroc"` for classes, `"mse"`
#'   of their scores if no rule is logistic. `"deviance"` can be asked for if all fits are logistic models of this
#'   package (the baselines are then `"alone"` and `"mean"`), `"log_loss"` if all fits have probabilities, see "Log
#'   loss". Or a function.
#' @return For cross-validations a data frame of class `path_comparison` with one row per rule and step: `rule` (a
#'   factor), `step`, `size` (columns in the model), `held_in`, `held_out`, its standard error `se`, `se_within` (after
#'   each fold's mean over the steps is taken out), `difference` to the best step of the first rule, `difference_se` and
#'   `difference_corrected`, as for data.
#'
#'   For data a data frame of class `fit_comparison` with one row per rule: `rule`, `kind` (`"fit"`, `"baseline"`,
#'   `"source"`), `loss` (the mean over the folds) and its standard error `se`; `difference` (the loss minus that of the
#'   first rule) and two standard errors of it. `difference_se` assumes that folds are independent;
#'   `difference_corrected` does not (Nadeau and Bengio 2003, see [tidy.transfer_cv()]). Its attributes are `fold_loss`
#'   (folds x rules), `fold_weight`, `foldid`, and `chosen`, the name of the best source in each fold.
#'
#'   `tidy()`: for a `fit_comparison` a plain data frame with `rule`, `kind`, `estimate`, `std.error`,
#'   `difference`, `difference.std.error`, `difference.std.error.corrected`; for a `path_comparison` its table.
#'   `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @references Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small
#'   sample statistical approach. *AISTATS*, PMLR 22, 960-968, figures 2 to 4.
#'   <https://proceedings.mlr.press/v22/foster12.html>
#'
#'   Kuzborskij, I., Orabona, F. and Caputo, B. (2017). Scalable greedy algorithms for transfer learning.
#'   *Computer Vision and Image Understanding* 156, 174-185, section 5.2: the comparators.
#'   \doi{10.1016/j.cviu.2016.09.003}
#' @seealso [cv_path()], [dissimilarity()] for domains whose rows are available, [plot.tgreedy()]
#' @examples
#' # 30 rows, and eight models trained elsewhere, two of them on related data: is it worth borrowing?
#' set.seed(1)
#' w <- rnorm(10)
#' model <- function(w) function(x) drop(x %*% w)
#' others <- lapply(1:8, function(k) model(if (k < 3) w + rnorm(10, sd = .3) else rnorm(10)))
#' names(others) <- paste0("model", 1:8)
#' x <- matrix(rnorm(300), 30, dimnames = list(NULL, paste0("x", 1:10)))
#' y <- drop(x %*% w) + rnorm(30)
#' worth <- compare_paths(x, y, sources = others, nfolds = 5)
#' worth
#' plot(worth)
#'
#' # a model of another package
#' fits <- list(ours = greedytl, lm = function(x, y) lm(y ~ ., data.frame(x)))
#' compare_paths(mpg ~ ., data = mtcars, fits = fits, nfolds = 5)
#'
#' # probabilities: is the mean of the sources better as it is?
#' late <- factor(y > 0)
#' chances <- sources(others, predict = function(model, x) 2 * plogis(model(x)) - 1)
#' ours <- function(x, ...) greedytl(x, prob = TRUE, ...)
#' compare_paths(x, late, list(ours = ours), sources = chances, loss = "log_loss", nfolds = 5)
#'
#' # curves of three cross-validations
#' aq <- na.omit(airquality)
#' cv <- function(rule) {
#'   cv_path(Ozone ~ (Solar.R + Wind + Temp)^2 + I(Temp^2) + I(Wind^2), data = aq, domain = Month,
#'           fit = tgreedy, rule = rule)
#' }
#' rules <- compare_paths(gain = cv("gain"), greedy = cv("greedy"), t = cv("t"))
#' rules
#' plot(rules)
#' @export
compare_paths <- function(...) {
  if (...length() == 0L) {
    abort_input("There is nothing to compare.", "dots",
                i = "Give objects made by {.fn cv_path}, or data: {.code compare_paths(x, y)}.",
                call = rlang::current_env())
  }
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("compare_paths")
}

#' @rdname compare_paths
#' @export
compare_paths.transfer_cv <- function(...) {
  fits <- list(...)
  call <- rlang::current_env()
  compare_paths_check(fits, call)
  method_rule <- vapply(fits, function(cv) cv$fit$rule %||% class(cv$fit)[1L], "") # where no name was given
  given <- rlang::names2(fits)
  names(fits) <- make.unique(unname(ifelse(given == "", method_rule, given)))
  parts <- lapply(names(fits), function(name) {
    cv <- fits[[name]]
    chosen <- which(cv$points$lambda %in% cv$lambda)
    data.frame(
      rule = name, step = cv$points$step[chosen], size = cv$nzero[chosen],
      held_in = compare_paths_training_loss(cv, cv$points[chosen, ]),
      held_out = cv$cvm[chosen], se = cv$cvsd[chosen], se_within = cv$cvwithin[chosen]
    )
  })
  table <- do.call(rbind, parts)
  table$rule <- factor(table$rule, names(fits))
  loss <- cv_loss_named(fits[[1L]]$loss)
  table <- cbind(table, compare_paths_differences(fits, table, loss$smaller_is_better))
  table_classed(table, "path_comparison", loss = loss$label, smaller_is_better = loss$smaller_is_better,
                n_folds = nrow(fits[[1L]]$folds))
}

# The losses of every rule and step less those of the first rule at its best, as print() shows it, fold by fold: means
# and standard errors.
compare_paths_differences <- function(fits, table, smaller_is_better) {
  first <- fits[[1L]]
  losses <- function(cv) cv$fold_loss[rownames(first$fold_loss), cv$points$lambda %in% cv$lambda, drop = FALSE]
  best <- compare_paths_best(compare_paths_data(table[table$rule == names(fits)[1L], ]), smaller_is_better)$step
  all <- do.call(cbind, lapply(unname(fits), losses))
  gap <- cv_summary_over_folds(all - all[, match(best, table$step)], first$folds$weight)
  data.frame(difference = gap$mean, difference_se = gap$se,
             difference_corrected = cv_summary_corrected_se(gap$se, nrow(all)))
}

# Some rules can be compared as well as all; the steps of each are in their order.
#' @export
table_part.path_comparison <- function(x, part) if (is.unsorted(attr(part, "row.names"))) part else table_like(x, part)

compare_paths_check <- function(fits, call) {
  good <- vapply(fits, inherits, NA, "transfer_cv")
  if (!all(good)) {
    bad <- fits[[which(!good)[1L]]]
    abort_input("{.arg ...} has {.obj_type_friendly {bad}}.", "dots",
                i = "Give only objects made by {.fn cv_path}, or only fits.", call = call)
  }
  same <- function(part) all(vapply(fits, function(cv) identical(part(cv), part(fits[[1L]])), NA))
  if (!same(function(cv) cv$loss)) {
    losses <- unique(vapply(fits, `[[`, "", "loss"))
    abort_input("The cross-validations have different losses: {.val {losses}}.", "dots",
                i = "Give the same {.arg loss} to each {.fn cv_path}.", call = call)
  }
  # cross-validations from moments know how many rows a fold has, not which
  with_rows <- fits[!vapply(fits, function(cv) is.null(cv$foldid), NA)]
  same_rows <- length(with_rows) == 0L || all(vapply(with_rows, function(cv) {
    identical(as.character(cv$foldid), as.character(with_rows[[1L]]$foldid))
  }, NA))
  if (!same_rows || !same(function(cv) sort(paste(cv$folds$fold, cv$folds$rows)))) {
    abort_input("The cross-validations have different folds.", "dots",
                i = "Draw them once with {.fn make_folds} and give them as {.arg foldid}, or use
                     {.code by = \"domain\"}.", call = call)
  }
}

# Training loss at points of the chosen lambda, in the loss of the cross-validation; NA where the path does not have it.
compare_paths_training_loss <- function(cv, points) {
  fit <- cv$fit
  mean_of <- function(parts, loss) rowMeans(matrix(unlist(lapply(parts, loss)), nrow(points)))
  if (cv$loss == "class" && !is.null(fit$steps$error)) {
    return(path_plot_data_column_at_steps(fit$steps, "error", points$step))
  }
  squares <- cv$loss == "mse" || cv$loss == "deviance" && fit$family == "gaussian"
  if (squares && !is.null(fit$steps$loss) && !path_object_is_logistic(fit)) {
    return(mean_of(path_object_responses(fit), function(class) {
      steps <- path_plot_data_steps(fit, class, cv$lambda)
      # where responses have events of their own, points are times
      if (is.null(points$t)) path_plot_data_column_at_steps(steps, "loss", points$step) else
        steps$loss[findInterval(points$t * (1 + 1e-12), steps$t)]
    }))
  }
  # risk sets of all rows are larger than those of a fold: partial likelihoods cannot be compared
  if (is.null(points$t) && (squares || cv$loss == "deviance") && fit$family != "cox") {
    worth <- lapply(points$step, function(step) path_worth(fit, step))
    return(vapply(worth, `[[`, 0, if (squares) "rss" else "deviance") / if (squares) fit$nobs else sum(cv$folds$weight))
  }
  area <- fit$domain_auroc
  if (cv$loss != "auroc" || is.null(area)) {
    return(rep(NA_real_, nrow(points)))
  }
  mean_of(path_object_by_response(area), function(one) rowMeans(one, na.rm = TRUE)[pmin(points$step + 1, nrow(one))])
}

#' @rdname compare_paths
#' @param digits Significant digits of losses.
#' @param sizes Numbers of features to print; `NULL` chooses some.
#' @export
print.path_comparison <- function(x, digits = 3, sizes = NULL, ...) {
  arguments_check()
  digits <- check_digits(digits, rlang::current_env())
  data <- compare_paths_data(x)
  rules <- levels(data$rule)
  best <- compare_paths_best(data, attr(x, "smaller_is_better"))
  best <- best[c("rule", "size", "held_in", "held_out", "se", "difference", "difference_se")]
  names(best)[c(2L, 7L)] <- c("features", "se ")
  if (!is.null(sizes) && (!is.numeric(sizes) || !length(sizes) || anyNA(sizes))) {
    abort_value(sizes, "sizes", "Give numbers of features.", rlang::current_env())
  }
  sizes <- sizes %||% compare_paths_shown_sizes(data$size)
  wide <- data.frame(features = sizes, check.names = FALSE, lapply(split(data, data$rule), function(one) {
    signif(one$held_out[match(sizes, one$size)], digits)
  }))
  description_show(list(
    head = paste0(words_counted(length(rules), "rule"), ", ", attr(x, "n_folds"), " folds; ", attr(x, "loss"), " (",
                  cv_loss_better_words(attr(x, "smaller_is_better")), ")"),
    tables = list(
      description_table(description_round_columns(best, 3:7, digits),
                        title = paste0("\nEach rule at its best held-out loss; difference: to ", rules[1L],
                                       ", fold by fold:\n")),
      description_table(wide, title = "\nHeld-out loss, by number of features:\n")
    )
  ), digits)
  invisible(x)
}

compare_paths_shown_sizes <- function(size) {
  sizes <- sort(unique(size))
  wanted <- c(0, 1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000)
  if (length(sizes) <= 8L) sizes else intersect(c(wanted, max(sizes)), sizes)
}

#' @rdname compare_paths
#' @export
tidy.path_comparison <- function(x, ...) {
  arguments_of_generic()
  table <- table_plain(x)
  table$rule <- as.character(table$rule)
  table
}

# The last step of each size: the model just before the next feature comes in.
compare_paths_data <- function(x) {
  last <- !duplicated(x[c("rule", "size")], fromLast = TRUE)
  table <- table_plain(x)[last, , drop = FALSE]
  table$rule <- droplevels(as.factor(table$rule))
  table <- table[order(table$rule, table$size), , drop = FALSE]
  rownames(table) <- NULL
  structure(table, loss = attr(x, "loss"), smaller_is_better = attr(x, "smaller_is_better"))
}

compare_paths_best <- function(data, smaller_is_better) {
  sign <- if (smaller_is_better) 1 else -1
  rows <- vapply(split(seq_len(nrow(data)), data$rule), function(rows) {
    rows[which.min(sign * data$held_out[rows])[1L]]
  }, 1L)
  data[rows[!is.na(rows)], , drop = FALSE]
}

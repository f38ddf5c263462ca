# Several rules on the same folds: held-in and held-out curves side by side.

#' Rules side by side
#'
#' Puts the cross-validations of several fits on the same rows and folds into one table: how well
#' each does on the rows it was fitted to (held in) and on those left out (held out), step by step.
#' A wide gap between the two curves is overfitting: with `by = "domain"`, of effects that do not
#' hold from domain to domain.
#'
#' `held_in` is the training loss of the fit on all rows: the `loss` in its `steps` (for [tgreedy()]
#' the mean over domains), with `loss = "class"` the `error` in those of [shareboost()], or with
#' `loss = "auroc"` the mean of the areas of the domains. Other losses have none, NA. `held_out` is
#' the cross-validated loss with its standard error `se`. Fits with several `lambda` show the
#' chosen one.
#'
#' `plot()` and `autoplot()` draw both against the number of features, held in dashed, held out
#' solid with a dot at its best, dotted after a path has ended. One standard error to each side is a
#' band, or with more than three rules a bar at the best. Of several steps with the same features
#' the last is shown.
#'
#' @param ... [cv_path()] objects with the same folds and loss, best named: `gain = cv1, t = cv2`.
#'   Those without a name get that of their rule. For `plot()`: graphical parameters that replace
#'   the defaults, such as `main`, `xlab`, `ylim`, `col` (one for each rule), `lwd`. For
#'   `autoplot()`: must be empty.
#' @return `compare_paths()`: a data frame of class `path_comparison` with a row for each rule and
#'   step: `rule` (a factor), `step`, `size` (columns in the model), `held_in`, `held_out`, `se`.
#'
#'   `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @references Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small
#'   sample statistical approach. *AISTATS*, PMLR 22, 960-968, figures 2 to 4.
#'   <https://proceedings.mlr.press/v22/foster12.html>
#' @seealso [cv_path()], [plot.tgreedy()]
#' @examples
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
  fits <- list(...)
  call <- rlang::current_env()
  check_comparable(fits, call)
  names(fits) <- comparison_names(fits)
  parts <- lapply(names(fits), function(name) {
    cv <- fits[[name]]
    at <- cv$points$lambda %in% cv$lambda
    data.frame(
      rule = name, step = cv$points$step[at], size = cv$nzero[at], held_in = held_in(cv)[at],
      held_out = cv$cvm[at], se = cv$cvsd[at]
    )
  })
  out <- do.call(rbind, parts)
  out$rule <- factor(out$rule, names(fits))
  loss <- loss_named(fits[[1L]]$loss)
  structure(out, class = c("path_comparison", "data.frame"), loss = loss$label,
            smaller_is_better = loss$smaller_is_better, n_folds = nrow(fits[[1L]]$folds))
}

check_comparable <- function(fits, call) {
  good <- vapply(fits, inherits, NA, "transfer_cv")
  if (length(fits) == 0L || !all(good)) {
    bad <- if (length(fits)) fits[[which(!good)[1L]]]
    abort_input("{.arg ...} has {.obj_type_friendly {bad}}.", "dots",
                i = "Give objects made by {.fn cv_path}.", call = call)
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

# The names given, for the others the rule, or the method where it has none.
comparison_names <- function(fits) {
  given <- rlang::names2(fits)
  own <- vapply(fits, function(cv) cv$fit$rule %||% class(cv$fit)[1L], "")
  make.unique(unname(ifelse(given == "", own, given)))
}

# Training loss at the points of the path, in the loss of the cross-validation; NA where the path
# does not have it.
held_in <- function(cv) {
  fit <- cv$fit
  points <- cv$points
  if (cv$loss == "class" && !is.null(fit$steps$error)) {
    return(along(fit$steps, "error", points$step))
  }
  if (cv$loss == "mse" && !is.null(fit$steps$loss) && !is_logistic(fit)) {
    by_class <- vapply(responses(fit), function(class) {
      value <- numeric(nrow(points))
      for (lambda in unique(points$lambda)) {
        at <- points$lambda %in% lambda
        value[at] <- along(steps_of(fit, class, lambda), "loss", points$step[at])
      }
      value
    }, numeric(nrow(points)))
    return(rowMeans(matrix(by_class, nrow = nrow(points))))
  }
  area <- fit$domain_auroc
  if (cv$loss != "auroc" || is.null(area)) {
    return(rep(NA_real_, nrow(points)))
  }
  by_class <- vapply(if (is.list(area)) area else list(area), function(one) {
    rowMeans(one, na.rm = TRUE)[pmin(points$step + 1, nrow(one))]
  }, numeric(nrow(points)))
  rowMeans(matrix(by_class, nrow = nrow(points)))
}

#' @rdname compare_paths
#' @param digits Significant digits of losses.
#' @param sizes Numbers of features to print; `NULL` chooses some.
#' @export
print.path_comparison <- function(x, digits = 3, sizes = NULL, ...) {
  digits <- check_digits(digits, rlang::current_env())
  if (is.null(attr(x, "loss"))) {
    return(NextMethod())
  }
  data <- comparison_data(x)
  rules <- levels(data$rule)
  better <- if (attr(x, "smaller_is_better")) "smaller is better" else "larger is better"
  cat(length(rules), if (length(rules) == 1L) " rule" else " rules", ", ", attr(x, "n_folds"),
      " folds; ", attr(x, "loss"), " (", better, ")\n\nWhere each is best on what was held out:\n",
      sep = "")
  best <- comparison_best(data, attr(x, "smaller_is_better"))
  best <- data.frame(rule = best$rule, features = best$size, held_in = best$held_in,
                     held_out = best$held_out, se = best$se)
  print(format_table(round_columns(best, 3:5, digits), digits), row.names = FALSE)
  if (!is.null(sizes) && (!is.numeric(sizes) || !length(sizes) || anyNA(sizes))) {
    abort_input("{.arg sizes} is {.val {sizes}}.", "sizes", i = "Give numbers of features.",
                call = rlang::current_env())
  }
  sizes <- sizes %||% shown_sizes(data$size)
  cat("\nHeld out, by number of features:\n")
  wide <- vapply(rules, function(rule) {
    one <- data[data$rule == rule, , drop = FALSE]
    signif(one$held_out[match(sizes, one$size)], digits)
  }, numeric(length(sizes)))
  wide <- data.frame(features = sizes, matrix(wide, length(sizes), dimnames = list(NULL, rules)),
                     check.names = FALSE)
  print(format_table(wide, digits), row.names = FALSE)
  invisible(x)
}

round_columns <- function(table, columns, digits) {
  table[columns] <- lapply(table[columns], signif, digits)
  table
}

shown_sizes <- function(size) {
  sizes <- sort(unique(size))
  wanted <- c(0, 1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000)
  if (length(sizes) <= 8L) sizes else intersect(c(wanted, max(sizes)), sizes)
}

#' @rdname compare_paths
#' @param x,object A comparison made by `compare_paths()`.
#' @param label Write the names of the rules?
#' @export
plot.path_comparison <- function(x, label = TRUE, ...) {
  check_spelling()
  draw_picture(comparison_picture(comparison_data(x), label), plot_dots(list(...)))
  invisible(x)
}

#' @rdname compare_paths
#' @exportS3Method ggplot2::autoplot
autoplot.path_comparison <- function(object, label = TRUE, ...) {
  check_arguments()
  gg_picture(comparison_picture(comparison_data(object), label))
}

# The last step of each size: the model just before the next feature comes in.
comparison_data <- function(x) {
  last <- !duplicated(x[c("rule", "size")], fromLast = TRUE)
  out <- as.data.frame(x)[last, , drop = FALSE]
  class(out) <- "data.frame"
  out$rule <- droplevels(as.factor(out$rule))
  out <- out[order(out$rule, out$size), , drop = FALSE]
  rownames(out) <- NULL
  structure(out, loss = attr(x, "loss") %||% "loss",
            smaller_is_better = attr(x, "smaller_is_better") %||% TRUE)
}

# The curves and their bands; a band may reach beyond the curves by a quarter of their range.
comparison_range <- function(data) {
  range <- value_range(c(data$held_in, data$held_out))
  slack <- c(-.25, .25) * diff(range)
  band <- c(data$held_out - data$se, data$held_out + data$se)
  range(range, pmin(pmax(band, range[1L] + slack[1L]), range[2L] + slack[2L]), na.rm = TRUE)
}

# Bands are drawn for at most three rules: more would lie over each other.
comparison_bands <- function(data) nlevels(data$rule) <= 3L

comparison_best <- function(data, smaller_is_better) {
  sign <- if (smaller_is_better) 1 else -1
  rows <- vapply(split(seq_len(nrow(data)), data$rule), function(rows) {
    rows[which.min(sign * data$held_out[rows])[1L]]
  }, 1L)
  data[rows[!is.na(rows)], , drop = FALSE]
}

comparison_title <- function(data) {
  if (all(is.na(data$held_in))) "Held out" else "Held in and held out"
}

comparison_picture <- function(data, label, call = rlang::caller_env()) {
  check_flag(label, "label", call)
  rules <- levels(data$rule)
  colours <- rule_colours(length(rules))
  rule <- as.character(data$rule)
  best <- comparison_best(data, attr(data, "smaller_is_better"))
  last <- max(data$size)
  ends <- data[!duplicated(data$rule, fromLast = TRUE), , drop = FALSE]
  colour_of <- function(rows) colours[as.integer(rows$rule)]
  curve <- function(value, ...) {
    known <- !is.na(value)
    new_layer("line", data.frame(x = data$size, y = value, group = rule,
                                 col = colour_of(data))[known, , drop = FALSE],
              ..., user = c("col", "lwd"))
  }
  sure <- data[!is.na(data$se), , drop = FALSE]
  sure_best <- best[!is.na(best$se), , drop = FALSE]
  new_picture(list(new_panel(
    step_axis("features", unique(data$size)),
    new_axis(attr(data, "loss"), padded(comparison_range(data))),
    list(
      if (comparison_bands(data)) {
        new_layer("band", data.frame(x = sure$size, low = sure$held_out - sure$se,
                                     high = sure$held_out + sure$se, group = as.character(sure$rule),
                                     col = colour_of(sure)), user = "col")
      } else {
        new_layer("segment", data.frame(
          x = sure_best$size, y = sure_best$held_out - sure_best$se, xend = sure_best$size,
          yend = sure_best$held_out + sure_best$se, group = as.character(sure_best$rule),
          col = colour_of(sure_best)
        ), user = "col")
      },
      curve(data$held_in, lwd = 1.4, lty = 2),
      curve(data$held_out, lwd = 2),
      new_layer("point", data.frame(x = best$size, y = best$held_out, col = colour_of(best),
                                    group = as.character(best$rule)), user = c("col", "pch")),
      if (label) {
        new_layer("segment", data.frame(x = ends$size, y = ends$held_out, xend = rep(last, nrow(ends)),
                                        yend = ends$held_out, col = colour_of(ends),
                                        group = as.character(ends$rule)), lty = 3, user = "col")
      }
    ),
    if (label) {
      data.frame(x = rep(last, nrow(ends)), y = ends$held_out, label = as.character(ends$rule),
                 group = as.character(ends$rule), col = colour_of(ends))
    }
  )), comparison_title(data), if (any(!is.na(data$held_in))) {
    picture_keys(c("held in", "held out"), picture_colours$ink, lty = c(2, 1), lwd = c(1.4, 2))
  })
}

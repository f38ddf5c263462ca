# print(), tidy() and the picture of compare_paths() of data.

COMPARED_SOURCES <- 5L # single sources that are printed and drawn, the best on what was held out

# Differences are to the rule in the first row.
#' @export
table_part.fit_comparison <- function(x, part) if (identical(part$rule[1L], x$rule[1L])) table_like(x, part) else part

#' @rdname compare_paths
#' @export
print.fit_comparison <- function(x, digits = 3, ...) {
  shown <- compare_fits_shown_rules(x)
  table <- as.data.frame(x)[shown, c("rule", "loss", "se", "difference", "difference_se", "difference_corrected"),
                              drop = FALSE]
  names(table)[5:6] <- c("se ", "corrected")
  source_words <- if (any(x$kind[shown] == "source")) {
    best <- compare_fits_best_words(x, shown)
    paste0("\nSingle sources: ", if (length(best)) paste0("the ", best, ", "),
           "judged on the held-out rows, so that the best of them looks better than it is; ",
           "`best source` is chosen without these rows", compare_fits_chosen_words(attr(x, "chosen")), ".")
  }
  fewer <- colSums(is.na(attr(x, "fold_loss")))
  fewer <- fewer[fewer > 0L]
  fewer_words <- if (length(fewer)) {
    paste0("\nFolds without a loss, left out of the means: ",
           paste0(names(fewer), " ", fewer, collapse = ", "), ".")
  }
  foot <- c(fewer_words, source_words, compare_fits_probability_words(x, digits))
  description_print(x, list(
    head = c(
      paste0(words_counted(nrow(x), "rule"), " on the same ", nrow(attr(x, "fold_loss")), " folds; ",
             attr(x, "loss"), " (", cv_loss_better_words(attr(x, "smaller_is_better")), ")"),
      paste0("difference: to ", x$rule[1L], ", fold by fold; se: standard error over the folds"),
      cv_summary_corrected_note(nrow(attr(x, "fold_loss")))
    ),
    tables = list(description_table(description_round_columns(table, 2:6, digits))), foot = foot
  ), digits)
}

# Of the log loss: which sources have better probabilities than the first rule, by more than two corrected standard
# errors of the difference, and which do not clearly differ from it. NULL for other losses and without sources.
compare_fits_probability_words <- function(x, digits) {
  of_sources <- x$kind == "source" | x$rule %in% SOURCE_BASELINES
  if (attr(x, "loss") != cv_loss_named("log_loss")$label || !any(of_sources)) return(NULL)
  first <- as.character(x$rule[1L])
  far <- words_told_apart(x$difference, x$difference_corrected)
  listed <- function(verdict) {
    shown <- which(of_sources & far == verdict)
    if (!length(shown)) return("")
    shown <- shown[order(x$loss[shown])]
    words <- utils::head(paste0(x$rule[shown], " (", signif(x$loss[shown], digits), ", difference ",
                                signif(x$difference[shown], digits), ", corrected s.e. ",
                                signif(x$difference_corrected[shown], 2), ")"), COMPARED_SOURCES)
    paste0(toString(words), if (length(shown) > length(words)) paste0(", and ", length(shown) - length(words), " more"))
  }
  better <- listed("less")
  same <- listed("not told apart")
  paste0(
    "\n", if (better == "") paste0("No source's own probabilities are better than those of ", first) else
      paste0("Sources with better probabilities than those of ", first), " by more than two corrected standard errors",
    if (better != "") paste0(": ", better), ".",
    if (same != "") paste0(" Not clearly different from ", first, " (", signif(x$loss[1L], digits), "): ", same, ".")
  )
}

compare_fits_chosen_words <- function(chosen) {
  if (!length(chosen)) return("")
  often <- sort(table(chosen), decreasing = TRUE)[1L]
  paste0(" (most often \"", names(often), "\", ", often, " of ", length(chosen), " times)")
}

# How many of the single sources are shown; NULL where all are.
compare_fits_best_words <- function(x, shown) {
  left <- nrow(x) - length(shown)
  if (left) paste0("best ", COMPARED_SOURCES, " of ", left + COMPARED_SOURCES)
}

# All rules but single sources, and the best of these.
compare_fits_shown_rules <- function(x) {
  source <- which(x$kind == "source")
  loss <- if (attr(x, "smaller_is_better")) x$loss[source] else -x$loss[source]
  c(which(x$kind != "source"), utils::head(source[order(loss)], COMPARED_SOURCES))
}

#' @rdname compare_paths
#' @export
tidy.fit_comparison <- function(x, ...) {
  arguments_of_generic()
  data.frame(rule = as.character(x$rule), kind = x$kind, estimate = x$loss, std.error = x$se,
             difference = x$difference, difference.std.error = x$difference_se,
             difference.std.error.corrected = x$difference_corrected)
}

#' @rdname compare_paths
#' @export
plot.fit_comparison <- function(x, ...) picture_user_plot(x, compare_fits_picture(x), ...)

#' @rdname compare_paths
#' @exportS3Method ggplot2::autoplot
autoplot.fit_comparison <- function(object, ...) picture_user_autoplot(compare_fits_picture(object), ...)

# Loss and difference to the first rule, a row for each rule, a bar of one standard error to each side.
compare_fits_picture <- function(x) {
  shown <- compare_fits_shown_rules(x)
  data <- as.data.frame(x)[shown, , drop = FALSE]
  rules <- as.character(data$rule)
  kinds <- c("fit", "baseline", "source")
  colours <- c(picture_colours$feature[1L], picture_colours$frame, picture_colours$source[2L])
  data$col <- colours[match(data$kind, kinds)]
  best <- compare_fits_best_words(x, shown)
  scale <- if (compare_fits_is_wide(data$loss)) c("log", "root") else c("linear", "linear")
  if (!isTRUE(stats::median(data$difference, na.rm = TRUE) > 0)) scale[2L] <- "linear" # roots part values near 0
  picture_new(
    list(compare_fits_dots(data$loss, data$se, data$col, rules, attr(x, "loss"), "loss", scale[1L]),
         compare_fits_dots(data$difference, data$difference_se, data$col, rules,
                           paste("difference to", labels_shorten(rules[1L], 18L)), "difference", scale[2L],
                           rule = 0)),
    "Rules on the same folds",
    picture_base_keys(c("fit", "baseline", "single source"), colours, 19, lty = 1)[kinds %in% data$kind, ],
    note = paste0(cv_loss_better_words(attr(x, "smaller_is_better")), "; bars: one standard error to each side",
                  if (length(best)) paste0("; ", best, " sources")),
    layout = "beside"
  )
}

# Losses of which the largest is at least four times the smallest are compared on a logarithmic axis.
compare_fits_is_wide <- function(loss) {
  loss <- loss[is.finite(loss) & !compare_fits_is_far_off(loss)]
  length(loss) > 2L && min(loss) > 0 && max(loss) >= 4 * min(loss)
}

# scale: of the axis: "linear", "log" or "root" (square roots, to both sides of 0).
compare_fits_dots <- function(value, se, col, names, label, title, scale = "linear", rule = NULL) {
  y <- length(names) + 1 - seq_along(names)
  sure <- is.finite(se)
  far <- compare_fits_is_far_off(value)
  near <- !far & sure
  place <- if (scale == "root") picture_root_place else identity
  low <- value - se
  if (scale == "log") low <- pmax(low, min(value, na.rm = TRUE) / 2) # bars that reach 0
  shown <- place(c(value[!far], low[near], (value + se)[near], rule))
  limits <- if (scale == "log") exp(picture_padded_range(picture_value_range(log(shown)))) else
    picture_padded_range(picture_value_range(shown))
  ticks <- switch(scale, log = picture_log_ticks(limits), root = picture_root_ticks(limits),
                  picture_ticks_within(pretty(limits, 4), limits))
  bars <- data.frame(x = place(low), y = y, xend = place(value + se), col = col)[near, , drop = FALSE]
  said <- switch(scale, log = " (log scale)", root = " (square root scale)", "")
  picture_panel(
    picture_axis(paste0(label, said), limits, place(ticks), words_number(ticks), log = scale == "log"),
    picture_name_axis(names),
    list(
      picture_rule("y", y, col = picture_colours$faint, lty = 1),
      if (length(rule)) picture_rule("x", rule, lty = 2),
      picture_layer("segment", bars, lwd = 1.5, user = "lwd"),
      picture_layer("point", data.frame(x = place(value), y = y, col = col)[is.finite(value) & !far, , drop = FALSE],
                    user = c("pch", "cex")),
      picture_overflow(value[far], y[far], col[far], cex = .8)
    ),
    title = title
  )
}

# Values too large for the scale of the others: those above the rest by more than twice the range of the rest, at
# most a quarter of all.
compare_fits_is_far_off <- function(value) {
  largest_first <- order(value, decreasing = TRUE, na.last = NA)
  for (n in rev(seq_len(length(largest_first) %/% 4L))) {
    rest <- value[largest_first[-seq_len(n)]]
    if (value[largest_first[n]] > max(rest) + 2 * diff(range(rest)) && diff(range(rest)) > 0) {
      return(seq_along(value) %in% largest_first[seq_len(n)])
    }
  }
  logical(length(value))
}

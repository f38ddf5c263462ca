# The picture of held-in and held-out curves.

#' @rdname compare_paths
#' @param object What `compare_paths()` returned.
#' @param label Write the names of the rules?
#' @export
plot.path_comparison <- function(x, label = TRUE, ...) {
  picture_user_plot(x, compare_paths_picture(compare_paths_data(x), label), ...)
}

#' @rdname compare_paths
#' @exportS3Method ggplot2::autoplot
autoplot.path_comparison <- function(object, label = TRUE, ...) {
  picture_user_autoplot(compare_paths_picture(compare_paths_data(object), label), ...)
}

# The curves and their bands; a band may reach beyond the curves by their range.
compare_paths_range <- function(data) {
  shown <- picture_value_range(c(data$held_in, data$held_out))
  slack <- c(-1, 1) * diff(shown)
  band <- c(data$held_out - data$se_within, data$held_out + data$se_within)
  range(shown, pmin(pmax(band, shown[1L] + slack[1L]), shown[2L] + slack[2L]), na.rm = TRUE)
}

# Rules that have only one model beside the empty one, as with select = FALSE: points, since there are no sizes
# between to draw a line through.
compare_paths_single_models <- function(data) {
  sizes <- split(data$size, data$rule)
  single <- names(sizes)[vapply(sizes, function(size) length(size) < 3L && any(diff(size) > 1), NA)]
  data$rule %in% single
}

compare_paths_picture <- function(data, label, call = rlang::caller_env()) {
  check_flag(label, "label", call)
  rules <- levels(data$rule)
  colours <- picture_rule_colours(length(rules))
  rule <- as.character(data$rule)
  # marks at the sizes of some of the rows
  position <- function(rows, y, ...) {
    data.frame(x = rows$size, y = y, ..., group = as.character(rows$rule), col = colours[as.integer(rows$rule)])
  }
  best <- compare_paths_best(data, attr(data, "smaller_is_better"))
  last <- max(data$size)
  ends <- data[!duplicated(data$rule, fromLast = TRUE), , drop = FALSE]
  single <- compare_paths_single_models(data)
  one_curve <- function(value, ...) {
    picture_layer("line", position(data, value)[!is.na(value) & !single, , drop = FALSE], ..., user = c("col", "lwd"))
  }
  lacking <- setdiff(rules, rule[!is.na(data$held_in)])
  bands <- nlevels(data$rule) <= 3 # more would lie over each other
  barred <- rbind(if (!bands) best, data[single & (bands | !rule %in% best$rule), , drop = FALSE])
  barred <- barred[!is.na(barred$se_within), , drop = FALSE]
  sure <- data[!is.na(data$se_within) & !single, , drop = FALSE]
  dots <- unique(rbind(best, data[single, , drop = FALSE]))
  picture_new(list(picture_panel(
    picture_step_axis("features", unique(data$size)),
    picture_axis(attr(data, "loss"), picture_padded_range(compare_paths_range(data))),
    list(
      if (bands) {
        picture_layer("band", position(sure, sure$held_out, low = sure$held_out - sure$se_within,
                                       high = sure$held_out + sure$se_within),
                      user = "col")
      },
      picture_layer("segment", position(barred, barred$held_out - barred$se_within,
                                       yend = barred$held_out + barred$se_within),
                    user = "col"),
      one_curve(data$held_in, lwd = 1.4, lty = 2),
      one_curve(data$held_out, lwd = 2),
      picture_layer("point", position(dots, dots$held_out), user = c("col", "pch")),
      if (label) {
        picture_layer("segment", position(ends, ends$held_out, xend = rep(last, nrow(ends))), lty = 3, user = "col")
      }
    ),
    if (label) transform(position(ends, ends$held_out, label = as.character(ends$rule)), x = last)
  )), paste0(if (any(!is.na(data$held_in))) "Training and held-out" else "Held-out", " loss, by number of features"),
  if (any(!is.na(data$held_in))) {
    picture_base_keys(c(paste0("training rows",
                               if (length(lacking)) paste0(" (not of ", paste(lacking, collapse = ", "), ")")),
                        "held-out rows"), picture_colours$ink, lty = c(2, 1), lwd = c(1.4, 2))
  })
}

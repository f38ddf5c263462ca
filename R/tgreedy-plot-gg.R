# The pictures of tgreedy-plot.R and compare-paths.R as ggplot2 objects, from the same data frames.

#' @rdname plot.tgreedy
#' @exportS3Method ggplot2::autoplot
autoplot.tgreedy <- function(object, what = c("path", "t", "domains"), class = NULL,
                             measure = c("loss", "auroc"), alpha = .05, label = TRUE, top_n = 10,
                             ...) {
  what <- tgreedy_what(what)
  if (what == "path") {
    return(autoplot.transfer_path(object, "path", class = class, label = label, top_n = top_n, ...))
  }
  check_arguments()
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  top_n <- plot_top_n(label, top_n)
  data <- tgreedy_plot_data(object, what, class, measure, alpha)
  if (what == "t") gg_t(data, top_n) else gg_domains(data, top_n)
}

gg_t <- function(data, top_n) {
  line <- attr(data, "line")
  inside <- line <= t_limit(data)
  ticks <- t_ticks(data, top_n)
  sign <- c("positive effect", "negative")
  data$sign <- factor(ifelse(data$t < 0, sign[2L], sign[1L]), sign)
  colours <- c(`FALSE` = path_colours$feature[1L], `TRUE` = path_colours$feature[3L])
  axis <- if (nrow(ticks)) {
    ggplot2::scale_x_continuous(breaks = ticks$at, labels = shorten(ticks$term, 32L),
                                guide = ggplot2::guide_axis(angle = 90))
  } else {
    ggplot2::scale_x_continuous(breaks = t_places(data))
  }
  gg_start(data, .data$at, abs(.data$t), colour = .data$again) +
    ggplot2::geom_segment(ggplot2::aes(xend = .data$at, yend = 0), linewidth = .6) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$sign), size = 2, fill = "white") +
    (if (inside) {
      ggplot2::geom_hline(yintercept = line, linetype = 2, colour = path_colours$source[1L])
    }) +
    ggplot2::scale_colour_manual(values = colours, guide = "none") +
    ggplot2::scale_shape_manual(values = c(19, 21), name = NULL, drop = FALSE) +
    axis +
    ggplot2::scale_y_continuous(limits = c(0, NA), expand = ggplot2::expansion(mult = c(0, .06))) +
    ggplot2::labs(
      x = if (nrow(ticks)) NULL else t_xlab(data), y = "|T|", title = t_title(data),
      subtitle = paste0(bonferroni_label(data), if (!inside) ", off the picture")
    )
}

gg_domains <- function(data, top_n) {
  mean <- data[is.na(data$domain), , drop = FALSE]
  each <- data[!is.na(data$domain), , drop = FALSE]
  last <- data[data$size == max(data$size), , drop = FALSE]
  ends <- last[last$domain %in% c(named_domains(data, top_n), if (top_n > 0) NA), , drop = FALSE]
  names <- c(each = path_colours$feature[2L], mean = path_colours$feature[1L])
  gap <- diff(value_range(data$value)) / 28
  range <- value_range(data$value)
  ends <- data.frame(
    name = ifelse(is.na(ends$domain), "mean", ends$domain), type = rep("feature", nrow(ends)),
    estimate = ends$value, end = ends$size, at = spread_labels(ends$value, gap, range),
    colour = names[1L + is.na(ends$domain)]
  )
  p <- gg_start(each, .data$size, .data$value) +
    ggplot2::geom_line(ggplot2::aes(group = .data$domain), colour = path_colours$feature[3L],
                       linewidth = .4) +
    ggplot2::geom_line(data = mean, colour = path_colours$feature[1L], linewidth = 1.1) +
    gg_step_axis(unique(data$size)) +
    ggplot2::coord_cartesian(clip = "off") +
    ggplot2::labs(x = "distinct features", y = domain_ylab(data), title = domain_title(data))
  gg_names(p, ends, 1L)
}

#' @rdname compare_paths
#' @exportS3Method ggplot2::autoplot
autoplot.path_comparison <- function(object, label = TRUE, ...) {
  check_arguments()
  rlang::check_installed("ggplot2", reason = "for `autoplot()`")
  check_flag(label, "label", rlang::current_env())
  data <- comparison_data(object)
  curves <- c(held_in = "held in", held_out = "held out")
  long <- data.frame(
    rule = rep(data$rule, 2L), size = rep(data$size, 2L),
    value = c(data$held_out, data$held_in), curve = rep(rev(curves), each = nrow(data))
  )
  long <- long[!is.na(long$value), , drop = FALSE]
  rules <- levels(data$rule)
  colours <- stats::setNames(rule_colours(length(rules)), rules)
  best <- comparison_best(data, attr(data, "smaller_is_better"))
  spread <- ggplot2::aes(.data$size, ymin = .data$held_out - .data$se,
                         ymax = .data$held_out + .data$se)
  gg_start(long, .data$size, .data$value, colour = .data$rule) +
    (if (comparison_bands(data)) {
      ggplot2::geom_ribbon(utils::modifyList(spread, ggplot2::aes(fill = .data$rule)),
                           data[!is.na(data$se), , drop = FALSE], inherit.aes = FALSE, alpha = .12)
    } else {
      ggplot2::geom_linerange(utils::modifyList(spread, ggplot2::aes(colour = .data$rule)),
                              best[!is.na(best$se), , drop = FALSE], inherit.aes = FALSE)
    }) +
    ggplot2::geom_line(ggplot2::aes(linetype = .data$curve), linewidth = .7) +
    ggplot2::geom_point(
      ggplot2::aes(.data$size, .data$held_out, colour = .data$rule), best, inherit.aes = FALSE,
      size = 2
    ) +
    ggplot2::scale_colour_manual(values = colours, name = NULL,
                                 guide = if (label) "legend" else "none") +
    ggplot2::scale_fill_manual(values = colours, guide = "none") +
    ggplot2::scale_linetype_manual(values = c(`held in` = 2, `held out` = 1), name = NULL) +
    gg_step_axis(unique(data$size)) +
    ggplot2::coord_cartesian(ylim = comparison_range(data)) +
    ggplot2::labs(x = "features", y = attr(data, "loss"), title = comparison_title(data))
}

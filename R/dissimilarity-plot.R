# The picture of dissimilarity(): evidence and held-out errors, by domain.

#' Plot whether other domains are like the target
#'
#' Draws a [dissimilarity()] table, to see at a glance which domains are like the target and what borrowing from them
#' gains: `plot(d)`. For the fit that borrows use [plot.tlcp()].
#'
#' There is one row per other domain, in the order of the table, and one for all of them together. The left panel shows
#' log Bayes factors of related against unrelated coefficients. Right of the dashed line at 1.35 there is evidence for
#' related coefficients. The axis is linear in the square roots; a factor far off to the right is written as a number.
#'
#' The right panel shows the errors of the target's held-out rows, divided by those of least squares on the target
#' alone, on a logarithmic axis (with a `family`: deviances, divided by those of the target alone). Left of the dashed
#' line at 1 they are smaller. The dotted line is the target alone with shrinkage (`shrunk`). Left of this line the
#' other domain lowers the error by more than shrinkage does. If `own` is not defined, the errors themselves are shown;
#' from moments there is only the left panel.
#'
#' With more than 30 domains, the twelve with the most and the twelve with the least evidence have rows of their own,
#' and the points of the others lie together in one row between them.
#'
#' `plot()` draws with base graphics, `autoplot()` makes the same picture with ggplot2.
#'
#' @param x,object A [dissimilarity()] table.
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`,
#'   `cex.axis` and `col` (two colours: domains with evidence for related coefficients, and others). For `autoplot()`:
#'   must be empty.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @references Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based feature
#'   selection. *Journal of Machine Learning Research* 23, section 5.4; the Bayes factor and the picture are ours.
#'   \doi{10.48550/arXiv.2107.02847}
#' @seealso [dissimilarity()], [plot.tlcp()]
#' @examples
#' aq <- na.omit(airquality)
#' d <- dissimilarity(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5",
#'                    draws = 0)
#' plot(sort(d, by = "log_bf", decreasing = TRUE))
#' @export
plot.transfer_dissimilarity <- function(x, ...) {
  picture_user_plot(x, dissimilarity_plot_picture(dissimilarity_plot_data(x), list(...)$col), ...)
}

#' @rdname plot.transfer_dissimilarity
#' @exportS3Method ggplot2::autoplot
autoplot.transfer_dissimilarity <- function(object, ...) {
  picture_user_autoplot(dissimilarity_plot_picture(dissimilarity_plot_data(object)), ...)
}

# A row for each point: panel ("lr" or "loo"), domain, kind ("lr", "pooled", "borrowed"), value, similar (is there
# evidence for related coefficients?).
# Attributes: domains from top to bottom, the last one "all together"; relative (to own) or not;
# shrunk, the error of the target alone, shrunk, in the same unit; left_out, how rows were left out.
dissimilarity_plot_data <- function(x, call = rlang::caller_env()) {
  lost <- setdiff(c("domain", "log_bf", "evidence", LOO_WAYS), names(x))
  if (length(lost) || !nrow(x)) {
    what <- if (length(lost)) "lacks the column{?s} {.val {lost}}" else "has no rows"
    abort_input(paste0("{.arg x} ", what, "."), "x",
                i = "Draw the table as {.fn dissimilarity} made it.", call = call)
  }
  together <- "all together"
  joint <- if (nrow(x) > 1L) attr(x, "joint")
  relative <- all(is.finite(x$own))
  unit <- if (relative) x$own else rep(1, nrow(x))
  point <- function(panel, kind, domain, value, similar) {
    data.frame(panel = panel, kind = kind, domain = domain, value = value, similar = similar)
  }
  domain <- as.character(x$domain)
  similar <- x$evidence == "for"
  data <- rbind(
    point("lr", "lr", domain, x$log_bf, similar),
    point("loo", "pooled", domain, x$pooled / unit, similar),
    point("loo", "borrowed", domain, x$borrowed / unit, similar),
    if (!is.null(joint)) {
      rbind(point("lr", "lr", together, joint$log_bf, joint$evidence == "for"),
            point("loo", "borrowed", together, joint$borrowed / unit[1L], joint$evidence == "for"))
    }
  )
  target <- attr(x, "target")
  rows <- dissimilarity_plot_rows(x)
  rest <- data$domain %in% setdiff(domain, rows)
  data$domain[rest] <- setdiff(rows, domain)
  structure(
    data[is.finite(data$value), , drop = FALSE],
    domains = c(rows, if (!is.null(joint)) together), relative = relative,
    shrunk = x$shrunk[1L] / unit[1L], left_out = dissimilarity_left_out_word(attr(x, "joint")),
    family = attr(x, "family"),
    title = if (is.null(target)) "May it borrow?" else paste0("Target ", target, ": may it borrow?")
  )
}

# Up to this number of domains each has a row of its own, of more domains so many from either end of the evidence.
PLOT_DOMAINS <- 30L
PLOT_EXTREMES <- 12L

# Names of the rows: the domains; of many those with the most and the least evidence, and one row for the others.
dissimilarity_plot_rows <- function(x) {
  domain <- as.character(x$domain)
  n <- length(domain)
  if (n <= PLOT_DOMAINS) return(domain)
  sorted <- domain[order(x$log_bf, decreasing = TRUE)]
  c(utils::head(sorted, PLOT_EXTREMES), paste(n - 2L * PLOT_EXTREMES, "between"), utils::tail(sorted, PLOT_EXTREMES))
}

# The end of the axis of Bayes factors: the point of all domains together may extend it to 1.5 times what the
# single domains need.
dissimilarity_plot_lr_limit <- function(data) {
  mine <- data$panel == "lr"
  apart <- picture_root_place(c(data$value[mine & data$domain != "all together"], 2))
  min(max(apart, picture_root_place(data$value[mine])), 1.5 * max(apart))
}

# Errors relative to that of `own`, the target's least squares, are drawn at their logarithms.
dissimilarity_plot_loo_place <- function(data, value = data$value[data$panel == "loo"]) {
  if (attr(data, "relative")) log(value) else value
}

# The errors of the target alone, by name: least squares (own) and shrunk, as far as there are any.
dissimilarity_plot_target_alone <- function(data) {
  lines <- c(own = if (attr(data, "relative")) 1, shrunk = attr(data, "shrunk"))
  dissimilarity_plot_loo_place(data, lines[is.finite(lines)])
}

dissimilarity_plot_loo_ticks <- function(limits, relative, n = 4L) {
  if (!relative) return(pretty(limits, n))
  ticks <- if (diff(limits) > log(3)) {
    c(.01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 20, 50, 100)
  } else {
    pretty(exp(limits), n)
  }
  log(ticks[ticks > 0])
}

# colours: of domains with evidence for related coefficients and of the others.
dissimilarity_plot_picture <- function(data, colours = NULL) {
  colours <- rep(colours %||% c(picture_colours$feature[1L], picture_colours$source[2L]), length.out = 2L)
  panels <- list(dissimilarity_plot_lr_panel(data, colours))
  if ("loo" %in% data$panel) panels[[2L]] <- dissimilarity_plot_loo_dots(data, colours)
  picture_new(panels, attr(data, "title"), dissimilarity_plot_keys(data, colours), layout = "beside")
}

dissimilarity_plot_keys <- function(data, colours) {
  ink <- picture_colours$ink
  shown <- c(any(data$similar), any(!data$similar))
  of_kinds <- if (all(shown)) picture_colours$frame else colours[shown] # with one colour, that of the points
  kinds <- c("borrowed", "pooled")
  own_key <- if (is.null(attr(data, "family"))) "own: least squares" else "own: target alone"
  keys <- picture_base_keys(
    c("evidence for related coefficients", if (all(shown)) "no evidence" else "no evidence for related coefficients",
      kinds, own_key, "shrunk: by itself"),
    c(colours, rep(of_kinds, 2L), rep(ink, 2L)), c(19, 19, 19, 21, NA, NA), lty = c(1, 1, 1, 1, 2, 3)
  )
  lines <- c("own", "shrunk") %in% if ("loo" %in% data$panel) names(dissimilarity_plot_target_alone(data))
  keys[c(shown, kinds %in% data$kind, lines), ]
}

# The points of one kind at their places.
dissimilarity_plot_dots <- function(data, one, places, colours, pch) {
  domains <- attr(data, "domains")
  dots <- data.frame(x = places, y = length(domains) + 1 - match(one$domain, domains),
                     col = colours[2L - one$similar])
  picture_layer("point", dots, pch = pch, cex = if (length(domains) > 20L) .8 else 1.1)
}

# A line above the row of all domains together, and faint ones along the rows.
dissimilarity_plot_row_lines <- function(data) {
  n <- length(attr(data, "domains"))
  joint <- attr(data, "domains")[n] == "all together"
  list(picture_rule("y", seq_len(n), col = picture_colours$faint, lty = 1),
       if (joint) picture_rule("y", 1.5, col = picture_colours$frame, lty = 1))
}

# Names of vertical lines, above the panel.
dissimilarity_plot_line_names <- function(places, names, hjust = .5) {
  picture_layer("text", data.frame(x = places, y = rep(Inf, length(places)), label = names,
                                   hjust = rep_len(hjust, length(places))),
                vjust = -.5, cex = .7, col = picture_colours$frame)
}

dissimilarity_plot_lr_panel <- function(data, colours) {
  one <- data[data$panel == "lr", , drop = FALSE]
  end <- dissimilarity_plot_lr_limit(data)
  limits <- picture_padded_range(range(0, end, picture_root_place(min(one$value))), c(.04, .06))
  ticks <- picture_root_ticks(limits, 5L, c(1, 2, .5, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 1e5))
  place <- picture_root_place(one$value)
  over <- place > end + 1e-9
  domains <- attr(data, "domains")
  far <- one[over, , drop = FALSE]
  picture_panel(
    picture_axis("log Bayes factor (square root scale)", limits, picture_root_place(ticks),
                 words_number(ticks)),
    picture_name_axis(domains),
    c(dissimilarity_plot_row_lines(data), list(
      picture_rule("x", picture_root_place(BF_FOR), lty = 2),
      dissimilarity_plot_line_names(picture_root_place(BF_FOR), as.character(BF_FOR)),
      dissimilarity_plot_dots(data, one[!over, ], place[!over], colours, 19),
      picture_overflow(far$value, length(domains) + 1 - match(far$domain, domains), colours[2L - far$similar])
    )),
    title = "lr"
  )
}

dissimilarity_plot_loo_dots <- function(data, colours) {
  relative <- attr(data, "relative")
  lines <- dissimilarity_plot_target_alone(data)
  place <- dissimilarity_plot_loo_place(data)
  limits <- range(place, lines)
  if (diff(limits) == 0) limits <- limits + c(-.1, .1)
  limits <- picture_padded_range(limits, .06)
  ticks <- picture_ticks_within(dissimilarity_plot_loo_ticks(limits, relative), limits)
  one <- data[data$panel == "loo", , drop = FALSE]
  # what was borrowed above what was pooled
  dots <- lapply(c("pooled", "borrowed"), function(kind) {
    shown <- one$kind == kind
    dissimilarity_plot_dots(data, one[shown, ], place[shown], colours, if (kind == "pooled") 21 else 19)
  })
  # names that would meet stand on either side
  meet <- length(lines) > 1L && abs(diff(lines)) < .25 * diff(limits)
  hjust <- if (meet) ifelse(lines == min(lines), 1.1, -.1) else .5
  if (meet && lines[1L] == lines[2L]) hjust <- c(1.1, -.1)
  picture_panel(
    picture_axis(paste0(attr(data, "left_out"), if (is.null(attr(data, "family"))) " error" else " deviance",
                        if (relative) " / own", if (relative) " (log scale)"), limits, ticks,
                 if (relative) words_number(exp(ticks)) else words_number(ticks)),
    picture_name_axis(attr(data, "domains")),
    c(dissimilarity_plot_row_lines(data), list(
      if (length(lines)) picture_rule("x", unname(lines), lty = ifelse(names(lines) == "own", 2, 3)),
      if (length(lines)) dissimilarity_plot_line_names(unname(lines), names(lines), hjust)
    ), dots),
    title = "loo"
  )
}

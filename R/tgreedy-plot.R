# Pictures of T-greedy beside the path: T of what was picked, and the loss of every domain.

#' Plot a T-greedy path
#'
#' Three pictures of a [tgreedy()] fit. `plot()` draws with base graphics, `autoplot()` makes the
#' same pictures with ggplot2.
#'
#' * `"path"`: coefficients against the step, as for every path, see [plot.transfer_path()]. The top
#'   axis counts the distinct features.
#' * `"t"`: |T| of the feature picked at each step, filled where its effect is positive, open where
#'   it is negative, light where the feature had been picked before. A path of more than 40 steps
#'   shows each feature once, when it was first picked. The dashed line is Bonferroni's: the
#'   two-sided quantile of Student's t (domains less one degrees of freedom) at `alpha` over the
#'   number of features. With few domains it is so high that little is above it. Where it is more
#'   than three times as high as every T, a note says where it would be.
#' * `"domains"`: how well the path does in each domain against the number of distinct features,
#'   the mean over domains in bold. Of several steps with the same features the last is shown. These
#'   are the domains the path was fitted to: for domains left out see [cv_path()] and
#'   [compare_paths()].
#'
#' @param x,object A [tgreedy()] fit.
#' @param what Which picture.
#' @param class For more than two classes, the class to show. `NULL` is the first, for `"path"` all.
#' @param measure What `"domains"` shows: the balanced squared `"loss"`, or for classes the area
#'   under the ROC curve, `"auroc"`.
#' @param alpha Level of the Bonferroni line.
#' @param label Write names beside the lines?
#' @param top_n How many of the lines get a name: the largest coefficients, or the domains farthest
#'   from the mean at the last step.
#' @param ... `"path"` takes the other arguments of [plot.transfer_path()]. For `plot()` also
#'   graphical parameters that replace the defaults, such as `main`, `xlab`, `ylim`, `col`, `lwd`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @seealso [compare_paths()] for held-in and held-out curves of several rules.
#' @examples
#' aq <- na.omit(airquality)
#' fit <- tgreedy(Ozone ~ (Solar.R + Wind + Temp)^2, data = aq, domain = Month)
#' plot(fit)
#' plot(fit, "t")
#' plot(fit, "domains")
#' @export
plot.tgreedy <- function(x, what = c("path", "t", "domains"), class = NULL,
                         measure = c("loss", "auroc"), alpha = .05, label = TRUE, top_n = 10,
                         ...) {
  check_spelling()
  what <- tgreedy_what(what)
  if (what == "path") {
    return(plot.transfer_path(x, "path", class = class, label = label, top_n = top_n, ...))
  }
  top_n <- plot_top_n(label, top_n)
  data <- tgreedy_plot_data(x, what, class, measure, alpha)
  dots <- plot_dots(list(...))

  old <- graphics::par(mar = c(0, 0, 0, 0))
  on.exit(graphics::par(old))
  graphics::plot.new()
  draw <- if (what == "t") draw_t else draw_domains
  draw(data, top_n, dots)
  invisible(x)
}

# ---- checks and data ----

tgreedy_what <- function(what, call = rlang::caller_env()) {
  known <- c("path", "t", "domains")
  if (identical(what, known)) "path" else check_choice(what, known, "what", call)
}

tgreedy_plot_data <- function(x, what, class, measure, alpha, call = rlang::caller_env()) {
  if (length(class) > 1L) {
    abort_input("{.arg class} has {length(class)} values.", "class", i = "This picture shows one.",
                call = call)
  }
  class <- plot_classes(x, class, call)[1L]
  if (what == "t") {
    t_data(x, class, check_share(alpha, "alpha", call), call)
  } else {
    domain_data(x, class, measure, call)
  }
}

# A row a step: at (place on the axis), step, term, t, again (picked before); of more than 40 steps
# only the first picks. Attributes: line (Bonferroni's) and what it comes from, all_steps, title.
t_data <- function(x, class, alpha, call) {
  n_domains <- length(x$domains)
  if (n_domains < 2L) {
    abort_input("{.arg what} is {.val t}, but there is one domain.", "what",
                i = "A T-statistic needs at least two.", call = call)
  }
  table <- steps_of(x, class, NA)
  table <- table[table$step > 0, , drop = FALSE]
  again <- duplicated(table$entered)
  all_steps <- nrow(table) <= 40L || !any(again)
  shown <- all_steps | !again
  p <- x$blueprint$p
  structure(
    data.frame(at = seq_len(sum(shown)), step = table$step[shown], term = table$entered[shown],
               t = table$t[shown], again = again[shown]),
    all_steps = all_steps, alpha = alpha, p = p, title = class_title(x, class),
    line = stats::qt(alpha / (2 * p), n_domains - 1, lower.tail = FALSE)
  )
}

# domain (NA: their mean), size, value; the last step of each size.
domain_data <- function(x, class, measure, call) {
  known <- c("loss", "auroc")
  if (identical(measure, known)) measure <- "loss"
  check_choice(measure, known, "measure", call)
  value <- x[[paste0("domain_", measure)]]
  if (is.null(value)) {
    abort_input("{.arg measure} is {.val {measure}}, but this fit has none.", "measure",
                i = "It needs a response of classes, and rows to score.", call = call)
  }
  if (path_is_multi(x)) {
    value <- value[[class]]
  }
  size <- steps_of(x, class, NA)$size
  last <- !duplicated(size, fromLast = TRUE)
  value <- cbind(value, rowMeans(value, na.rm = TRUE))[last, , drop = FALSE]
  domains <- c(x$domains, NA)
  structure(
    data.frame(domain = rep(domains, each = nrow(value)), size = rep(size[last], length(domains)),
               value = as.vector(value)),
    measure = measure, domains = x$domains, title = class_title(x, class)
  )
}

domain_ylab <- function(data) {
  c(loss = "mean squared residual", auroc = "area under the ROC curve")[[attr(data, "measure")]]
}

domain_title <- function(data) {
  title <- attr(data, "title")
  paste0("Every domain along the path, held in", if (nzchar(title)) paste0(", ", title))
}

# Names of the domains farthest from their mean where the path ends.
named_domains <- function(data, top_n) {
  last <- data[data$size == max(data$size), , drop = FALSE]
  mean <- last$value[is.na(last$domain)]
  far <- last[order(-abs(last$value - mean)), , drop = FALSE]
  utils::head(far$domain[!is.na(far$domain) & !is.na(far$value)], top_n)
}

t_xlab <- function(data) if (attr(data, "all_steps")) "step" else "distinct features"

t_title <- function(data) {
  title <- attr(data, "title")
  what <- if (attr(data, "all_steps")) {
    "T of the feature picked at each step"
  } else {
    "T of each feature when first picked"
  }
  paste0(what, if (nzchar(title)) paste0(", ", title))
}

# How the line is called, and whether it has a place in the picture.
bonferroni_label <- function(data) {
  paste0("Bonferroni, ", format_number(100 * attr(data, "alpha")), " % of ", attr(data, "p"),
         if (attr(data, "p") == 1L) " feature: " else " features: ",
         format_number(attr(data, "line")))
}

# Upper end of the axis, with or without the line.
t_limit <- function(data) {
  top <- max(1, abs(data$t[is.finite(data$t)]))
  line <- attr(data, "line")
  if (line <= 3 * top) max(top, line) else top
}

# The rows whose names go below the axis: all, or none where they are too many.
t_ticks <- function(data, top_n) {
  if (top_n > 0 && nrow(data) <= 60L) data else data[0L, , drop = FALSE]
}

t_places <- function(data) unique(c(1, setdiff(step_ticks(c(1, data$at)), 0)))

# ---- base graphics ----

draw_t <- function(data, top_n, dots) {
  csi <- graphics::par("csi")
  fin <- graphics::par("fin")
  ticks <- t_ticks(data, top_n)
  cex <- max(.45, min(.75, .8 * (fin[1L] - 5 * csi) / max(nrow(ticks), 1L) / csi))
  below <- fit_labels(ticks$term, .3 * fin[2L], cex)
  bottom <- if (nrow(ticks)) max(label_width(below, cex)) + 2 * csi else 3.4 * csi
  box <- panel_boxes(1L, 1L, csi * c(0, 4.2, 4, 1) + c(bottom, 0, 0, 0))[[1L]]
  last <- max(1, data$at)
  set <- draw_panel(box, list(
    xlim = c(.4, last + .6), ylim = c(0, 1.06 * t_limit(data)), yaxs = "i", ylab = "|T|",
    xlab = if (nrow(ticks)) "" else t_xlab(data), main = t_title(data), main_line = 2.6
  ), dots)
  draw_frame()
  draw_axis(if (nrow(ticks)) 3 else 1, t_places(data), TRUE, set)
  draw_axis(2, graphics::axTicks(2), TRUE, set)
  if (nrow(ticks)) {
    graphics::mtext(t_xlab(data), side = 3, line = 1.2, col = path_colours$ink,
                    cex = .9 * set$cex.lab * graphics::par("cex"))
    for (again in unique(ticks$again)) {
      at <- which(ticks$again == again)
      graphics::axis(1, ticks$at[at], below[at], tick = FALSE, las = 2, cex.axis = cex,
                     mgp = c(3, .2, 0), gap.axis = -1,
                     col.axis = if (again) path_colours$thin else path_colours$ink)
    }
  }
  draw_title(set, line = c(1.9, 2.6))
  draw_t_marks(data, dots)
}

draw_t_marks <- function(data, dots) {
  if (nrow(data) == 0L) {
    return(draw_note("no feature picked"))
  }
  col <- path_colours$feature[ifelse(data$again, 3L, 1L)]
  look <- list(col = col, pch = ifelse(data$t < 0, 21, 19), lwd = 1.6, lty = 1, cex = 1.1)
  look <- utils::modifyList(look, dots[intersect(names(dots), names(look))])
  size <- abs(data$t)
  draw_bonferroni(data)
  graphics::segments(data$at, 0, data$at, size, col = look$col, lwd = look$lwd, lty = look$lty)
  graphics::points(data$at, size, col = look$col, pch = look$pch, cex = look$cex, bg = "white")
  if (any(data$t < 0, na.rm = TRUE)) {
    usr <- graphics::par("usr")
    line <- graphics::par("csi") * diff(usr[3:4]) / graphics::par("pin")[2L]
    graphics::legend(
      usr[2L], usr[4L] + 2.7 * line, c("positive effect", "negative"), pch = c(19, 21), xjust = 1,
      col = path_colours$feature[1L], horiz = TRUE, bty = "n", cex = .8, xpd = NA,
      text.col = path_colours$ink, pt.bg = "white"
    )
  }
}

draw_bonferroni <- function(data) {
  usr <- graphics::par("usr")
  line <- attr(data, "line")
  inside <- line <= usr[4L]
  col <- path_colours$source[1L]
  up <- 1.1 * graphics::strheight("Mg", cex = .75)
  if (inside) {
    graphics::segments(usr[1L], line, usr[2L], col = col, lty = 2)
  }
  at <- if (!inside) usr[4L] - up else if (line + 2 * up > usr[4L]) line - up else line + up
  text <- paste0(bonferroni_label(data), if (!inside) ", off the picture")
  graphics::rect(usr[2L] - 1.02 * graphics::strwidth(text, cex = .75), at - .4 * up, usr[2L],
                 at + .4 * up, col = "white", border = NA)
  graphics::text(usr[2L], at, text, adj = c(1, .5), cex = .75, col = col)
}

draw_domains <- function(data, top_n, dots) {
  cex <- .75
  csi <- graphics::par("csi")
  named <- named_domains(data, top_n)
  words <- c(named, if (top_n > 0) "mean")
  room <- max(.2, label_width(words, cex) + leader(cex) + .05)
  room <- min(.3 * graphics::par("fin")[1L], room)
  box <- panel_boxes(1L, 1L, csi * c(3.4, 4.2, 2.2, .6) + c(0, 0, 0, room))[[1L]]
  sizes <- sort(unique(data$size))
  set <- draw_panel(box, list(
    xlim = c(-.015, 1.015) * max(sizes, 1), ylim = value_range(data$value),
    xlab = "distinct features", ylab = domain_ylab(data), main = domain_title(data)
  ), dots)
  draw_frame()
  draw_axis(1, step_ticks(sizes), TRUE, set)
  draw_axis(2, graphics::axTicks(2), TRUE, set)
  draw_title(set)
  look <- list(col = path_colours$feature[3L], lty = 1, lwd = 1)
  look <- utils::modifyList(look, dots[intersect(names(dots), names(look))])
  look <- lapply(look, rep, length.out = length(attr(data, "domains")))
  for (k in seq_along(attr(data, "domains"))) {
    at <- data[data$domain %in% attr(data, "domains")[k], , drop = FALSE]
    graphics::lines(at$size, at$value, col = look$col[k], lty = look$lty[k], lwd = look$lwd[k])
  }
  mean <- data[is.na(data$domain), , drop = FALSE]
  graphics::lines(mean$size, mean$value, col = path_colours$feature[1L], lwd = 3)
  if (top_n > 0) {
    last <- data[data$size == max(sizes), , drop = FALSE]
    at <- match(c(named, NA), last$domain)
    names <- fit_labels(words, room - leader(cex) - .05, cex)
    col <- c(rep(path_colours$feature[2L], length(named)), path_colours$feature[1L])
    draw_labels(max(sizes), last$value[at], names, col, cex)
  }
}

# Limits of the finite values, never of no length.
value_range <- function(value) {
  range <- range(value[is.finite(value)])
  if (diff(range) > 0) range else range + c(-.5, .5) * max(abs(range), 1e-3)
}

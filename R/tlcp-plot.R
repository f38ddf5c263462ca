# Pictures of tlcp(): the criterion by size, the path, and what was borrowed.

#' Plot best subsets and what they borrowed
#'
#' Four pictures of a [tlcp()] fit. `plot()` draws with base graphics, `autoplot()` makes the same
#' pictures with ggplot2.
#'
#' * `"criterion"`: the criterion of the best subset of every size, the chosen size in orange. Where
#'   nothing is borrowed, `criterion = "Cp"` (or 2) shows Mallows' Cp, and `"AIC"`, `"BIC"`, `"HQ"`
#'   their own values. Filled points are proven to be
#'   the best of their size. Where a search ended early, the point is open and a bar reaches down to the lower bound
#'   for that size (from the criterion without the penalty). If the search for the best of all sizes ended early, a
#'   dashed line marks its bound: no subset is below.
#'   Sizes far above the others are left out of the picture, with a note. With
#'   `method = "cutoff"` the points are the nested models. With a `family` the proofs are of the
#'   quadratic approximation of the log-likelihood, so there are no bars and no bound.
#' * `"path"`: coefficients by size, as for every path, see [plot.transfer_path()].
#' * `"borrowed"`: a row for each chosen feature, the largest at the top: least squares of each
#'   other domain (small points, told apart by colour up to six), least squares of the target alone
#'   (open) and the borrowed estimate (filled). The numbers at the right are two shares of the precision of the
#'   borrowed estimate: the share of the other domains, and the share of the prior, which shrinks the estimate to 0.
#'   The rest is the share of the target's rows. Domains without unique estimates have no points, and are named.
#'   Estimates of other domains that lie far outside the range of the rest are marked at the edge. `plot()`
#'   leaves out rows that would be too small to read, the smallest effects first; `autoplot()`, which is made before its
#'   size is known, draws every row, and leaves out names that would meet.
#'
#' * `"intervals"`: the features of the chosen model, the largest at the top, with the 95 % intervals of
#'   [confint()][confint.tlcp] (a forest plot) and the same numbers at the right. Its page says what the intervals
#'   are conditional on.
#'
#' @param x,object A [tlcp()] fit.
#' @param what Which picture.
#' @param label,top_n For `"path"`, as in [plot.transfer_path()].
#' @param scaled For `"path"`, `"borrowed"` and `"intervals"`: multiply coefficients by the scale of their columns
#'   in the target, so that they can be compared?
#' @param ... For `plot()`: graphical parameters that replace the defaults, such as `main`, `xlab`,
#'   `ylim`; for `"borrowed"`, `col` are the colours of the other domains. For `autoplot()`:
#'   `log`, as for `plot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object. A picture that the fit does not have is an error.
#' @references Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based
#'   feature selection. *Journal of Machine Learning Research* 23. \doi{10.48550/arXiv.2107.02847}
#' @seealso [plot.transfer_dissimilarity()], for every other domain by itself.
#' @examples
#' plot(tlcp(mpg ~ ., data = mtcars))
#'
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' plot(may, "path")
#' plot(may, "borrowed")
#' @export
plot.tlcp <- function(x, what = c("criterion", "path", "borrowed", "intervals"), label = TRUE, top_n = 10,
                      scaled = TRUE, ...) {
  plot_picture(x, picture_of_tlcp(x, what, label, top_n, scaled), ...)
}

#' @rdname plot.tlcp
#' @exportS3Method ggplot2::autoplot
autoplot.tlcp <- function(object, what = c("criterion", "path", "borrowed", "intervals"), label = TRUE,
                          top_n = 10, scaled = TRUE, ...) {
  autoplot_picture(picture_of_tlcp(object, what, label, top_n, scaled), ...)
}

picture_of_tlcp <- function(x, what, label, top_n, scaled, call = rlang::caller_env()) {
  what <- check_choice(what, c("criterion", "path", "borrowed", "intervals"), "what", call)
  top_n <- plot_top_n(label, top_n, call)
  data <- tlcp_plot_data(x, what, scaled, call)
  switch(what,
    criterion = criterion_picture(data),
    path = path_picture(data, top_n, attr(data, "xlab")),
    borrowed = borrowed_picture(data),
    intervals = intervals_picture(data)
  )
}

# ---- data ----

tlcp_plot_data <- function(x, what, scaled = TRUE, call = rlang::caller_env()) {
  check_flag(scaled, "scaled", call)
  if (what == "criterion") return(criterion_data(x))
  if (what == "borrowed") return(borrowed_data(x, scaled, call))
  if (what == "intervals") return(intervals_data(x, scaled, call))
  data <- plot_data(x, "path", scaled = scaled, call = call)
  xlab <- path_xlab(data) # it says what the steps are
  if (all(x$steps$step == x$steps$size)) xlab <- sub("^step", "features", xlab)
  structure(data, xlab = sub("the default", "the chosen", xlab, fixed = TRUE))
}

# A row for each model: size, value (the criterion, or Cp), low (the lower bound for sets of that size), proven.
# Attributes: `size` of the chosen model; `bound` on all subsets, if its distance is above rounding; `label`; `of`,
# what the proof is about where it is not the value shown.
criterion_data <- function(x) {
  steps <- x$steps
  anew <- isTRUE(x$borrowing$anew)
  is_cp <- !anew && !is.null(steps$cp) && isTRUE(all.equal(x$borrowing$k, 2))
  value <- if (is_cp) steps$cp else steps$criterion
  gap <- steps$gap
  gap[is.na(gap) | gap <= 1e-8 * max(1, abs(value))] <- 0
  if (anew) gap <- -x$nobs * log1p(-pmin(gap / steps$objective, 1))
  one_of_its_size <- steps$size == 0 | !x$settings$select
  at <- x$best + 1L
  proof <- x$certificate
  expanded <- inherits(x, "likelihood_path") # whose proofs are of the quadratic approximation
  bound <- if (isFALSE(proof$complete) && !expanded) proof$bound + value[at] - steps$criterion[at]
  data <- data.frame(
    size = steps$size, value = value, low = pmax(value - gap, pmin(bound %||% -Inf, value)),
    proven = x$method == "exact" & (steps$complete %in% TRUE | one_of_its_size)
  )
  structure(
    data[order(data$size), , drop = FALSE], best = steps$size[at], bound = bound,
    label = if (is_cp) "Cp" else if (anew) x$settings$criterion else "criterion",
    of = if (expanded) " (approximation)", kept = length(x$settings$keep) > 0, title = criterion_title(x)
  )
}

criterion_title <- function(x) {
  what <- if (x$method == "cutoff") {
    "Nested models"
  } else if (nrow(x$steps) < 3L) {
    "The chosen features against none"
  } else {
    "Best subset of every size"
  }
  paste0(what, if (length(x$models) > 1L) paste0(", ", target_called(x$target)))
}

# Limits that show the criterion around the best size: models much worse than the models to their right, or than the
# third best, are left out, but at most a quarter of all models.
criterion_limits <- function(data) {
  best <- min(data$value)
  right <- data$value[data$size >= attr(data, "best")]
  span <- max(right - best, sort(data$value)[min(3L, nrow(data))] - best)
  low <- max(min(data$low, attr(data, "bound")), best - span)
  most <- unname(stats::quantile(data$value, .75, type = 1))
  top <- highest_shown(data$value, low, min(max(data$value), max(best + 3 * span, most)))
  padded(value_range(c(low, top)), CRITERION_MARGIN)
}

# Margins below and above the points, as shares of their range.
CRITERION_MARGIN <- c(.04, .1)

# The top of the picture, raised to points that would lie in the margin above it or be cut by its edge.
highest_shown <- function(value, low, top) {
  repeat {
    near <- max(top, value[value <= top + 1.5 * CRITERION_MARGIN[2L] * (top - low)])
    if (near == top) return(top)
    top <- near
  }
}

# What is above the picture, in words.
off_picture_words <- function(data, limits) {
  off <- data[data$value > limits[2L], , drop = FALSE]
  n <- nrow(off)
  if (n == 0L) return(NULL)
  if (n == 1L) return(paste0("off the picture: size ", off$size, " at ", format_number(off$value)))
  together <- n > 2L && all(diff(off$size) == 1L)
  paste("off the picture: sizes",
        if (together) paste(off$size[1L], "to", off$size[n]) else paste(off$size, collapse = ", "))
}

# A row for each point: term, estimate, kind (own, other, borrowed) and the name of the domain, if it is another one.
# Attributes: the terms from the largest borrowed effect to the smallest, their weight and shrinkage, the other
# domains, limits.
borrowed_data <- function(x, scaled, call) {
  table <- x$borrowed
  if (is.null(table)) {
    why <- if (x$method == "cutoff") {
      "Fits with {.code method = \"cutoff\"} have no such table."
    } else {
      "The model was fitted to {if (length(x$models) > 1) 'rows of all domains as one' else
       'one domain'}, or nothing could be borrowed from other domains."
    }
    abort_input("{.arg what} is {.val borrowed}, but this fit has no table of what was borrowed.",
                "what", i = paste("Give another {.arg what}.", why), call = call)
  }
  last <- ncol(table) - 2L # by place: a domain may bear any name
  unit <- if (scaled) unname(x$scale[table$term]) else rep(1, nrow(table))
  estimates <- as.matrix(table[2:last]) * unit
  others <- names(table)[seq_len(last - 3L) + 2L]
  n <- nrow(table)
  data <- data.frame(
    term = rep(table$term, last - 1L),
    kind = rep(c("own", rep("other", length(others)), "borrowed"), each = n),
    domain = rep(c(NA, others, NA), each = n), estimate = as.vector(estimates)
  )
  # least squares is 0 only where a domain had too few rows for the column
  shown <- !is.na(data$estimate) & (data$estimate != 0 | data$kind == "borrowed")
  data <- data[shown, , drop = FALSE]
  order <- order(-abs(table[[last]] * unit))
  drawn <- others %in% data$domain
  lost <- others[!drawn]
  who <- c(if (!"own" %in% data$kind) "the target",
           if (length(lost) > 3L) paste(length(lost), "other domains") else lost)
  structure(data, terms = table$term[order], weight = table$weight[order], shrinkage = table$shrinkage[order],
            others = others[drawn],
            note = if (length(who)) paste("no unique estimates of:", paste(who, collapse = ", ")),
            limits = borrowed_limits(data), scaled = scaled,
            title = paste0("What ", target_called(x$target), " borrowed"))
}

# The range of the target's estimates and 0, widened to the estimates of other domains that are at most 3/4 of that
# range away.
borrowed_limits <- function(data) {
  core <- range(0, data$estimate[data$kind != "other"])
  if (diff(core) == 0) core <- range(0, data$estimate)
  if (diff(core) == 0) return(c(-1, 1))
  near <- pmin(pmax(data$estimate, core[1L] - .75 * diff(core)), core[2L] + .75 * diff(core))
  range(core, near)
}

# ---- pictures ----

criterion_picture <- function(data) {
  blue <- picture_colours$feature[1L]
  orange <- picture_colours$source
  limits <- criterion_limits(data)
  best <- attr(data, "best")
  bound <- attr(data, "bound") %||% NA_real_
  chosen <- data$size == best
  filled <- data$proven | chosen & !(data$low < data$value)
  open <- data[data$low < data$value, , drop = FALSE]
  line <- if (nrow(data) > 2L) data[data$size > 0 | !attr(data, "kept"), ] else data[0L, ]
  inside <- is.finite(bound) && bound >= limits[1L]
  new_picture(list(new_panel(
    step_axis("features", c(0, data$size)), new_axis(attr(data, "label"), limits),
    list(
      new_rule("x", best),
      new_layer("segment", data.frame(x = open$size, y = open$low, yend = open$value), col = orange[3L], lwd = 4),
      new_layer("line", data.frame(x = line$size, y = line$value), col = blue,
                user = c("col", "lty", "lwd")),
      new_layer("point", data.frame(x = data$size, y = data$value, pch = ifelse(filled, 19, 21),
                                    col = ifelse(chosen, orange[1L], blue),
                                    cex = ifelse(chosen, 1.5, 1)), user = "cex"),
      if (inside) new_rule("y", bound, col = orange[1L], lty = 2),
      if (inside) new_layer("text", data.frame(x = -Inf, y = bound, label = " no subset is below"),
                            col = orange[1L], hjust = 0, vjust = -.4)
    )
  )), attr(data, "title"), criterion_keys(data), off_picture_words(data, limits))
}

criterion_keys <- function(data) {
  blue <- picture_colours$feature[1L]
  orange <- picture_colours$source
  searched <- any(data$proven & data$size > 0)
  keys <- picture_keys(
    c(paste0("proven best of its size", attr(data, "of")), "not proven", "how much better a set might be", "chosen"),
    c(blue, blue, orange[3L], orange[1L]), c(19, 21, 15, 19)
  )
  keys[c(searched, searched && any(!data$proven), any(data$low < data$value), TRUE), ]
}

borrowed_picture <- function(data) {
  others <- attr(data, "others")
  terms <- attr(data, "terms")
  title <- attr(data, "title")
  if (!length(terms)) return(empty_picture("no feature chosen", title))
  n <- length(others)
  colours <- stats::setNames(if (n <= 6L) rule_colours(n) else rep("#9A9A9A", n), others) # grey where there are many
  big <- if (length(terms) > 20L) .8 else 1.1
  limits <- attr(data, "limits")
  data$y <- length(terms) + 1 - match(data$term, terms)
  kind <- function(which) {
    one <- data[data$kind == which, , drop = FALSE]
    data.frame(x = one$estimate, y = one$y, term = one$term)
  }
  own <- kind("own")
  borrowed <- kind("borrowed")
  lent <- data[data$kind == "other", , drop = FALSE]
  inside <- lent$estimate >= limits[1L] & lent$estimate <= limits[2L]
  off <- lent[!inside, , drop = FALSE]
  left <- off$estimate < limits[1L]
  new_picture(list(new_panel(
    new_axis(path_ylab(data), padded(limits, if (nrow(off)) .07 else .03)), name_axis(terms, cut = "the largest"),
    list(
      new_rule("x", 0, col = picture_colours$frame, lty = 1),
      new_layer("segment", data.frame(own[c("x", "y")], xend = borrowed$x[match(own$term, borrowed$term)])),
      new_layer("point", own[c("x", "y")], pch = 21, cex = big),
      new_layer("point", borrowed[c("x", "y")], cex = big),
      # small, so that they do not hide the others
      new_layer("point", data.frame(x = lent$estimate, y = lent$y, group = lent$domain,
                                    col = unname(colours[lent$domain]))[inside, , drop = FALSE],
                pch = 20, cex = .8 * big, user = "col"),
      new_layer("text", data.frame(x = ifelse(left, -Inf, Inf), y = off$y,
                                   label = ifelse(left, "<", ">"), hjust = ifelse(left, -1.5, 2.5),
                                   col = unname(colours[off$domain])),
                cex = .7 * big)
    ),
    right = data.frame(y = rev(seq_along(terms)),
                       label = paste0(percent(attr(data, "weight")), " / ", percent(attr(data, "shrinkage")))),
    right_title = "others / shrinkage"
  )), title, borrowed_keys(others, colours, nrow(own) > 0L, any(inside)), attr(data, "note"))
}

# own, lent: are estimates of the target alone, and of other domains, in the picture?
borrowed_keys <- function(others, colours, own, lent) {
  rbind(
    if (own) picture_keys("target alone", picture_colours$ink, 21),
    picture_keys("borrowed", picture_colours$ink, 19),
    if (lent && length(others) <= 6L) {
      picture_keys(shorten(others, 18L), unname(colours), 20)
    } else if (lent) {
      picture_keys(paste(length(others), "other domains"), colours[[1L]], 20)
    }
  )
}

# ---- intervals: where confint() is an error, the picture gives the same error --------------------

# term, estimate, low, high of the features in the default model, the largest first.
intervals_data <- function(x, scaled, call) {
  found <- step_covariance(x, NULL, call) # the error, if there is one
  terms <- setdiff(rownames(found$V), "(Intercept)")
  unit <- if (scaled) unname(x$scale[terms]) else rep(1, length(terms))
  limits <- stats::confint(x)[terms, , drop = FALSE] * unit
  data <- data.frame(term = terms, estimate = unname(stats::coef(x)[terms]) * unit, low = unname(limits[, 1]),
                     high = unname(limits[, 2]))
  data <- data[order(-abs(data$estimate)), , drop = FALSE]
  row.names(data) <- NULL
  what <- switch(x$family, binomial = "log odds ratio", poisson = "log rate ratio", cox = "log hazard ratio",
                 "coefficient")
  structure(data, xlab = paste(what, if (scaled) "x scale of its column" else "(original scale)"),
            note = if (x$settings$select) "as if the features had been chosen beforehand")
}

intervals_picture <- function(data) {
  title <- "Coefficients and 95 % intervals"
  n <- nrow(data)
  if (!n) return(empty_picture("no feature chosen", title))
  y <- n + 1 - seq_len(n)
  known <- is.finite(data$low) & is.finite(data$high)
  blue <- picture_colours$feature[1L]
  range <- value_range(c(0, data$estimate, data$low[known], data$high[known]))
  limits <- data.frame(x = data$low, y = y, xend = data$high)[known, , drop = FALSE]
  text <- ifelse(known, paste0(format_number(data$estimate), " (", format_number(data$low), " to ",
                               format_number(data$high), ")"), format_number(data$estimate))
  new_picture(list(new_panel(
    new_axis(attr(data, "xlab"), padded(range, .03)), name_axis(data$term, cut = "the largest"),
    list(
      new_rule("x", 0, col = picture_colours$frame, lty = 1),
      new_layer("segment", limits, col = blue, lwd = 2, user = c("col", "lwd")),
      new_layer("point", data.frame(x = data$estimate, y = y), col = blue, cex = if (n > 20L) .8 else 1.1,
                user = c("col", "pch", "cex"))
    ),
    right = data.frame(y = y, label = text), right_title = "95 % interval"
  )), title, NULL, attr(data, "note"))
}

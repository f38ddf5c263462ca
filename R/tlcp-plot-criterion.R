# The picture of the criterion by size.

# A row for each model: size, value (the criterion, or Cp), low (the lower bound for sets of that size), proven.
# Attributes: `size` of the chosen model; `bound` on all subsets, if its distance is above rounding; `label`; `of`,
# what the proof is about where it is not the value shown.
tlcp_plot_criterion_data <- function(x) {
  steps <- x$steps
  anew <- isTRUE(x$borrowing$anew)
  is_cp <- !anew && !is.null(steps$cp) && isTRUE(all.equal(x$borrowing$k, 2))
  value <- if (is_cp) steps$cp else steps$criterion
  gap <- steps$gap
  gap[is.na(gap) | gap <= 1e-8 * max(1, abs(value))] <- 0
  if (anew) gap <- -x$nobs * log1p(-pmin(gap / steps$objective, 1))
  one_of_its_size <- steps$size == 0 | !x$settings$select
  chosen <- x$best + 1L
  proof <- x$certificate
  expanded <- inherits(x, "likelihood_path") # whose proofs are of the quadratic approximation
  bound <- if (isFALSE(proof$complete) && !expanded) proof$bound + value[chosen] - steps$criterion[chosen]
  data <- data.frame(
    size = steps$size, value = value, low = pmax(value - gap, pmin(bound %||% -Inf, value)),
    proven = x$method == "exact" & (steps$complete %in% TRUE | one_of_its_size)
  )
  structure(
    data[order(data$size), , drop = FALSE], best = steps$size[chosen], bound = bound,
    label = if (is_cp) "Cp" else tlcp_prior_criterion_name(x$settings$criterion, x$borrowing$borrow),
    of = if (expanded) " (approximation)", kept = length(x$settings$keep) > 0, title = tlcp_plot_criterion_title(x),
    terms = !is.null(x$settings$groups), # which are searched, columns together
    note = if (tlcp_plot_criterion_lacks_sizes(x)) "sizes = TRUE shows the best subset of every size"
  )
}

# Was only the best subset searched for, where those of every size could be?
tlcp_plot_criterion_lacks_sizes <- function(x) {
  x$settings$select && x$method == "exact" && nrow(x$steps) < 3L && !isTRUE(x$settings$sizes) &&
    x$blueprint$p > max(x$steps$size, 1)
}

tlcp_plot_criterion_title <- function(x) {
  what <- if (x$method == "cutoff") {
    "Nested models"
  } else if (nrow(x$steps) < 3L) {
    "The chosen features against none"
  } else {
    paste("Best subset of every", if (is.null(x$settings$groups)) "size" else "number of terms")
  }
  paste0(what, if (length(x$models) > 1L) paste0(", ", tlcp_verbs_target_called(x$target)))
}

# Limits that show the criterion around the best size: models much worse than the models to their right, or than the
# third best, are left out, but at most a quarter of all models.
tlcp_plot_criterion_limits <- function(data) {
  best <- min(data$value)
  right <- data$value[data$size >= attr(data, "best")]
  span <- max(right - best, sort(data$value)[min(3L, nrow(data))] - best)
  low <- max(min(data$low, attr(data, "bound")), best - span)
  most <- unname(stats::quantile(data$value, .75, type = 1))
  top <- tlcp_plot_criterion_top(data$value, low, min(max(data$value), max(best + 3 * span, most)))
  picture_padded_range(picture_value_range(c(low, top)), CRITERION_MARGIN)
}

# Margins below and above the points, as shares of their range.
CRITERION_MARGIN <- c(.04, .1)

# The top of the picture, raised to points that would lie in the margin above it or be cut by its edge.
tlcp_plot_criterion_top <- function(value, low, top) {
  repeat {
    near <- max(top, value[value <= top + 1.5 * CRITERION_MARGIN[2L] * (top - low)])
    if (near == top) return(top)
    top <- near
  }
}

# What is above the picture, in words.
tlcp_plot_criterion_off_picture <- function(data, limits) {
  off <- data[data$value > limits[2L], , drop = FALSE]
  n <- nrow(off)
  if (n == 0L) return(NULL)
  if (n == 1L) return(paste0("off the picture: size ", off$size, " at ", words_number(off$value)))
  together <- n > 2L && all(diff(off$size) == 1L)
  paste("off the picture: sizes",
        if (together) paste(off$size[1L], "to", off$size[n]) else paste(off$size, collapse = ", "))
}

tlcp_plot_criterion_note <- function(data, limits) {
  said <- c(tlcp_plot_criterion_off_picture(data, limits), attr(data, "note"))
  if (length(said)) paste(said, collapse = "; ")
}

tlcp_plot_criterion <- function(data) {
  blue <- picture_colours$feature[1L]
  orange <- picture_colours$source
  limits <- tlcp_plot_criterion_limits(data)
  best <- attr(data, "best")
  bound <- attr(data, "bound") %||% NA_real_
  chosen <- data$size == best
  filled <- data$proven | chosen & !(data$low < data$value)
  open <- data[data$low < data$value, , drop = FALSE]
  line <- if (nrow(data) > 2L) data[data$size > 0 | !attr(data, "kept"), ] else data[0L, ]
  inside <- is.finite(bound) && bound >= limits[1L]
  picture_new(list(picture_panel(
    picture_step_axis(if (isTRUE(attr(data, "terms"))) "columns" else "features", c(0, data$size)),
    picture_axis(attr(data, "label"), limits),
    list(
      picture_rule("x", best),
      picture_layer("segment", data.frame(x = open$size, y = open$low, yend = open$value), col = orange[3L], lwd = 4),
      picture_layer("line", data.frame(x = line$size, y = line$value), col = blue,
                    user = c("col", "lty", "lwd")),
      picture_layer("point", data.frame(x = data$size, y = data$value, pch = ifelse(filled, 19, 21),
                                        col = ifelse(chosen, orange[1L], blue),
                                        cex = ifelse(chosen, 1.5, 1)), user = "cex"),
      if (inside) picture_rule("y", bound, col = orange[1L], lty = 2),
      if (inside) picture_layer("text", data.frame(x = -Inf, y = bound, label = " no subset is below"),
                                col = orange[1L], hjust = 0, vjust = -.4)
    )
  )), attr(data, "title"), tlcp_plot_criterion_keys(data), tlcp_plot_criterion_note(data, limits))
}

tlcp_plot_criterion_keys <- function(data) {
  blue <- picture_colours$feature[1L]
  orange <- picture_colours$source
  searched <- any(data$proven & data$size > 0)
  keys <- picture_base_keys(
    c(paste0("proven best of its ", if (isTRUE(attr(data, "terms"))) "number of terms" else "size", attr(data, "of")),
      "not proven", "how much better a subset might be", "chosen"),
    c(blue, blue, orange[3L], orange[1L]), c(19, 21, 15, 19)
  )
  keys[c(searched, searched && any(!data$proven), any(data$low < data$value), TRUE), ]
}

# Pictures of T-greedy beside the path: T of what was picked, and the loss of every domain.

#' Plot a T-greedy path
#'
#' Three pictures of a [tgreedy()] fit: coefficients along the path (`plot(fit)`), how much the effects differ between
#' domains (`plot(fit, "t")`), and the loss in each domain of the fit (`plot(fit, "domains")`). For the error in new
#' domains plot a [cv_path()] object. `plot()` draws with base graphics, `autoplot()` makes the same
#' pictures with ggplot2.
#'
#' * `"path"`: coefficients against the step, as for every path, see [plot.transfer_path()]. The top
#'   axis counts the distinct features.
#' * `"t"`: |T| of the feature picked at each step. Filled points are positive effects, open points negative effects,
#'   light points features that had been picked before. Squares are groups of columns, as those of a factor: their
#'   effect has no sign. A path of more than 40 steps shows each feature once, when it was first picked. The dashed
#'   line is Bonferroni's limit: the two-sided quantile of Student's t (number of domains minus one degrees of
#'   freedom) at `alpha` divided by the number of features. With few domains hardly any |T| is
#'   above it. If it is more than three times the largest |T|, its value is written as a note.
#' * `"domains"`: the loss (or area) in each domain against the number of distinct features, with the mean over domains
#'   in bold. If several steps have the same features, the last is shown.
#'
#' @param x,object A [tgreedy()] fit.
#' @param what Which picture.
#' @param class For more than two classes, the class to show. `NULL`: the first; for `"path"` all.
#' @param measure What `"domains"` shows: the balanced squared `"loss"` (for survival times minus twice the log partial
#'   likelihood per event); for classes also the area under the ROC curve, `"auroc"`; for survival times
#'   also the `"concordance"`.
#' @param alpha Level of the Bonferroni line.
#' @param label Write names beside the lines?
#' @param top_n How many lines get a name: those with the largest coefficients, or the domains farthest from the mean at
#'   the last step.
#' @param ... `"path"` takes the other arguments of [plot.transfer_path()]. For `plot()` also
#'   graphical parameters that replace the defaults, such as `main`, `xlab`, `ylim`, `col`, `lwd`;
#'   for `autoplot()` `log`, as for `plot()`.
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot object.
#' @references Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small sample
#'   statistical approach. *AISTATS*, PMLR 22, 960-968. <https://proceedings.mlr.press/v22/foster12.html>
#' @seealso [compare_paths()] for the losses of several rules on the rows of the fit and on held-out rows.
#' @examples
#' aq <- na.omit(airquality)
#' fit <- tgreedy(Ozone ~ (Solar.R + Wind + Temp)^2, data = aq, domain = Month)
#' plot(fit)
#' plot(fit, "t")
#' plot(fit, "domains")
#' @export
plot.tgreedy <- function(x, what = c("path", "t", "domains"), class = NULL,
                         measure = c("loss", "auroc", "concordance"), alpha = .05, label = TRUE, top_n = 10,
                         ...) {
  arguments_check_spelling()
  what <- check_choice(what, c("path", "t", "domains"), "what", rlang::current_env())
  if (what == "path") {
    return(plot.transfer_path(x, "path", class = class, label = label, top_n = top_n, ...))
  }
  picture_user_plot(x, tgreedy_plot_picture(x, what, class = class, measure = measure, alpha = alpha, label = label,
                                            top_n = top_n), ...)
}

#' @rdname plot.tgreedy
#' @exportS3Method ggplot2::autoplot
autoplot.tgreedy <- function(object, what = c("path", "t", "domains"), class = NULL,
                             measure = c("loss", "auroc", "concordance"), alpha = .05, label = TRUE, top_n = 10,
                             ...) {
  what <- check_choice(what, c("path", "t", "domains"), "what", rlang::current_env())
  if (what == "path") {
    return(autoplot.transfer_path(object, "path", class = class, label = label, top_n = top_n, ...))
  }
  picture_user_autoplot(tgreedy_plot_picture(object, what, class = class, measure = measure, alpha = alpha,
                                             label = label,
                                             top_n = top_n), ...)
}

tgreedy_plot_picture <- function(x, what, class, measure, alpha, label, top_n,
                                 call = rlang::caller_env()) {
  top_n <- picture_user_top_n(label, top_n, call)
  data <- tgreedy_plot_data(x, what, class, measure, alpha, call)
  if (what == "t") tgreedy_plot_t(data, top_n) else tgreedy_plot_domains(data, top_n)
}

tgreedy_plot_data <- function(x, what, class, measure, alpha, call = rlang::caller_env()) {
  check_single(length(class), "class", call)
  class <- path_plot_data_classes(x, class, call)[1L]
  if (what == "domains") return(tgreedy_plot_domain_data(x, class, measure, call))
  tgreedy_plot_t_data(x, class, check_share(alpha, "alpha", call), call)
}

# A row for each step: at (place on the axis), step, term, t, again (picked before), group (of several columns, whose
# effect has no sign); of more than 40 steps
# only the first picks. Attributes: line (Bonferroni's) and what it comes from, all_steps, title.
tgreedy_plot_t_data <- function(x, class, alpha, call) {
  n_domains <- length(x$domains)
  if (n_domains < 2L) {
    abort_input("{.arg what} is {.val t}, but there is one domain.", "what",
                i = "Give another {.arg what}: a T-statistic needs at least two domains.", call = call)
  }
  table <- path_plot_data_steps(x, class, NA)
  table <- table[table$step > 0, , drop = FALSE]
  again <- duplicated(table$entered)
  all_steps <- nrow(table) <= 40L || !any(again)
  shown <- all_steps | !again
  p <- x$settings$units
  groups <- x$settings$groups
  several <- groups$labels[unique(groups$of[duplicated(groups$of)])]
  structure(
    data.frame(at = seq_len(sum(shown)), step = table$step[shown], term = table$entered[shown],
               t = table$t[shown], again = again[shown], group = table$entered[shown] %in% several),
    all_steps = all_steps, alpha = alpha, p = p, grouped = !is.null(x$settings$groups),
    title = path_plot_data_class_title(x, class),
    line = stats::qt(alpha / (2 * p), n_domains - 1, lower.tail = FALSE)
  )
}

# domain (NA: their mean), size, value; the last step of each size.
tgreedy_plot_domain_data <- function(x, class, measure, call) {
  measure <- check_choice(measure, names(DOMAIN_MEASURES), "measure", call)
  value <- x[[paste0("domain_", measure)]]
  if (is.null(value)) {
    abort_input("{.arg measure} is {.val {measure}}, which this fit does not have.", "measure",
                i = "Give {.val loss}. Areas under the ROC curve need two classes, rows and no {.arg keep}; concordance
                     needs survival times.",
                call = call)
  }
  if (path_object_is_multi(x)) value <- value[[class]]
  size <- path_plot_data_steps(x, class, NA)$size
  last <- !duplicated(size, fromLast = TRUE)
  value <- cbind(value, rowMeans(value, na.rm = TRUE))[last, , drop = FALSE]
  domains <- c(x$domains, NA)
  structure(
    data.frame(domain = rep(domains, each = nrow(value)), size = rep(size[last], length(domains)),
               value = as.vector(value)),
    measure = measure, ylab = if (x$family == "cox" && measure == "loss") "-2 log partial likelihood per event" else
      DOMAIN_MEASURES[[measure]], domains = x$domains, title = path_plot_data_class_title(x, class)
  )
}

DOMAIN_MEASURES <- c(loss = "mean squared residual", auroc = "area under the ROC curve", concordance = "concordance")

tgreedy_plot_t <- function(data, top_n) {
  what <- if (attr(data, "all_steps")) "T of the feature picked at each step" else "T of each feature when first picked"
  title <- toString(c(what, attr(data, "title")))
  if (!nrow(data)) return(picture_empty("no feature picked", title))
  last <- max(1, data$at)
  line <- attr(data, "line")
  top <- max(1, abs(data$t[is.finite(data$t)]))
  limits <- c(0, 1.06 * if (line <= 3 * top) max(top, line) else top)
  inside <- line <= limits[2L]
  named <- top_n > 0 && nrow(data) <= 60L
  ticks <- unique(c(1, setdiff(picture_step_ticks(c(1, data$at)), 0)))
  places <- list(at = ticks, labels = ticks, label = if (attr(data, "all_steps")) "step" else "distinct features")
  x <- if (named) {
    picture_axis("", c(.4, last + .6), data$at, data$term, names = TRUE, second = places)
  } else {
    picture_axis(places$label, c(.4, last + .6), ticks)
  }
  col <- picture_colours$feature[ifelse(data$again, 3L, 1L)]
  marks <- data.frame(x = data$at, y = abs(data$t), col = col, pch = ifelse(data$group, 15, ifelse(data$t < 0, 21, 19)))
  stems <- data.frame(x = marks$x, y = 0, yend = marks$y, col = col)
  negative <- data$t < 0 & !is.na(data$t)
  known <- c(any(!data$group & !negative), any(!data$group & negative), any(data$group))
  signs <- picture_base_keys(c("positive effect", "negative", "group of columns (no sign)"),
                             picture_colours$feature[1L], c(19, 21, 15))[known & any(known[2:3]), ]
  p <- attr(data, "p")
  units <- if (attr(data, "grouped")) "features and groups" else if (p == 1L) "feature" else "features"
  bonferroni <- paste0("Bonferroni, ", words_number(100 * attr(data, "alpha")), " % of ", p, " ", units, ": ",
                       words_number(line), if (!inside) ", off the picture")
  picture_new(list(picture_panel(x, picture_axis("|T|", limits), list(
    if (inside) picture_rule("y", line, col = picture_colours$source[1L], lty = 2),
    picture_layer("segment", stems, lwd = 1.6, user = c("col", "lty", "lwd")),
    picture_layer("point", marks, cex = 1.1, user = c("col", "pch", "cex"))
  ))), title, rbind(signs, picture_base_keys(bonferroni, picture_colours$source[1L], lty = 2)))
}

tgreedy_plot_domains <- function(data, top_n) {
  mean <- data[is.na(data$domain), , drop = FALSE]
  each <- data[!is.na(data$domain), , drop = FALSE]
  last <- data[data$size == max(data$size), , drop = FALSE]
  far <- last[order(-abs(last$value - last$value[is.na(last$domain)])), , drop = FALSE]
  named <- utils::head(far$domain[!is.na(far$domain) & !is.na(far$value)], top_n) # the farthest from the mean
  ends <- last[match(c(named, if (top_n > 0) NA), last$domain), , drop = FALSE]
  blue <- picture_colours$feature
  picture_new(list(picture_panel(
    picture_step_axis("distinct features", unique(data$size)),
    picture_axis(attr(data, "ylab"), picture_padded_range(picture_value_range(data$value))),
    list(
      picture_layer("line", data.frame(x = each$size, y = each$value, group = each$domain),
                    col = blue[3L], lwd = 1, user = c("col", "lty", "lwd")),
      picture_layer("line", data.frame(x = mean$size, y = mean$value), col = blue[1L], lwd = 3)
    ),
    data.frame(x = ends$size, y = ends$value, label = ifelse(is.na(ends$domain), "mean", ends$domain),
               col = ifelse(is.na(ends$domain), blue[1L], blue[2L]))
  )), toString(c("Every domain along the path", "training rows", attr(data, "title"))))
}

#' A map of the coefficients of sources over several targets
#'
#' Shows which targets use which sources: `plot(source_map(fits))` draws the coefficients of the sources in several
#' [greedytl()] fits, one fit per target, as a map with one column per target and one row per source. Use it for several
#' related targets; for the map of one fit of several classes use [plot.transfer_path()]. A field is white if the
#' coefficient is zero. A cross marks a source that the fit was not offered, a dash a source with the target's own name.
#' If related targets stand side by side, and sources in the same order, blocks of colour show which groups of targets
#' borrow from which groups of sources.
#'
#' @param fits A named list of [greedytl()] fits, or of other paths with sources. The names are those of the targets. A
#'   fit of more than two classes has one column per class, `target: class`.
#' @param step The model of every fit. `NULL`: the default of each.
#' @param sources `NULL`, or names of the sources that are shown, in this order. By default all sources with a
#'   coefficient in some fit, in the order of the fits; sources with names of targets are in the order of the targets.
#'   If there are more than 60, the 60 with the largest coefficients.
#' @param scaled Multiply coefficients by the scale of the source, so that they can be compared?
#' @param ... For `source_map()` and `autoplot()`: must be empty. For `plot()`: graphical parameters,
#'   such as `main` or `xlab`.
#' @param x,object What `source_map()` returned.
#' @returns `source_map()`: a data frame of class `source_map` with one row per target and source shown: `target`,
#'   `source`, `weight` (the coefficient), and `kind`: `"weight"`, `"zero"`, `"unused"` (the fit was not offered the
#'   source) or `"self"` (it has the target's name, and was not offered). `plot()` returns it invisibly, `autoplot()` a
#'   ggplot object.
#' @references
#' Kuzborskij, I., Orabona, F. and Caputo, B. (2017). Scalable greedy algorithms for transfer learning.
#' *Computer Vision and Image Understanding* 156, 174-185, section 5.5 and Figure 4.
#' \doi{10.1016/j.cviu.2016.09.003}
#' @seealso [plot.transfer_path()] for the map of one fit of several classes.
#' @examples
#' # Each of six targets was drawn near one of three groups of sources
#' set.seed(2)
#' x <- matrix(rnorm(60 * 12), 60)
#' centre <- matrix(rnorm(12 * 3), 12)
#' near <- function(g) drop(x %*% (centre[, g] + rnorm(12, sd = .4)))
#' sources <- sapply(rep(1:3, each = 4), near)
#' colnames(sources) <- paste0(rep(c("a", "b", "c"), each = 4), 1:4)
#' fits <- lapply(c(a = 1, b = 2, c = 3, A = 1, B = 2, C = 3), function(g) {
#'   greedytl(x, near(g) + rnorm(60), sources = sources)
#' })
#' map <- source_map(fits[c("a", "A", "b", "B", "c", "C")])
#' head(map)
#' plot(map)
#' @export
source_map <- function(fits, step = NULL, sources = NULL, scaled = TRUE, ...) {
  call <- arguments_check()
  check_flag(scaled, "scaled", call)
  source_map_check_fits(fits, call)
  check_single(length(step), "step", call)
  parts <- Map(source_map_weights, fits, names(fits), MoreArgs = list(step = step, scaled = scaled,
                                                                      call = call))
  weights <- do.call(rbind, lapply(parts, `[[`, "weights"))
  targets <- unlist(lapply(parts, `[[`, "targets"), use.names = FALSE)
  known <- unique(unlist(lapply(parts, `[[`, "known"), use.names = FALSE))
  known <- c(intersect(targets, known), setdiff(known, targets)) # rows and columns in one order
  entered <- known[known %in% weights$source]
  shown <- sources %||% path_plot_sources_largest(entered, tapply(abs(weights$weight), weights$source, max)[entered])
  if (!is.character(shown) || anyNA(shown) || anyDuplicated(shown) || !all(shown %in% known)) {
    unknown <- setdiff(as.character(shown), known)
    abort_input("{.arg sources} is {.val {utils::head(if (length(unknown)) unknown else shown, 5)}}.",
                "sources", i = "Give names of the sources of the fits, each once.", call = call)
  }
  map <- path_plot_data_every_pair(weights, list(target = targets, source = shown), "weight")
  offered <- do.call(rbind, lapply(parts, function(part) expand.grid(target = part$targets, source = part$known,
                                                                     stringsAsFactors = FALSE)))
  pair <- function(table) paste(table$target, table$source, sep = "\r")
  map$kind <- ifelse(map$weight != 0, "weight", ifelse(pair(map) %in% pair(offered), "zero",
                                                       ifelse(map$target == map$source, "self", "unused")))
  table_classed(map, "source_map", n_sources = length(known), n_entered = length(entered), step = step)
}

# A map of some of the targets or sources is a map, too.
#' @export
table_part.source_map <- function(x, part) table_like(x, part)

# The weights that are not zero (target, source, weight), the columns of the map, and the names of all sources.
source_map_weights <- function(fit, name, step, scaled, call) {
  class <- path_object_responses(fit)
  targets <- if (path_object_is_multi(fit)) paste0(name, ": ", class) else name
  long <- path_plot_data_estimates(fit, class, path_tidy_lambdas(fit, NULL, call)[1L], step %||% fit$best, scaled,
                                   call)
  long <- long[long$type == "source" & long$estimate != 0, , drop = FALSE]
  list(weights = data.frame(target = targets[match(long$class, class)], source = long$term,
                            weight = long$estimate),
       targets = targets, known = sources_label(fit$sources))
}

source_map_check_fits <- function(fits, call) {
  if (!is.list(fits) || inherits(fits, "transfer_path") || !length(fits)) {
    abort_kind(fits, "fits", "Give a named list of fits, as {.code list(north = fit1, south = fit2)}.", call)
  }
  check_list_names(fits, "fits", "Name every fit by its target.", call)
  good <- vapply(fits, function(fit) {
    inherits(fit, "transfer_path") && (fit$sources$n_sources %||% 0) > 0
  }, NA)
  if (!all(good)) {
    abort_input("{.arg fits} has {.val {names(fits)[!good]}}, which {?is not a fit/are not fits} with sources.", "fits",
                i = "Give fits of {.fn greedytl} with {.arg sources}.", call = call)
  }
}

# The picture of a map, or of a part of it: its rows and columns are those that are there.
source_map_picture <- function(x) {
  title <- paste("Source weights,", if (is.numeric(attr(x, "step"))) paste("step", attr(x, "step")) else
    "default model of each target")
  if (!nrow(x)) return(picture_empty("no source has weight", title))
  data <- data.frame(class = x$target, row = x$source, weight = x$weight)
  rows <- unique(x$source)
  all <- attr(x, "n_sources")
  note <- if (length(rows) < (all %||% 0)) {
    paste0(length(rows), " of ", all, " sources shown; ", attr(x, "n_entered"), " have weight for some target")
  }
  told <- c(self = "-: the target itself", unused = "x: not offered to the fit")[intersect(c("self", "unused"), x$kind)]
  if (length(told) && "zero" %in% x$kind) told <- c(told, zero = "blank: weight 0")
  note <- paste(c(note, told), collapse = "; ")
  picture <- picture_map(data, rows, unique(x$target), c("target", "source"), title = title,
                     note = if (nzchar(note)) note, unit = "weight")
  marked <- x$kind %in% c("self", "unused")
  if (!any(marked)) return(picture)
  marks <- data.frame(x = match(x$target, unique(x$target)), y = length(rows) + 1 - match(x$source, rows),
                      label = ifelse(x$kind == "self", "-", "x"), hjust = .5)[marked, ]
  layers <- picture$panels[[1]]$layers
  text <- picture_layer("text", marks, vjust = .5, cex = 1, col = picture_colours$ink)
  picture$panels[[1]]$layers <- c(layers, list(text))
  picture
}

#' @rdname source_map
#' @export
plot.source_map <- function(x, ...) picture_user_plot(x, source_map_picture(x), ...)

#' @rdname source_map
#' @exportS3Method ggplot2::autoplot
autoplot.source_map <- function(object, ...) picture_user_autoplot(source_map_picture(object), ...)

# Runs code that draws, on a device whose file is removed.
draw <- function(code, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  force(code)
}

# The positions of the marks of one geom in a ggplot: x and y, for ranges and bands also the ends.
gg_marks <- function(picture, geom) {
  mine <- which(vapply(picture$layers, function(layer) class(layer$geom)[[1L]] == geom, NA))
  parts <- lapply(mine, function(k) {
    data <- ggplot2::layer_data(picture, k)
    data[intersect(c("x", "y", "xend", "yend", "xintercept", "yintercept", "ymin", "ymax", "fill"),
                   names(data))]
  })
  all <- unique(unlist(lapply(parts, names)))
  do.call(rbind, lapply(parts, function(part) {
    for (name in setdiff(all, names(part))) part[[name]] <- rep(NA, nrow(part))
    part[all]
  }))
}

# The description of the picture that `code`, a call of plot(), hands to base graphics, with what a user set of it.
picture_of <- function(code) {
  package <- asNamespace("transelect")
  renderer <- package$picture_base_draw
  bind <- function(value) {
    unlockBinding("picture_base_draw", package)
    assign("picture_base_draw", value, package)
    lockBinding("picture_base_draw", package)
  }
  on.exit(bind(renderer))
  shown <- NULL
  bind(function(picture, ...) shown <<- picture)
  force(code)
  shown
}

# The marks of one kind in the description of a picture, or in one of its panels: what all layers of the kind have.
described_marks <- function(picture, kind, panel = seq_along(picture$panels)) {
  layers <- unlist(lapply(picture$panels[panel], `[[`, "layers"), recursive = FALSE)
  data <- lapply(Filter(function(layer) layer$kind == kind, layers), `[[`, "data")
  do.call(rbind, lapply(data, `[`, Reduce(intersect, lapply(data, names))))
}

# What `code` draws by base graphics, as the device records it: `text` (x, y, label), `axis` (side, at, label), a row
# for each label; `title`, the titles of axes; `panels`, left, right, bottom and top of each panel in shares of the
# figure.
drawn_by <- function(code, width = 7, height = 5) {
  grDevices::pdf(NULL, width, height)
  on.exit(grDevices::dev.off())
  grDevices::dev.control("enable")
  force(code)
  calls <- lapply(grDevices::recordPlot()[[1]], `[[`, 2)
  of <- function(kind) calls[vapply(calls, function(call) identical(call[[1]]$name, kind), NA)]
  rows <- function(parts) do.call(rbind, c(list(data.frame()), parts))
  list(
    text = rows(lapply(of("C_text"), function(call) data.frame(call[[2]][c("x", "y")], label = call[[3]]))),
    axis = rows(lapply(of("C_axis"), function(call) {
      label <- if (is.logical(call[[4]])) NA_character_ else call[[4]]
      data.frame(side = call[[2]], at = call[[3]], label = label, las = call$las, cex = call$cex.axis)
    })),
    title = unlist(lapply(of("C_title"), function(call) c(call[[4]], call[[5]]))),
    panels = do.call(rbind, lapply(of("C_par"), function(call) call[[2]]$plt))
  )
}

# The inches of words in letters of `points`.
text_inches <- function(words, points) {
  draw(grid::convertWidth(grid::unit(rep(points / 12, length(words)), "strwidth", as.list(words)), "inches",
                          valueOnly = TRUE))
}

# What a ggplot writes at the right of its panels: a list of data frames of the names of lines, or of labels.
gg_right <- function(p) {
  grobs <- Filter(Negate(is.null), lapply(p$layers, function(layer) layer$geom_params$grob))
  lapply(grobs, function(grob) grob$ends %||% data.frame(label = grob$label))
}

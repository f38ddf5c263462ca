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

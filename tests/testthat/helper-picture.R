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

# The positions of the marks of one kind in the description of a picture.
described_marks <- function(picture, kind) {
  layers <- unlist(lapply(picture$panels, `[[`, "layers"), recursive = FALSE)
  do.call(rbind, lapply(layers[vapply(layers, `[[`, "", "kind") == kind], function(layer) {
    layer$data[intersect(c("x", "y", "xend", "yend", "low", "high", "value"), names(layer$data))]
  }))
}

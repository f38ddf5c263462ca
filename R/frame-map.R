# A map of features (stumps, pieces, products) in the place of a design: it holds the columns that they are made of.

is_mapped <- function(frame) inherits(frame$x, "feature_map")

# The columns of a design, those that features are made of where it is a map.
columns_of <- function(x) if (inherits(x, "feature_map")) x$x else x

# The design with other rows of these columns.
with_columns <- function(x, columns) {
  if (!inherits(x, "feature_map")) return(columns)
  x$x <- columns
  x
}

design_rows <- function(x, i) with_columns(x, columns_of(x)[i, , drop = FALSE])

# What a path keeps of a map; NULL of any other design.
map_without_rows <- function(x) {
  if (!inherits(x, "feature_map")) return(NULL)
  x$x <- NULL
  x
}

#' @export
dim.feature_map <- function(x) dim(x$x)

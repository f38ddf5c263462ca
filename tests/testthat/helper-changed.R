# Objects with other values, for tests of what is said and drawn of these.

# A table of a class of its own with other values in its columns: as if a call had made it so.
table_with <- function(table, ...) {
  new <- list(...)
  own <- oldClass(table)
  oldClass(table) <- "data.frame"
  for (name in names(new)) table[[name]] <- new[[name]]
  oldClass(table) <- own
  table
}

# A fit without the record of how it was made, by which verbs find that it was changed.
unsealed <- function(object) {
  attr(object, "shape") <- NULL
  if (!is.null(object$fit)) attr(object$fit, "shape") <- NULL
  object
}

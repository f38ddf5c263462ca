# Names of rows, which fitted(), residuals() and predict() carry as lm()'s do.

# The names of the rows of data, NULL where they have none. Numbers stay numbers: R writes them out as text only where
# somebody looks at them.
row_labels <- function(data) {
  if (is.data.frame(data)) attr(data, "row.names") else dimnames(data)[[1L]]
}

# The names of the rows of a frame.
frame_row_names <- function(frame) {
  labels <- frame$row_labels
  if (is.null(labels)) return(NULL)
  if (length(frame$rows) == length(labels)) labels else labels[frame$rows]
}

# A vector, factor, matrix, array or data frame with a name for every row.
with_row_names <- function(value, labels) {
  if (!length(labels) || is.null(value)) return(value)
  if (is.data.frame(value)) {
    if (!anyDuplicated(labels)) attr(value, "row.names") <- labels
  } else if (is.null(dim(value))) {
    names(value) <- as.character(labels)
  } else {
    others <- dimnames(value)[-1L] %||% rep(list(NULL), length(dim(value)) - 1L)
    dimnames(value) <- c(list(as.character(labels)), others)
  }
  value
}

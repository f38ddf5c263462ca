# New rows far outside those of the fit: the ranges of the columns of a fit, and columns of new rows bounded to them.

BOUND <- 10 # ranges outside the rows of the fit at which columns of new rows are bounded

# The path with the ranges of its columns in the rows of the frame, and the default of predict(bound = ). columns: those
# that some model uses; asked: numbers of sources that have no values in the frame, with their ranges. From moments the
# ranges are not known; features of a map are not columns of the frame.
path_bound_with_ranges <- function(path, frame, columns, bound = NULL, asked = NULL) {
  made <- oldClass(path)
  path <- unclass(path) # for a faster `$`, as the frame
  frame <- unclass(frame)
  path$bound <- bound
  if (frame_rows_are_there(frame) && !frame_is_mapped(frame)) {
    path$ranges <- path_bound_ranges(frame, columns, asked)
  }
  class(path) <- made
  path
}

# list(column, low, high) of a frame of rows.
path_bound_ranges <- function(frame, columns, asked) {
  x <- frame$x
  values <- frame$sources$values
  others <- integer()
  if (!is.null(values) || !is.null(asked)) {
    p <- ncol(x)
    others <- match(columns - p, asked$at, 0L)
    columns <- c(columns[columns <= p | !is.null(values)], columns[others > 0L])
  }
  spans <- .Call(C_spans, if (is.null(values)) list(x) else list(x, values), as.double(nrow(x)),
                 if (any(others > 0L)) columns[columns <= p] else columns, NULL)
  dim(spans) <- c(2L, length(spans) %/% 2L)
  if (any(others > 0L)) spans <- cbind(spans, asked$spans[, others])
  list(column = columns, low = spans[1L, ], high = spans[2L, ])
}

# Columns z of new rows (their numbers are `columns`) as a fit has them that bounded some columns at fences. tails:
# NULL, or of these the numbers (columns), low, high and the share of the bounded column in the column of the fit.
path_bound_with_tails <- function(z, columns, tails) {
  column <- match(tails$columns, columns)
  for (k in which(!is.na(column))) {
    x <- z[, column[k]]
    z[, column[k]] <- x + tails$share[k] * (pmin(pmax(x, tails$low[k]), tails$high[k]) - x)
  }
  z
}

path_bound_check <- function(bound, call) {
  if (identical(bound, Inf)) return(bound)
  check_number(bound, "bound", 0, call)
}

# list(z, level, far). z: the columns of new rows, bounded at `bound` ranges outside the ranges of the path. level:
# NULL, or for a sparse z, in which zeros were moved too, what is to be added to each of its columns. far: NULL, or what
# path_predict_tell_far() takes. A column that does not vary in the rows of the fit has no width, and no bound. told: is
# there a user to read a message? A method without a bound of its own then only says which rows are far.
path_bound_columns <- function(path, columns, z, bound, told, call) {
  asked <- !is.null(bound)
  bound <- if (asked) path_bound_check(bound, call) else path$bound %||% Inf
  ranges <- path$ranges
  if (is.null(ranges) && asked && bound < Inf) {
    abort_input("{.arg bound} is {bound}, but the ranges of the columns are not known.", "bound",
                i = "Leave it out: a fit to moments, or to a map of features, keeps no ranges.", call = call)
  }
  row <- match(columns, ranges$column)
  if (is.null(ranges) || bound == Inf && (asked || !told) || !length(z)) return(list(z = z))
  width <- ranges$high[row] - ranges$low[row]
  bounded <- which(width > 0 & width < Inf)
  by <- (if (bound < Inf) bound else BOUND) * width[bounded]
  low <- rep.int(-Inf, length(row))
  high <- -low
  low[bounded] <- ranges$low[row[bounded]] - by
  high[bounded] <- ranges$high[row[bounded]] + by
  if (isS4(z) && !methods::is(z, "dgCMatrix")) z <- as.matrix(z)
  if (!isS4(z) && !is.double(z)) storage.mode(z) <- "double"
  found <- if (isS4(z)) path_bound_sparse(z, low, high) else .Call(C_bounded, z, low, high)
  if (is.null(found)) return(list(z = z))
  far <- if (told || bound < Inf) {
    k <- which(found$count > 0)
    away <- pmax(found$largest - ranges$high[row], ranges$low[row] - found$least)[k] / width[k]
    list(column = columns[k], away = away, count = found$count[k], outside = found$outside, bound = bound)
  }
  if (bound < Inf) list(z = found$z, level = found$level, far = far) else list(z = z, far = far)
}

# What C_bounded makes of a dense matrix, and `level`. The extreme numbers are those out of range alone.
path_bound_sparse <- function(z, low, high) {
  filled <- diff(z@p)
  column <- rep.int(seq_along(filled), filled)
  beyond <- which(z@x < low[column] | z@x > high[column])
  level <- pmin(pmax(0, low), high) # what becomes of a zero
  level[filled == nrow(z)] <- 0
  moved <- which(level != 0)
  if (!length(beyond) && !length(moved)) return(NULL)
  count <- tabulate(column[beyond], ncol(z))
  least <- largest <- numeric(ncol(z))
  outside <- seq_len(nrow(z)) %in% (z@i[beyond] + 1L)
  for (k in union(which(count > 0), moved)) {
    far <- c(z@x[beyond[column[beyond] == k]], if (k %in% moved) 0)
    least[k] <- min(far)
    largest[k] <- max(far)
    if (!k %in% moved) next
    outside <- outside | !seq_len(nrow(z)) %in% (z@i[column == k] + 1L)
    count[k] <- count[k] + nrow(z) - filled[k]
  }
  z@x[beyond] <- pmin(pmax(z@x[beyond], low[column[beyond]]), high[column[beyond]])
  z@x <- z@x - level[column]
  list(z = z, level = level, outside = outside, count = count, least = least, largest = largest)
}

# Is some number of a held-out row further than `bound` ranges outside the training rows of its fold? Then its
# prediction is bounded, and the loss needs rows. fold: the fold of every row, NA for rows that are never held out.
path_bound_binds <- function(frame, fold, bound) {
  if (!(bound < Inf)) return(FALSE)
  values <- frame$sources$values
  blocks <- c(list(frame$x), if (!is.null(values)) list(values))
  columns <- seq_len(ncol(frame$x) + max(ncol(values), 0L))
  group <- addNA(fold, ifany = TRUE)
  spans <- .Call(C_spans, blocks, as.double(frame_rows_count(frame)), columns, as.integer(group))
  for (f in which(!is.na(levels(group)))) {
    low <- do.call(pmin, asplit(spans[1L, , -f, drop = FALSE], 3L))
    high <- do.call(pmax, asplit(spans[2L, , -f, drop = FALSE], 3L))
    by <- bound * (high - low)
    if (any(by > 0 & (spans[1L, , f] < low - by | spans[2L, , f] > high + by))) return(TRUE)
  }
  FALSE
}

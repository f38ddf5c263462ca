# The rows of a frame: how many, which domain, subsets, names.

# The labels of the frame's rows.
frame_rows_names <- function(frame) {
  labels <- frame$row_labels
  if (is.null(labels)) return(NULL)
  if (length(frame$rows) == length(labels)) labels else labels[frame$rows]
}

# The rows of the target, or their moments.
frame_rows_of_target <- function(frame, target) {
  if (!frame_rows_are_there(frame) && !is.null(frame$domain)) frame$moments <- frame$moments[target]
  if (is.null(frame$domain) || !nrow(frame$x)) return(frame)
  frame_rows(frame, which(frame_rows_of_domain(frame, target)))
}

# Under na.exclude fitted values stand at the places of their rows in the data. This returns the rows without a fitted
# value: incomplete rows, rows of other domains than the target (NULL: there is none), and rows of weight 0. NULL where
# only incomplete rows have none.
frame_rows_elsewhere <- function(frame, target) {
  left_out <- frame$na.action
  apart <- frame$unweighted
  whole <- frame_rows_count(frame) + length(apart$at) + length(left_out)
  if (is.null(frame$domain) && is.null(apart) || whole < max(left_out)) return(NULL)
  complete <- setdiff(seq_len(whole), left_out)
  kept <- if (is.null(apart)) complete else complete[-apart$at]
  of_target <- if (is.null(target) || is.null(frame$domain)) kept else kept[frame_rows_of_domain(frame, target)]
  rest <- setdiff(seq_len(whole), of_target)
  row_names <- character(whole)
  row_names[kept] <- frame_rows_names(frame)
  row_names[complete[apart$at]] <- if (!is.null(apart)) frame_rows_names(apart$frame)
  row_names[left_out] <- names(left_out)
  structure(rest, names = row_names[rest], class = "exclude")
}

# An error for the first column with values that are infinite or too large to be squared, as in the kernels of other
# methods.
frame_rows_refuse_large <- function(x, columns, call) {
  for (j in seq_len(ncol(x))) {
    v <- as.numeric(x[, j])
    if (any(abs(v) > SQUARES_MOST, na.rm = TRUE)) status_abort_not_finite(columns[j], "x", v, call)
  }
}

frame_rows_refuse_missing <- function(x, columns, call) {
  bad <- if (!is.matrix(x)) {
    which(Matrix::colSums(is.na(x)) > 0)
  } else if (anyNA(x)) {
    which(colSums(is.na(x)) > 0)
  }
  if (length(bad)) status_abort_not_finite(columns[bad[1]], "x", as.numeric(x[, bad[1]]), call)
}

# The number of rows of the frame, or of those that its moments were made of.
frame_rows_count <- function(frame) {
  if (frame_rows_are_there(frame)) nrow(.subset2(frame, "x")) else .subset2(frame, "n_rows")
}

# Rows of each domain, or `what` of those behind moments: "n" or "weight".
frame_rows_by_domain <- function(frame, what = "n") {
  if (frame_rows_are_there(frame)) return(tabulate(frame$domain, nlevels(frame$domain)))
  cells <- frame$moments$cells
  rowsum(cells[[what]], as.character(cells$domain))[levels(frame$domain), 1]
}

# .subset2() takes less time than `$`, which looks for a method first: many functions call this one.
frame_rows_are_there <- function(frame) is.null(.subset2(frame, "moments"))

# The number of features of a frame.
frame_rows_width <- function(frame) if (frame_is_mapped(frame)) frame$x$units else ncol(frame$x)

# The features of a frame as C takes them.
frame_rows_block <- function(frame) {
  map <- .subset2(frame, "x")
  if (is.list(map)) list(map$x, map$squares, map$singles) else map
}

# For each row whether it is of this domain. (`==` of a factor compares the labels of all rows, which takes longer.)
frame_rows_of_domain <- function(frame, domain) as.integer(frame$domain) == match(domain, levels(frame$domain), 0L)

# Are there so many rows for each cell that moments by cell may stand for them?
frame_rows_are_many <- function(frame, cells) {
  frame_rows_count(frame) >= ROWS_A_NUMBER * cells * (ncol(frame$x) + max(ncol(frame$sources$values),
                                                                          0) + NCOL(frame$y))
}

ROWS_A_NUMBER <- 10 # moments are tried from so many rows on for every mean, of a column in a cell

# The frame of rows i. Levels of the response without a row are kept.
frame_rows <- function(frame, i) {
  if (frame_is_mapped(frame)) frame$x$x <- frame$x$x[i, , drop = FALSE] else frame$x <- frame$x[i, , drop = FALSE]
  frame$y <- frame_rows_of_response(frame$y, i)
  if (!is.null(frame$raw)) frame$raw <- frame$raw[i, , drop = FALSE]
  if (!is.null(frame$sources)) frame$sources <- frame_rows_of_sources(frame$sources, i)
  for (name in c("weights", "domain", "rows", "offset", "strata")) {
    if (!is.null(frame[[name]])) frame[[name]] <- frame[[name]][i]
  }
  frame
}

# The frame of the rows, or the moments, of these domains.
frame_rows_of_domains <- function(frame, domains) {
  if (frame_rows_are_there(frame)) {
    frame <- frame_rows(frame, which(frame$domain %in% domains))
  } else {
    frame$moments <- frame$moments[domains]
    frame$domain <- frame$domain[frame$domain %in% domains]
    frame$n_rows <- sum(frame$moments$cells$n)
  }
  frame$domain <- table_used_levels(frame$domain)
  frame
}

frame_rows_of_response <- function(y, i) if (is.matrix(y)) y[i, , drop = FALSE] else y[i]

frame_rows_of_sources <- function(sources, i) {
  if (!is.null(sources$values)) sources$values <- sources$values[i, , drop = FALSE]
  sources
}

frame_rows_check_domain <- function(domain, n, call) {
  if (is.null(domain)) return(NULL)
  domain <- table_one_column(domain)
  if (!is.atomic(domain) || !is.null(dim(domain))) {
    abort_kind(domain, "domain", "Give a vector or factor with one entry for each row.", call)
  }
  if (length(domain) != n || anyNA(domain)) {
    abort_rows(domain, "domain", "Give the domain of each of the {n} rows.", call)
  }
  domain <- table_factor(domain)
  check_names_not_empty(levels(domain), "domain", "domain", call, missing = TRUE)
  domain
}

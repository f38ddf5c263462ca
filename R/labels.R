# Names of rows and of columns, and names cut to fit.


# The names of the rows of data, NULL where they have none. Numbers stay numbers: R writes them out as text only where
# somebody looks at them.
labels_of_rows <- function(data) {
  if (is.data.frame(data)) attr(data, "row.names") else dimnames(data)[[1L]]
}

# A vector, factor, matrix, array or data frame with a name for every row.
labels_set_row_names <- function(value, labels) {
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

labels_of_columns <- function(names, j) {
  if (!is.null(names)) return(names[j])
  if (length(j)) paste0("V", j) else character()
}

# The labels of all columns. of: a blueprint or settings: a list with `columns` and their number `p`.
labels_of_all_columns <- function(of) labels_of_columns(of$columns, seq_len(of$p))

# Names of more than `keep` characters are cut in the middle. Those that would become one are cut elsewhere, so that
# the first place in which they differ stays.
labels_shorten <- function(names, keep) {
  distinct <- unique(names)
  short <- labels_cut_out(distinct, keep, ceiling((keep - 2) / 2))
  short <- labels_cut_apart(distinct, short, keep, keep %/% 3)
  short[match(names, distinct)]
}

# short: of distinct names. Of those that are equal, `head` characters stay, and others from the first on in which they
# differ.
labels_cut_apart <- function(names, short, keep, head) {
  same <- which(short %in% short[duplicated(short)])
  for (these in split(same, short[same])) {
    low <- head
    high <- max(nchar(names[these])) # equal up to `low`, not up to `high`
    while (high - low > 1) {
      middle <- (low + high) %/% 2
      if (length(unique(substr(names[these], 1L, middle))) == 1L) low <- middle else high <- middle
    }
    rest <- keep - 2 - head
    from <- pmin(high, nchar(names[these]) - rest + 1)
    cut <- paste0(substr(names[these], 1L, head), "..", substr(names[these], from, from + rest - 1))
    short[these] <- if (all(cut == cut[1L])) cut else labels_cut_apart(names[these], cut, keep, head)
  }
  short
}

# Names of more than `keep` characters, of which `head` stand before the gap.
labels_cut_out <- function(names, keep, head) {
  n <- nchar(names)
  long <- n > keep
  names[long] <- paste0(substr(names[long], 1L, head), "..", substring(names[long], n[long] - (keep - 3L - head)))
  names
}

# What comes with rows, checked: responses, weights, domains; each check returns the value as a frame holds it.

check_response <- function(y, n, many = FALSE, call) {
  y <- one_column(plain_number(y))
  if (many && is.matrix(y)) return(check_responses(y, n, call))
  if (!is.null(dim(y)) || is.list(y)) abort_responses(y, call)
  classes <- is.factor(y) || is.character(y) || is.logical(y)
  if (!classes && !is.numeric(y)) abort_kind(y, "y", "Give a numeric vector or a factor.", call)
  refuse_incomplete(y, n, call)
  if (classes) return(check_classes(y, call))
  y <- as.double(y)
  if (!length(y)) return(y)
  range <- range(y)
  if (any(is.infinite(range))) {
    abort_input("{.arg y} has {sum(is.infinite(y))} infinite value{?s}.", "y",
                i = "Give finite values.", call = call)
  }
  if (range[1] == range[2]) {
    abort_input("{.arg y} is constant: every value is {y[1]}.", "y",
                i = "Give a response that varies.", call = call)
  }
  check_response_size(range, "", call)
  y
}

# Refuses an argument whose number of values is not n, the number of rows of the argument `of`.
refuse_unequal <- function(value, argument, n, of, call) {
  if (NROW(value) == n) return(invisible())
  abort_input("{.arg {argument}} has {NROW(value)} value{?s}, {.arg {of}} has {n} row{?s}.", argument,
              i = "Give one value for each row.", call = call)
}

# A response for every row, none missing.
refuse_incomplete <- function(y, n, call) {
  refuse_unequal(y, "y", n, "x", call)
  if (anyNA(y)) {
    abort_input("{.arg y} has {sum(is.na(y))} missing value{?s}.", "y",
                i = "Leave those rows out, or give a formula and {.code na.action}.",
                call = call)
  }
}

abort_responses <- function(y, call) {
  abort_input("{.arg y} is {.obj_type_friendly {y}} of {NCOL(y)} column{?s}.", "y",
              i = "Give one response: a numeric vector or a factor.", call = call)
}

# Refuses several responses where a method takes one.
refuse_responses <- function(frame, call) {
  if (is.matrix(frame$y) && !by_likelihood(frame$family)) abort_responses(frame$y, call)
}

# Refuses a response whose squares overflow or all underflow. range: its least and largest value.
check_response_size <- function(range, where, call) {
  spread <- range[2] - range[1]
  if (max(abs(range)) > SQUARES_MOST || spread < SQUARES_LEAST) {
    abort_input(paste0("{.arg y} is too ", if (spread > 1) "large" else "small", " to be squared",
                       where, "."), "y", i = "Rescale it.", call = call)
  }
}

# Several numeric responses: a matrix with names, one column for each response.
check_responses <- function(y, n, call) {
  if (!is.numeric(y) || ncol(y) == 0) {
    abort_input("{.arg y} is {.obj_type_friendly {y}} of {ncol(y)} column{?s}.", "y",
                i = "Give numbers: one column for each response.", call = call)
  }
  refuse_unequal(y, "y", n, "x", call)
  names <- response_names(colnames(y), ncol(y))
  check_names(names, "y", call)
  y <- matrix(as.double(y), n, dimnames = list(NULL, names))
  wrong <- names[colSums(!is.finite(y)) > 0]
  if (length(wrong)) {
    abort_input("{.arg y} has missing or infinite values in {.val {wrong}}.", "y",
                i = "Leave those rows out, or give a formula and {.code na.action}.",
                call = call)
  }
  same <- names[apply(y, 2, function(column) min(column) == max(column))]
  if (n && length(same)) {
    abort_input("{.arg y} is constant in {.val {same}}.", "y", i = "Give a response that varies.",
                call = call)
  }
  for (name in if (n) names) check_response_size(range(y[, name]), paste0(" in \"", name, "\""), call)
  y
}

# Response k without a name is y<k>; where that is the name of another, y<k>.1 and so on.
response_names <- function(names, count) {
  names <- names %||% character(count)
  blank <- is.na(names) | names == ""
  if (!any(blank)) return(names)
  made <- make.unique(c(names[!blank], paste0("y", which(blank))))
  names[blank] <- utils::tail(made, sum(blank))
  names
}

# Refuses empty names. `missing` is TRUE where the names are entries of a vector, in which an empty one
# is likely to stand for a missing value.
refuse_unnamed <- function(names, argument, what, call, missing = FALSE) {
  unnamed <- names[is.na(names) | names == ""]
  if (length(unnamed)) {
    abort_input("{.arg {argument}} has the {what} {.val {unnamed[1]}}.", argument,
                i = "Give every {what} a name.",
                i = if (missing) "Give {.code NA} for a missing entry, or leave the row out.",
                call = call)
  }
}

# what: what has the names.
check_names <- function(names, argument, call, what = "column") {
  refuse_unnamed(names, argument, what, call)
  if (anyDuplicated(names)) {
    twice <- unique(names[duplicated(names)])
    abort_input("{.arg {argument}} has more than one {what} named {.val {utils::head(twice, 5)}}.",
                argument, i = "Give every {what} a name of its own.", call = call)
  }
}

# Refuses text or whole numbers with more different values than a third of the rows: they are unlikely
# to be classes.
refuse_many_classes <- function(y, call) {
  if (is.factor(y)) return(invisible())
  values <- length(unique(y))
  if (values <= max(2, length(y) / 3)) return(invisible())
  number <- is.numeric(y) || !anyNA(suppressWarnings(as.numeric(y)))
  abort_input("{.arg y} is {.obj_type_friendly {y}} with {values} different values in {length(y)}
               rows.", "y",
              i = if (number) "Give {.code as.numeric(y)} if it holds numbers,
                               {.code factor(y)} if every value is a class of its own." else
                "Give {.code factor(y)} if every value is a class of its own.", call = call)
}

check_classes <- function(y, call) {
  refuse_many_classes(y, call)
  y <- as.factor(y)
  empty <- levels(y)[tabulate(y, nlevels(y)) == 0]
  if (length(empty)) {
    tell(paste0("Dropping the class", if (length(empty) > 1) "es", " ", in_quotes(empty),
                " of `y`: no complete row has ", if (length(empty) > 1) "them." else "it."))
    y <- factor(y, levels = setdiff(levels(y), empty))
  }
  if (nlevels(y) < 2) {
    abort_input("{.arg y} has one class: {.val {levels(y)}}.", "y",
                i = "Give a response of two classes or more.", call = call)
  }
  refuse_unnamed(levels(y), "y", "class", call, missing = TRUE)
  y
}

check_weights <- function(weights, n, call) {
  if (is.null(weights)) return(NULL)
  weights <- plain_number(weights)
  if (!is.numeric(weights) || length(weights) != n) {
    abort_rows(weights, "weights", "Give one number for each of the {n} rows.", call)
  }
  wrong <- which(!is.finite(weights) | weights < 0)
  if (length(wrong)) {
    abort_input("{.arg weights} has a missing, infinite or negative value at {.val {wrong[1]}}.",
                "weights", i = "Give finite weights, none negative.", call = call)
  }
  if (all(weights == 0)) {
    abort_input("{.arg weights} are all zero.", "weights", i = "Give at least one positive weight.",
                call = call)
  }
  as.double(weights)
}

WEIGHT_RATIO <- 1e300 # between weights; shares of their sum are numbers then

WEIGHT_MOST <- 1e100  # sums of products with weights up to it, or down to its inverse, are numbers

# Brings very large or very small weights to about 1 by a power of two, which changes no fit, since fits
# depend on ratios of weights only. The power is applied in two halves, as the whole may overflow. Weights
# of ordinary size stay as they were given.
weights_in_range <- function(weights, call) {
  most <- max(weights)
  if (min(weights) / most < 1 / WEIGHT_RATIO) {
    abort_input("{.arg weights} go from {.val {min(weights)}} to {.val {most}}.", "weights",
                i = "Give weights of which the largest is at most {.val {WEIGHT_RATIO}} times the
                     smallest above 0; rows of weight 0 are left out.", call = call)
  }
  if (most <= WEIGHT_MOST && most >= 1 / WEIGHT_MOST) return(weights)
  power <- -floor(log2(most))
  half <- floor(power / 2)
  weights * 2^half * 2^(power - half)
}

check_domain <- function(domain, n, call) {
  if (is.null(domain)) return(NULL)
  domain <- plain_number(domain)
  if (!is.atomic(domain) || !is.null(dim(domain))) {
    abort_kind(domain, "domain", "Give a vector or factor with one entry for each row.", call)
  }
  if (length(domain) != n || anyNA(domain)) {
    abort_rows(domain, "domain", "Give the domain of each of the {n} rows.", call)
  }
  domain <- quick_factor(domain)
  refuse_unnamed(levels(domain), "domain", "domain", call, missing = TRUE)
  domain
}

# As factor() of a vector that names domains or folds, of a factor its levels in use. It does not turn the value of
# every row into text first.
quick_factor <- function(x) {
  if (is.factor(x)) return(used_levels(x))
  values <- distinct_sorted(x)
  labels <- as.character(values)
  if (anyDuplicated(labels)) return(factor(x))
  coded <- is.integer(x) && identical(values, seq_along(values))
  codes <- if (coded) as.integer(x) else match(x, values)
  attr(codes, "levels") <- labels
  class(codes) <- "factor" # several times as fast as structure()
  codes
}

# sort(unique(x)), of small whole numbers without a table of their values.
distinct_sorted <- function(x) {
  counts <- if (is.integer(x) && !is.object(x)) tabulate(x, 1000L)
  if (length(x) && sum(counts) == length(x)) which(counts > 0L) else sort(unique(x))
}

# As droplevels(), but faster where every level is in use.
used_levels <- function(f) {
  if (all(tabulate(f, nlevels(f)) > 0)) f else droplevels(f)
}

refuse_few_rows <- function(n, call) {
  if (n > 1) return(invisible())
  abort_input("{n} row{?s} {?is/are} left to fit.", "x",
              i = "Give at least 2 that {.arg subset}, {.arg na.action} and weights leave in.",
              call = call)
}

is_database <- function(data) inherits(data, c("DBIConnection", "tbl_lazy"))

# Data that are not in R's memory.
is_remote <- function(data) {
  is_database(data) || inherits(data, c("Dataset", "ArrowTabular", "arrow_dplyr_query", "RecordBatchReader"))
}

MOMENTS_FIRST <- paste(
  "Add it up first: {.code moments(y ~ ., data = ...)} reads databases, Arrow data and chunks, and",
  "{.fn greedytl}, {.fn tgreedy}, {.fn tlcp} and {.fn cv_path} take its result in place of rows."
)

# Refuses a column that varies, but whose squares underflow, as the kernels of the other fitters do.
refuse_tiny <- function(sums, x, columns, call) {
  at <- seq_len(ncol(x))
  most <- Reduce(pmax, lapply(sums$cells, function(cell) diag(cell$cross)[at]))
  for (j in at[!is.na(most) & most < SQUARES_LEAST^2]) {
    v <- as.numeric(x[, j])
    v <- v[is.finite(v)]
    if (length(v) && max(abs(v)) <= SQUARES_LEAST && min(v) < max(v)) abort_not_finite(columns[j], "x", v, call)
  }
}

refuse_missing <- function(x, columns, call) {
  bad <- if (!is.matrix(x)) {
    which(Matrix::colSums(is.na(x)) > 0)
  } else if (anyNA(x)) {
    which(colSums(is.na(x)) > 0)
  }
  if (length(bad)) abort_not_finite(columns[bad[1]], "x", as.numeric(x[, bad[1]]), call)
}

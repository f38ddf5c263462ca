# What every call needs: checks of arguments by their names and their values (each check of a value returns it in the
# form that the kernels take), statuses of the C kernels as errors, progress, and tables of values known to be valid.

# ---- arguments by their names -------------------------------------------------------------------

# Checks the calling function: every argument is named in full, and nothing is left in `...`.
# `call`: the function that the user called, whose error it is. `more`: names that `...` may have. `at`: the frame of
# the function. Returns `call`.
check_arguments <- function(call = NULL, more = NULL, at = sys.parent()) {
  force(at)
  checked_arguments(call, more, at)
  invisible(call %||% sys.frame(at))
}

# check_arguments() that returns what is written, see written_arguments().
checked_arguments <- function(call, more, at) {
  written <- refuse_abbreviated(at, call)
  env <- sys.frame(at)
  if (eval(quote(...length()), env) == 0L) return(written)
  dots <- as.list(substitute(list(...), env))[-1]
  dots <- dots[!vapply(dots, rlang::is_missing, NA)]
  if (length(dots)) dots <- dots[!rlang::names2(dots) %in% more]
  if (!length(dots)) return(written)
  unknown <- rlang::names2(dots)
  if (!nzchar(unknown[1])) refuse_unnamed_argument(dots[[1]], at, call, more)
  refuse_argument(unknown[1], at, call %||% env, more)
}

refuse_unnamed_argument <- function(written, at, call, more) {
  text <- shortened(deparse(written, nlines = 1)[1], 30)
  abort_input("There is an argument too many, without a name: {.code {text}}.",
              "argument", i = "Give it by its name. The arguments are {.arg {c(own_names(at), more)}}.",
              call = call %||% sys.frame(at))
}

# check_arguments() for a function that hands its `...` on: other names may be in it.
check_spelling <- function() {
  refuse_abbreviated(sys.parent(), NULL)
  invisible(parent.frame())
}

# R takes `s = 2` for `step = 2`; here names must be written in full. Returns what is written.
refuse_abbreviated <- function(at, call) {
  written <- written_arguments(at)
  if (!length(written)) return(written)
  formal <- names(formals(sys.function(at)))
  wrong <- names(written)[!names(written) %in% formal]
  if (!length(wrong)) return(written)
  wrong <- wrong[!is.na(pmatch(wrong, formal[seq_len(match("...", formal, length(formal) + 1) - 1)],
                               duplicates.ok = TRUE))]
  if (length(wrong)) refuse_argument(wrong[1], at, call %||% sys.frame(at))
  written
}

# The arguments with names as they stand in the call of frame `at`, those that came in its caller's `...` too.
written_arguments <- function(at) {
  call <- sys.call(at)
  if (match("...", all.names(call), 0L)) {
    from <- sys.frame(sys.parents()[at])
    call <- tryCatch(match.call(function(...) NULL, call, envir = from), error = function(e) NULL)
  }
  names <- names(call)
  if (is.null(names)) list() else as.list(call)[nzchar(names)]
}

# ---- values --------------------------------------------------------------------------------------

# Finite numbers, at least one, or as many as one of `n` says. good: which of them will do.
check_numbers <- function(values, argument, good, mend, call, n = NULL, env = rlang::caller_env()) {
  values <- plain_number(values)
  many <- if (is.null(n)) length(values) > 0 else length(values) %in% n
  if (is.numeric(values) && many && all(is.finite(values)) && all(good(values))) return(values)
  abort_value(values, argument, mend, call, env)
}

# Numbers of a grid, each once.
check_grid <- function(values, argument, good, mend, call) {
  values <- check_numbers(values, argument, good, mend, call)
  if (anyDuplicated(values)) {
    abort_input("{.arg {argument}} has {.val {values[duplicated(values)]}} twice.", argument,
                i = "Give every value once.", call = call)
  }
  as.double(values)
}

# A default is written as all the choices, of which the first is meant.
check_choice <- function(value, choices, argument, call) {
  if (identical(value, choices)) value <- value[1]
  if (!is.character(value) || length(value) != 1 || !value %in% choices) {
    abort_value(value, argument, "Give one of {.or {.val {choices}}}.", call)
  }
  value
}

check_flag <- function(value, argument, call) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) {
    abort_value(value, argument, "Give {.code TRUE} or {.code FALSE}.", call)
  }
  value
}

# One finite number from `low` to `high`.
check_number <- function(value, argument, low, call, whole = FALSE, high = Inf) {
  value <- plain_number(value)
  good <- is.numeric(value) && length(value) == 1 && is.finite(value) && value >= low &&
    value <= high && (!whole || value == round(value))
  if (!good) {
    kind <- if (whole) "whole number" else "number"
    range <- if (high < Inf) " from {low} to {high}." else ", at least {low}."
    abort_value(value, argument, paste0("Give one {kind}", range), call)
  }
  as.double(value)
}

# Refuses several values (or models: `n` of them) where one is wanted.
refuse_several <- function(n, argument, call) {
  if (n > 1) abort_input("{.arg {argument}} has {n} values.", argument, i = "Give one.", call = call)
}

# An error for a data frame whose columns have no names at all.
refuse_nameless <- function(data, argument, call) {
  if (!is.data.frame(data) || !is.null(attr(data, "names")) || !length(data)) return(invisible())
  abort_input("{.arg {argument}} has {length(data)} column{?s} and no names.", argument,
              i = "Give every column a name.", call = call)
}

refuse_no_columns <- function(count, call) {
  if (count == 0) abort_input("{.arg x} has no columns.", "x", i = "Give at least one.", call = call)
}

# A list of which every element has a name of its own.
refuse_names <- function(list, argument, mend, call) {
  names <- rlang::names2(list)
  if (all(nzchar(names)) && !anyDuplicated(names)) return(invisible())
  abort_input("{.arg {argument}} has elements without a name, or two of one name.", argument, i = mend, call = call)
}

# Significant digits, as format() takes them.
check_digits <- function(digits, call) check_number(digits, "digits", 1, call, whole = TRUE, high = 22)

# A matrix of one column as a vector.
one_column <- function(value) {
  value <- plain_number(value)
  if (is.matrix(value) && ncol(value) == 1) value[, 1] else value
}

# Integers of 64 bits as the numbers that they stand for, and an array of one dimension as the vector that it is.
plain_number <- function(value) {
  if (is.object(value) && inherits(value, "integer64")) value <- from_integer64(value)
  if (length(dim(value)) != 1L) return(value)
  if (is.table(value)) value <- unclass(value)
  dim(value) <- NULL
  value
}

from_integer64 <- function(v) {
  rlang::check_installed("bit64", "to read 64-bit integers")
  loadNamespace("bit64")
  as.double(v)
}

# plain_number() of the columns of a data frame.
plain_numbers <- function(data) {
  for (j in which(vapply(data, function(v) inherits(v, "integer64") || length(dim(v)) == 1L, NA))) {
    data[[j]] <- plain_number(data[[j]])
  }
  data
}

# One number between 0 and 1, neither of them.
check_share <- function(value, argument, call) {
  value <- plain_number(value)
  good <- is.numeric(value) && length(value) == 1 && isTRUE(value > 0 && value < 1)
  if (!good) abort_value(value, argument, "Give one number between 0 and 1.", call)
  value
}

MOST_THREADS <- 1024 # that the kernels take

check_threads <- function(call) {
  threads <- getOption("transelect.threads", 1L)
  as.integer(check_number(threads, "transelect.threads", 1, call, TRUE, high = MOST_THREADS))
}

# The largest number of columns a path may take.
check_most <- function(max_steps, columns, call) {
  max_steps <- check_number(max_steps, "max_steps", 0, call, whole = TRUE)
  if (max_steps > columns) {
    abort_input("{.arg max_steps} is {max_steps}, more than the {columns} column{?s}
                 there {?is/are}.",
                "max_steps", i = "Give at most {columns}: features and sources
                                  together.", call = call, most = columns)
  }
  max_steps
}

check_candidates <- function(candidates, columns, call) {
  if (is.null(candidates)) return(0L)
  as.integer(min(check_number(candidates, "candidates", 1, call, whole = TRUE), columns))
}

# Numbers in the order of `names`: by their names, or as they stand where they have none.
in_order_of <- function(values, names, argument, call) {
  if (is.null(names(values)) || !is.numeric(values)) return(values)
  at <- match_names(names, names(values))
  if (anyNA(at) || length(values) != length(names) || anyDuplicated(at)) {
    abort_input("{.arg {argument}} has numbers named {.val {utils::head(names(values), 5)}}.",
                argument, i = "Name all of {.val {utils::head(names, 5)}}, or none.", call = call)
  }
  unname(values[at])
}

SQUARES_LEAST <- 1e-140 # values whose squares are numbers
SQUARES_MOST <- 1e140

# ---- statuses of the C kernels, as errors ------------------------------------------------------

# `status` is named by its word. `column` is the one that the kernel refused, `label` its name, `argument` the
# argument that it came from.
abort_status <- function(status, label, argument, column, call) {
  switch(names(status),
    not_finite = abort_not_finite(label, argument, column, call),
    constant_y = abort_input("{.arg y} is constant, or too small or large to be squared.", "y",
                             i = "Give a response that varies; rescale it if it does.", call = call),
    collinear_keep = abort_input(
      "{.arg keep} names {.val {label}}, which is constant or a combination of those before it.",
      "keep", i = "Leave it out.", call = call
    ),
    no_evidence = abort_input(
      "The evidence for {.arg ridge} could not be evaluated.", "ridge",
      i = "Give numbers: {.code ridge = c(features = 10, sources = 1)}.", call = call
    )
  )
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
  if (anyNA(names) || !all(nzchar(names))) refuse_unnamed(names, argument, what, call)
  if (anyDuplicated(names)) {
    twice <- unique(names[duplicated(names)])
    abort_input("{.arg {argument}} has more than one {what} named {.val {utils::head(twice, 5)}}.",
                argument, i = "Give every {what} a name of its own.", call = call)
  }
}

# ---- progress of work that may take seconds -----------------------------------------------------
# Where the package progressr is loaded, it is told, and the user decides; else cli shows a bar in an interactive
# session, once the work has taken two seconds, with an estimate of the rest where the end is known. A computation
# within a computation that already shows progress shows none.

progress_state <- new.env(parent = emptyenv())

progress_state$busy <- FALSE

# A function of `done` (and `all`, 0 where the end is not known) to call as the work goes on, until the function that
# asked for it returns; NULL where nobody is shown the progress.
new_progress <- function(what, total = 0, envir = rlang::caller_env(), told = isNamespaceLoaded("progressr")) {
  if (progress_state$busy) return(NULL)
  if (!told && !isTRUE(getOption("transelect.progress", interactive() && rlang::is_interactive()))) return(NULL)
  silence_nested(envir)
  if (told) progress_by_progressr(what, total, envir) else progress_by_cli(what, total, envir)
}

# Silences progress of work within the call of `envir`.
silence_nested <- function(envir) {
  if (progress_state$busy) return(invisible())
  progress_state$busy <- TRUE
  do.call(on.exit, list(bquote(assign("busy", FALSE, envir = .(progress_state))), add = TRUE), envir = envir)
}

# The progress in percent where the end is known, otherwise in words.
progress_by_progressr <- function(what, total, envir) {
  signal <- progressr::progressor(steps = 100, label = what, envir = envir)
  at <- 0
  function(done, all = total) {
    here <- if (all > 0) min(100, floor(100 * done / all)) else at
    message <- paste0(what, ": ", signif(done, 3), if (all > 0) paste(" of", signif(all, 3)))
    signal(message, amount = here - at)
    at <<- here
  }
}

progress_by_cli <- function(what, total, envir) {
  bar <- cli::cli_progress_bar(what, total = if (total > 0) total else NA, .envir = envir)
  function(done, all = total) {
    cli::cli_progress_update(set = done, total = if (all > 0) all else NA, id = bar, .envir = envir)
  }
}

# Runs `code`, during which the kernels report their progress.
with_progress_of <- function(what, code) {
  tell <- new_progress(what)
  if (!is.null(tell)) {
    .Call(C_progress, tell)
    on.exit(.Call(C_progress, NULL), add = TRUE)
  }
  code
}

# ---- tables, factors and sparse matrices of valid values, made without checks ------------------------

# A dgCMatrix from its slots, which are known to be valid: new() would check them, and `@<-` the class of each.
sparse_matrix <- function(i, p, x, dim, dimnames) {
  out <- EMPTY_SPARSE
  attr(out, "i") <- i
  attr(out, "p") <- p
  attr(out, "x") <- x
  attr(out, "Dim") <- dim
  attr(out, "Dimnames") <- dimnames
  out
}

EMPTY_SPARSE <- new("dgCMatrix")

# A dense matrix whose rows are those numbered `rows` of p, all others being zero.
as_sparse <- function(dense, names, rows = seq_len(p), p = nrow(dense)) {
  at <- which(is.na(dense) | dense != 0)
  before <- at - 1L
  in_column <- tabulate(before %/% nrow(dense) + 1L, ncol(dense))
  sparse_matrix(rows[before %% nrow(dense) + 1L] - 1L, c(0L, cumsum(in_column)), dense[at], c(p, ncol(dense)),
                list(names, NULL))
}

# Lists of the same columns, one below the other.
stacked <- function(tables) if (length(tables) == 1L) tables[[1]] else .Call(C_stacked, tables)

# A data frame of columns known to be of one length, which list2DF() would check.
quick_frame <- function(columns) {
  attr(columns, "row.names") <- .set_row_names(length(columns[[1]]))
  class(columns) <- "data.frame"
  columns
}

# Numbers of columns, ascending, each once; there is nothing to sort.
distinct_columns <- function(columns) which(tabulate(columns) > 0L)

nan_to_na <- function(x) {
  x[is.nan(x)] <- NA
  x
}

# For each column of a logical matrix the names of its rows that are TRUE, one string.
names_by_column <- function(true, names) {
  at <- which(true) - 1L
  change_names(at %/% nrow(true) + 1L, names[at %% nrow(true) + 1L], ncol(true), identity)
}

# The names of the rows that changed at each of n events, NA where none did.
change_names <- function(event, label, n, arranged = sort) {
  out <- rep.int(NA_character_, n)
  out[event] <- label
  if (!anyDuplicated(event)) return(out)
  shared <- event %in% event[duplicated(event)]
  several <- vapply(split(label[shared], event[shared]),
                    function(x) paste(arranged(x), collapse = ", "), "")
  out[as.integer(names(several))] <- several
  out
}

# As factor() of a vector that names domains or folds, of a factor its levels in use. It does not turn the value of
# every row into text first.
quick_factor <- function(x) {
  if (is.factor(x)) return(used_levels(x))
  values <- distinct_sorted(x)
  labels <- value_names(values)
  if (anyDuplicated(labels)) return(factor(x))
  coded <- is.integer(x) && identical(values, seq_along(values))
  codes <- if (coded) as.integer(x) else match(x, values)
  attr(codes, "levels") <- labels
  class(codes) <- "factor"
  codes
}

# sort(unique(x)); small whole numbers are counted, not sorted.
distinct_sorted <- function(x) {
  if (length(x) && is.integer(x) && !is.object(x)) {
    counts <- tabulate(x, 1000L)
    missing <- if (anyNA(x)) sum(is.na(x)) else 0L
    if (sum(counts) + missing == length(x)) return(which(counts > 0L))
  }
  sort(unique(x))
}

# As droplevels(), but faster where every level is in use.
used_levels <- function(f) {
  if (all(tabulate(f, nlevels(f)) > 0)) f else droplevels(f)
}
# Tables and sparse matrices of columns that are known to be valid, made without the checks of data.frame() and new();
# names of rows.

# ---- names of rows, which fitted(), residuals() and predict() carry as lm()'s do ----------------------

# The names of the rows of data, NULL where they have none. Numbers stay numbers: R writes them out as text only where
# somebody looks at them.
row_labels <- function(data) {
  if (is.data.frame(data)) attr(data, "row.names") else dimnames(data)[[1L]]
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

column_labels <- function(names, j) {
  if (!is.null(names)) return(names[j])
  if (length(j)) paste0("V", j) else character()
}

# The labels of all columns. of: a blueprint or settings: a list with `columns` and their number `p`.
all_labels <- function(of) column_labels(of$columns, seq_len(of$p))

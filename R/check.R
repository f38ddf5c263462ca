# Checks of arguments: by their names, by their values, and by what the C kernels find. Each check of a value returns
# it in the form that the kernels take.

# ---- arguments by their names -------------------------------------------------------------------

# Checks the calling function: every argument is named in full, and nothing is left in `...`.
# `call`: the function that the user called, whose error it is. `more`: names that `...` may have. `at`: the frame of
# the function. Returns `call`.
check_arguments <- function(call = NULL, more = NULL, at = sys.parent()) {
  force(at)
  checked_names(call, more, at)
  invisible(call %||% sys.frame(at))
}

# check_arguments() that returns the names that are written.
checked_names <- function(call, more, at) {
  written <- refuse_abbreviated(at, call)
  env <- sys.frame(at)
  if (eval(quote(...length()), env) == 0L) return(written)
  dots <- as.list(substitute(list(...), env))[-1]
  dots <- dots[!vapply(dots, rlang::is_missing, NA)]
  if (length(dots)) dots <- dots[!rlang::names2(dots) %in% more]
  if (!length(dots)) return(written)
  unknown <- rlang::names2(dots)
  if (!nzchar(unknown[1])) {
    text <- shortened(deparse(dots[[1]], nlines = 1)[1], 30)
    abort_input("There is an argument too many, without a name: {.code {text}}.",
                "argument", i = "Give it by its name. The arguments are {.arg {c(own_names(at), more)}}.",
                call = call %||% env)
  }
  refuse_argument(unknown[1], at, call %||% env, more)
}

# check_arguments() for a function that hands its `...` on: other names may be in it.
check_spelling <- function() {
  refuse_abbreviated(sys.parent(), NULL)
  invisible(parent.frame())
}

# R takes `s = 2` for `step = 2`; here names must be written in full. Returns the names that are written.
refuse_abbreviated <- function(at, call) {
  written <- written_names(at)
  if (!length(written)) return(written)
  formal <- names(formals(sys.function(at)))
  wrong <- written[!written %in% formal]
  if (!length(wrong)) return(written)
  wrong <- wrong[!is.na(pmatch(wrong, formal[seq_len(match("...", formal, length(formal) + 1) - 1)],
                               duplicates.ok = TRUE))]
  if (length(wrong)) refuse_argument(wrong[1], at, call %||% sys.frame(at))
  written
}

# Names as they stand in the call of frame `at`, those that came in its caller's `...` too.
written_names <- function(at) {
  call <- sys.call(at)
  if (match("...", all.names(call), 0L)) {
    from <- sys.frame(sys.parents()[at])
    call <- tryCatch(match.call(function(...) NULL, call, envir = from), error = function(e) NULL)
  }
  names <- names(call)[-1]
  if (is.null(names)) character() else names[nzchar(names)]
}

refuse_argument <- function(name, at, call, more = NULL) {
  meant <- nearest_argument(name, c(known_names(at), more))
  mend <- if (length(meant)) "Did you mean {.arg {meant}}?" else
    "Give one of {.arg {c(own_names(at), more)}}."
  abort_input("There is no argument {.arg {name}}.", "argument", i = mend, call = call)
}

own_names <- function(at) setdiff(names(formals(sys.function(at))), "...")

# Arguments of frame `at` and of the functions of this package that handed theirs on to it.
known_names <- function(at) {
  functions <- lapply(seq_len(at), sys.function)
  ours <- vapply(functions, function(f) {
    identical(environment(f), topenv()) && "..." %in% names(formals(f))
  }, NA)
  setdiff(unlist(lapply(rev(functions[ours]), function(f) names(formals(f)))), "...")
}

# The arguments of this package by the names that other packages give them.
OTHER_NAMES <- c(
  s = "step", x = "formula", newx = "newdata", new_data = "newdata", group = "domain",
  groups = "domain", dfmax = "max_steps", nvmax = "max_steps", type.measure = "loss", folds = "foldid"
)

# The argument that was meant: by another package's name, by a part of it or by the fewest
# letters to be changed; nothing if none is near.
nearest_argument <- function(name, known) {
  plain <- function(text) gsub("[._]", "", tolower(text))
  known <- setdiff(known, name)
  other <- OTHER_NAMES[tolower(name)]
  if (!is.na(other) && other %in% known) return(unname(other))
  begun <- known[startsWith(plain(known), plain(name))]
  if (length(begun)) return(begun[which.min(nchar(begun))])
  within <- known[nchar(name) > 3 & grepl(plain(name), plain(known), fixed = TRUE)]
  if (length(within)) return(within[which.min(nchar(within))])
  away <- letters_apart(plain(name), plain(known))
  if (length(away) && min(away) <= max(1, nchar(name) / 3)) known[which.min(away)]
}

# The fewest letters to be changed, added or left out; two that changed places count as one.
letters_apart <- function(word, words) {
  letters_of <- function(text) vapply(strsplit(text, ""), function(l) paste(sort(l), collapse = ""), "")
  away <- drop(utils::adist(word, words))
  away - (away == 2 & letters_of(words) == letters_of(word))
}

# ---- methods of fitters -------------------------------------------------------------------------

# The method of a fitter for frames, NULL where no function of this package with this name has one.
frame_method <- function(fitter) get0(paste0(fitter, ".transfer_frame"), topenv(), inherits = FALSE)

# The methods of a fitter for a formula and for data: `method` with the arguments of the method for
# frames after its own. These are then written, with their defaults, in one place, and help and
# completion show them. Called in zzz.R, when all methods are defined.
with_arguments_of <- function(fitter, method) {
  own <- formals(method)
  more <- formals(frame_method(fitter))[-1]
  formals(method) <- c(own, more[setdiff(names(more), names(own))])
  method
}

# The arguments that the calling method was given, checked, by name: what refit() gives again. To be asked for
# before any of them is changed. `call`: see check_arguments().
given_arguments <- function(call) {
  at <- sys.parent()
  env <- sys.frame(at)
  written <- checked_names(call, NULL, at)
  if (!length(written)) return(list(none = NULL)[0])
  mget(not_missing(written, names(formals(sys.function(at)))[-1], env), envir = env)
}

# Which of `names` are among those `written` in the call of `env` and have a value.
not_missing <- function(written, names, env) {
  written <- written[written %in% names]
  written[!vapply(written, function(name) eval(call("missing", as.name(name)), env), NA)]
}

# For a method made by with_arguments_of(): calls `fitter(frame, ...)` with the arguments that were given. matched: the
# call of the method, which a path keeps, as it keeps the formula.
fit_frame <- function(fitter, matched = NULL) {
  env <- rlang::caller_env()
  asked <- call(fitter, quote(frame))
  written <- written_names(sys.parent())
  if (length(written)) {
    for (name in not_missing(written, names(formals(frame_method(fitter)))[-1], env)) asked[[name]] <- as.name(name)
  }
  fit <- rlang::eval_bare(asked, env) # eval() would put itself into errors and warnings
  if (is.null(matched)) return(fit)
  fit$call <- light_call(matched, fitter)
  if (!is.null(env$formula)) fit$formula <- light_formula(env$formula)
  fit
}

# The call names the generic, so that update() works.
light_call <- function(call, generic) {
  call[[1]] <- as.name(generic)
  for (k in seq_along(call)[-1]) {
    it <- call[[k]]
    if (inherits(it, "formula")) {
      attributes(it) <- NULL
      call[[k]] <- it
    } else if (!is.language(it) && length(it) > 20 || is.list(it) || is.function(it)) {
      call[[k]] <- as.name(paste0("<", class(it)[1], ">"))
    }
  }
  call
}

# Refuses to evaluate a call in which light_call() has put a word in place of a value. other: what else to do.
refuse_lost <- function(call, error_call, other = NULL) {
  lost <- vapply(as.list(call), function(it) is.name(it) && grepl("^<.*>$", it), NA)
  if (!any(lost)) return(invisible())
  lost <- names(call)[lost]
  abort_input("The call of the fit has no name for {.arg {lost}}, only a value, as after {.fn do.call}.", "object",
              i = "Give {cli::qty(lost)}{?it/them} again: {.code {lost[1]} = }.", i = other, call = error_call)
}

light_formula <- function(formula) {
  environment(formula) <- globalenv()
  formula
}

# ---- values --------------------------------------------------------------------------------------

# Numbers of a grid, each once. good: which of them will do.
check_grid <- function(values, argument, good, mend, call) {
  values <- plain_number(values)
  if (!is.numeric(values) || !length(values) || !all(is.finite(values)) || !all(good(values))) {
    abort_value(values, argument, mend, call)
  }
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
check_digits <- function(digits, call) {
  check_number(digits, "digits", 1, call, whole = TRUE, high = 22)
}

# A matrix of one column as a vector.
one_column <- function(value) if (is.matrix(value) && ncol(value) == 1) value[, 1] else value

# Integers of 64 bits as the numbers that they stand for.
plain_number <- function(value) {
  if (inherits(value, "integer64")) from_integer64(value) else value
}

from_integer64 <- function(v) {
  rlang::check_installed("bit64", "to read 64-bit integers")
  loadNamespace("bit64")
  as.double(v)
}

# plain_number() of the columns of a data frame.
plain_numbers <- function(data) {
  for (j in which(vapply(data, inherits, NA, "integer64"))) data[[j]] <- plain_number(data[[j]])
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
  if (!setequal(names(values), names) || anyDuplicated(names(values))) {
    abort_input("{.arg {argument}} has numbers named {.val {utils::head(names(values), 5)}}.",
                argument, i = "Name all of {.val {utils::head(names, 5)}}, or none.", call = call)
  }
  unname(values[names])
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

# `cure` says what to do about missing values.
abort_not_finite <- function(label, argument, column, call, cure = missing_cure(argument)) {
  missing <- sum(is.na(column))
  infinite <- sum(is.infinite(column))
  what <- if (missing) {
    "{missing} missing value{?s}"
  } else if (infinite) {
    "{infinite} infinite value{?s}"
  } else {
    paste("values too", if (max(abs(column)) > 1) "large" else "small", "to be squared")
  }
  mend <- if (missing) cure else "Rescale it, or leave it out."
  abort_input(paste0("Column {.val {label}} of {.arg {argument}} has ", what, "."), argument,
              i = mend, call = call)
}

missing_cure <- function(argument) {
  if (argument == "x") {
    "Leave their rows out, impute them, or give a formula and {.code na.action}."
  } else {
    "Give a prediction of every source for every row."
  }
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

# Refuses an argument whose number of values is not n, the number of rows of the argument `of`.
refuse_unequal <- function(value, argument, n, of, call) {
  if (NROW(value) == n) return(invisible())
  abort_input("{.arg {argument}} has {NROW(value)} value{?s}, {.arg {of}} has {n} row{?s}.", argument,
              i = "Give one value for each row.", call = call)
}

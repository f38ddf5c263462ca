# Arguments by their names: one place for all fitters and verbs.

# Checks the calling function: every argument is named in full, and nothing is left in `...`.
# `call`: the function that the user called, whose error it is. `more`: names that `...` may have. `at`: the frame of
# the function.
check_arguments <- function(call = NULL, more = NULL, at = sys.parent()) {
  force(at)
  written <- refuse_abbreviated(at, call)
  env <- sys.frame(at)
  if (eval(quote(...length()), env) == 0L) return(invisible(written))
  dots <- as.list(substitute(list(...), env))[-1]
  dots <- dots[!vapply(dots, rlang::is_missing, NA)]
  if (length(dots)) dots <- dots[!rlang::names2(dots) %in% more]
  if (!length(dots)) return(invisible())
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
check_spelling <- function() refuse_abbreviated(sys.parent(), NULL)

# R takes `s = 2` for `step = 2`; here names must be written in full. Returns the names that are written.
refuse_abbreviated <- function(at, call) {
  written <- written_names(at)
  formal <- if (length(written)) names(formals(sys.function(at)))
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
  if ("..." %in% all.names(call)) {
    from <- sys.frame(sys.parents()[at])
    call <- tryCatch(match.call(function(...) NULL, call, envir = from), error = function(e) NULL)
  }
  names <- names(call)[-1] %||% character()
  names[nzchar(names)]
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

METHODS <- c("greedytl", "tgreedy", "tlcp", "msplit", "shareboost")

# ---- methods of fitters -------------------------------------------------------------------------

# The methods of a fitter for a formula and for data: `method` with the arguments of the method for
# frames after its own. These are then written, with their defaults, in one place, and help and
# completion show them. Called in zzz.R, when all methods are defined.
with_arguments_of <- function(frame_method, method) {
  own <- formals(method)
  more <- formals(frame_method)[-1]
  formals(method) <- c(own, more[setdiff(names(more), names(own))])
  method
}

# The arguments that the calling method was given, checked, by name: what refit() gives again. To be asked for
# before any of them is changed. `call`: see check_arguments().
given_arguments <- function(call) {
  at <- sys.parent()
  env <- sys.frame(at)
  written <- check_arguments(call, at = at)
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
  more <- names(formals(get(paste0(fitter, ".transfer_frame"), envir = topenv())))[-1]
  given <- not_missing(written_names(sys.parent()), more, env)
  asked <- as.call(c(as.name(fitter), quote(frame), lapply(stats::setNames(nm = given), as.name)))
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

# Refuses to evaluate a call in which light_call() has put a word in place of a value.
refuse_lost <- function(call, error_call) {
  lost <- vapply(as.list(call), function(it) is.name(it) && grepl("^<.*>$", it), NA)
  if (!any(lost)) return(invisible())
  lost <- names(call)[lost]
  abort_input("The call of the fit has no name for {.arg {lost}}, only a value, as after {.fn do.call}.", "object",
              i = "Give {cli::qty(lost)}{?it/them} again: {.code {lost[1]} = }.", call = error_call)
}

light_formula <- function(formula) {
  environment(formula) <- globalenv()
  formula
}

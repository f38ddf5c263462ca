# The arguments of a calling function by their names: what is written, what is unknown, which one was meant.

# Checks the calling function: every argument is named in full, and nothing is left in `...`.
# `call`: the function that the user called, whose error it is. `more`: names that `...` may have. `caller`: the frame
# of the function. Returns `call`.
arguments_check <- function(call = NULL, more = NULL, caller = sys.parent()) {
  force(caller)
  arguments_checked(call, more, caller)
  invisible(call %||% sys.frame(caller))
}

# arguments_check() that returns what is written, see arguments_written().
arguments_checked <- function(call, more, caller) {
  written <- arguments_refuse_abbreviated(caller, call)
  env <- sys.frame(caller)
  if (eval(quote(...length()), env) == 0L) return(written)
  dots <- as.list(substitute(list(...), env))[-1]
  dots <- dots[!vapply(dots, rlang::is_missing, NA)]
  if (length(dots)) dots <- dots[!rlang::names2(dots) %in% more]
  if (!length(dots)) return(written)
  unknown <- rlang::names2(dots)
  if (!nzchar(unknown[1])) arguments_refuse_unnamed(dots[[1]], caller, call, more)
  arguments_control_refuse(unknown[1], dots[[1]], sys.function(caller), call %||% env)
  arguments_refuse(unknown[1], caller, call %||% env, more)
}

arguments_refuse_unnamed <- function(written, caller, call, more = NULL) {
  text <- words_shortened(deparse(written, nlines = 1)[1], 30)
  known <- unique(c(arguments_own_names(caller), more))
  abort_input("There is an argument too many, without a name: {.code {text}}.",
              "argument", i = "Give it by its name. The arguments are {.arg {known}}.",
              call = call %||% sys.frame(caller))
}

# arguments_check() for a function that hands its `...` on: other names may be in it.
arguments_check_spelling <- function() {
  arguments_refuse_abbreviated(sys.parent(), NULL)
  invisible(parent.frame())
}

# R takes `s = 2` for `step = 2`; here names must be written in full. Returns what is written. Every verb begins with
# this, so that it is also asked here whether the object of the verb is as it was made.
arguments_refuse_abbreviated <- function(caller, call) {
  arguments_check_object(caller, call)
  written <- arguments_written(caller)
  if (!length(written)) return(written)
  formal <- names(formals(sys.function(caller)))
  wrong <- names(written)[!names(written) %in% formal]
  if (!length(wrong)) return(written)
  wrong <- wrong[!is.na(pmatch(wrong, formal[seq_len(match("...", formal, length(formal) + 1) - 1)],
                               duplicates.ok = TRUE))]
  if (length(wrong)) arguments_refuse(wrong[1], caller, call %||% sys.frame(caller))
  written
}

# Is the first argument of the function of frame `caller` an object as it was made?
arguments_check_object <- function(caller, call) {
  first <- names(formals(sys.function(caller)))[1]
  if (!first %in% OBJECT_ARGUMENTS) return(invisible())
  env <- sys.frame(caller)
  if (!eval(call("missing", as.name(first)), env)) whole_check(env[[first]], call %||% env)
}

OBJECT_ARGUMENTS <- c("object", "x", "path", "fit", "model")

# The arguments with names as they stand in the call of frame `caller`, those that came in its caller's `...` too.
arguments_written <- function(caller) {
  call <- sys.call(caller)
  if (match("...", all.names(call), 0L)) {
    from <- sys.frame(sys.parents()[caller])
    call <- tryCatch(match.call(function(...) NULL, call, envir = from), error = function(e) NULL)
  }
  given <- names(call)
  if (is.null(given)) list() else as.list(call)[nzchar(given)]
}

arguments_refuse <- function(name, caller, call, more = NULL) {
  meant <- arguments_nearest(name, c(arguments_known_names(caller), more))
  control <- arguments_control_of(sys.function(caller))
  setting <- if (!length(meant) && !is.null(control)) arguments_nearest(name, arguments_control_settings(control))
  mend <- if (name %in% c("cluster", "clusters")) arguments_cluster_advice(arguments_known_names(caller)) else
    if (length(meant)) "Did you mean {.arg {meant}}?" else
    if (length(setting)) "Did you mean {.arg {setting}}, in {.code control = {control}({setting} = )}?" else
      if (length(unique(c(arguments_own_names(caller), more))) < 2L) "Leave it out." else
        "Give one of {.arg {unique(c(arguments_own_names(caller), more))}}."
  abort_input("There is no argument {.arg {name}}.", "argument", i = mend, call = call, unknown = name)
}

# What to do where rows belong together.
arguments_cluster_advice <- function(known) {
  if ("foldid" %in% known) return("Give the clusters as {.arg foldid}: the rows of one are then held out together.")
  "Rows are treated as independent, see \"Rows that belong together\" of {.code ?confint.tlcp}. Give one row per
   cluster, with the means of its rows, or use a mixed model."
}

arguments_own_names <- function(caller) setdiff(names(formals(sys.function(caller))), "...")

# Arguments of frame `caller` and of the functions of this package that handed theirs on to it.
arguments_known_names <- function(caller) {
  functions <- lapply(seq_len(caller), sys.function)
  ours <- vapply(functions, function(f) {
    identical(environment(f), topenv()) && "..." %in% names(formals(f))
  }, NA)
  setdiff(unlist(lapply(rev(functions[ours]), function(f) names(formals(f)))), "...")
}

# The arguments of this package by the names that other packages give them.
OTHER_NAMES <- c(
  s = "step", x = "formula", newx = "newdata", new_data = "newdata", group = "domain",
  groups = "domain", method = "fit", fun = "fit", model = "fit", learner = "fit", fitfun = "fit",
  fitter = "fit", engine = "fit", models = "fit", methods = "fit", fits = "fit", dfmax = "max_steps",
  nvmax = "max_steps", type.measure = "loss", folds = "foldid"
)

# The argument that was meant: by another package's name, by a part of it or by the fewest
# letters to be changed; nothing if none is near.
arguments_nearest <- function(name, known) {
  plain <- function(text) gsub("[._]", "", tolower(text))
  known <- setdiff(known, name)
  if (name == "fit" && "fits" %in% known) return("fits")
  other <- OTHER_NAMES[tolower(name)]
  if (other %in% "fit" && "fits" %in% known) other <- "fits" # of several methods
  if (!is.na(other) && other %in% known) return(unname(other))
  begun <- known[startsWith(plain(known), plain(name))]
  if (length(begun)) return(begun[which.min(nchar(begun))])
  within <- known[nchar(name) > 3 & grepl(plain(name), plain(known), fixed = TRUE)]
  if (length(within)) return(within[which.min(nchar(within))])
  away <- arguments_letters_apart(plain(name), plain(known))
  if (length(away) && min(away) <= max(1, nchar(name) / 3)) known[which.min(away)]
}

# The fewest letters to be changed, added or left out; two that changed places count as one.
arguments_letters_apart <- function(word, words) {
  letters_of <- function(text) vapply(strsplit(text, ""), function(l) paste(sort(l), collapse = ""), "")
  away <- drop(utils::adist(word, words))
  away - (away == 2 & letters_of(words) == letters_of(word))
}

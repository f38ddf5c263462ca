# The arguments in the `...` of the calling method that are named in `more`, as a list of their values. Others are let
# pass, as they are in the methods of lm(), unless a name of ours is near, which the user then meant, or the name is
# that of an argument by which other verbs choose a model. call, caller: see arguments_check().
arguments_of_generic <- function(more = NULL, call = NULL, caller = sys.parent()) {
  force(caller)
  arguments_refuse_abbreviated(caller, call)
  env <- sys.frame(caller)
  if (eval(quote(...length()), env) == 0L) return(list())
  dots <- as.list(substitute(list(...), env))[-1]
  names <- rlang::names2(dots)
  given <- !vapply(dots, rlang::is_missing, NA)
  unnamed <- which(given & !nzchar(names))
  if (length(unnamed)) arguments_refuse_unnamed(dots[[unnamed[1]]], caller, call, more)
  known <- c(arguments_known_names(caller), more)
  for (name in setdiff(names[given], more)) {
    if (name %in% MODEL_ARGUMENTS || length(arguments_nearest(name, known))) {
      arguments_refuse(name, caller, call %||% env, more)
    }
  }
  mine <- which(given & names %in% more)
  stats::setNames(lapply(mine, function(k) eval(call("...elt", k), env)), names[mine])
}

MODEL_ARGUMENTS <- c("step", "lambda", "domain", "nu", "estimator", "newdata", "sources")

# Refuses an argument of another package's generic that would change the answer, and says what to do instead (`mend`,
# with names in braces of the caller). harmless: the values that change nothing.
arguments_refuse_generic <- function(value, argument, harmless, mend, call, env = rlang::caller_env()) {
  for (same in harmless) if (identical(value, same)) return(invisible())
  abort_value(value, argument, mend, call, env)
}

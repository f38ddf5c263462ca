# compare_paths() of fits: the data of their calls, and a function for each that fits its method again with its
# settings.

#' @rdname compare_paths
#' @export
compare_paths.transfer_path <- function(...) {
  call <- rlang::current_env()
  written <- as.list(match.call(expand.dots = FALSE)$...)
  given <- rlang::names2(written)
  extras <- given %in% setdiff(names(formals(compare_paths.formula)), c("...", "fits", REFIT_DATA))
  values <- list(...)
  fits <- values[!extras]
  compare_refits_check(fits, given[!extras], call)
  names(fits) <- compare_refits_names(written[!extras], fits)
  calls <- lapply(fits, path_update_call_of_fit, "compare_paths", given[extras], call)
  data <- compare_refits_shared(calls, call)
  rules <- Map(compare_refits_rule, fits, calls, MoreArgs = list(data = data, env = parent.frame()))
  anew <- as.call(c(quote(compare_paths), data, list(fits = rules), values[extras]))
  path_update_run(anew, fits[[1]], parent.frame(), call)
}

# The arguments of a fitter's call that are data, in the order in which compare_paths() wants them.
REFIT_DATA <- c("formula", "x", "y", "data", "sources", "weights", "subset", "na.action", "domain", "sparse", "offset",
                "strata")

compare_refits_check <- function(fits, names, call) {
  bad <- which(!vapply(fits, inherits, NA, "transfer_path"))
  if (length(bad)) {
    name <- names[bad[1]]
    if (nzchar(name) && !inherits(fits[[bad[1]]], "transfer_cv")) {
      abort_input("There is no argument {.arg {name}}.", "argument",
                  i = "Give fits, and arguments of {.fn compare_paths} for data.", call = call, unknown = name)
    }
    abort_input("{.arg ...} has {.obj_type_friendly {fits[[bad[1]]]}}.", "dots",
                i = "Give fits only, or only objects made by {.fn cv_path} with the same folds.", call = call)
  }
  if (length(fits) == 1) {
    abort_input("There is one fit to compare.", "dots",
                i = "Give two or more, or the data: {.code compare_paths(y ~ ., data, fits = list(one =
                     {path_refit_method(fits[[1]])}))} compares a method with simple baselines.", call = call)
  }
  columns <- lapply(fits, function(fit) labels_of_all_columns(fit$blueprint))
  same <- vapply(columns, identical, NA, columns[[1]])
  counts <- vapply(fits, function(fit) fit$family %in% c("poisson", "cox") || !is.null(fit$trials), NA)
  if (all(same) && !any(counts)) return(invisible())
  abort_input(if (any(counts)) "The fits are of counts, shares or survival times." else
    "The fits have different columns.", "dots",
    i = "Cross-validate each with the same folds and compare these: {.code compare_paths(cv_path(fit1, foldid = folds),
         cv_path(fit2, foldid = folds))}, where {.fn make_folds} makes the folds.", call = call)
}

# The names of the rules: those given, else the names of the fits where they were written, else their methods.
compare_refits_names <- function(written, fits) {
  names <- rlang::names2(written)
  plain <- vapply(written, function(one) is.name(one) && !startsWith(as.character(one), ".."), NA)
  names[!nzchar(names) & plain] <- vapply(written[!nzchar(names) & plain], as.character, "")
  lacking <- !nzchar(names)
  names[lacking] <- vapply(fits[lacking], path_refit_method, "")
  make.unique(names)
}

# The data of all calls, which must be the same; only domains and sources may be those of some.
compare_refits_shared <- function(calls, call) {
  parts <- unlist(lapply(unname(calls), function(one) as.list(one)[intersect(names(one), REFIT_DATA)]),
                  recursive = FALSE)
  for (name in unique(names(parts))) {
    some <- name %in% c("domain", "sources", "sparse")
    of <- unique(vapply(if (some) parts[names(parts) == name] else lapply(calls, `[[`, name), deparse1, ""))
    if (length(of) > 1) {
      abort_input("The fits have different {.arg {name}}: {.code {of}}.", "dots",
                  i = "Fit to the same rows, or cross-validate each with the same folds and compare these:
                       {.code compare_paths(cv_path(fit1, foldid = folds), cv_path(fit2, foldid = folds))}.",
                  call = call)
    }
  }
  parts <- parts[!duplicated(names(parts))]
  parts[intersect(REFIT_DATA, names(parts))]
}

# A function that fits the method of a fit with its settings to a frame, without the domains and sources that it had
# not.
compare_refits_rule <- function(fit, made, data, env) {
  settings <- as.list(made)[-1]
  settings <- lapply(settings[setdiff(names(settings), REFIT_DATA)], function(setting) {
    value <- eval(setting, env)
    if (is.language(value)) call("quote", value) else value
  })
  lacking <- setdiff(intersect(c("domain", "sources"), names(data)), names(made))
  method <- as.character(made[[1]])
  ours <- exists(method, topenv(), inherits = FALSE)
  known <- if (ours) get(method, topenv()) else get(method, env, mode = "function")
  inside <- rlang::new_environment(stats::setNames(list(known), method), parent = topenv())
  drop <- lapply(lacking, function(name) call("<-", call("$", quote(x), as.name(name)), NULL))
  body <- as.call(c(quote(`{`), drop, as.call(c(made[[1]], quote(x), settings, quote(...)))))
  rlang::new_function(alist(x = , ... = ), body, inside)
}

# tgreedy()'s arguments, checked.

# The settings of a fit to p features of K domains, all given by name.
tgreedy_settings <- function(rule, nu, signed, repeats, update, stop, alpha, delta, max_steps, groups,
                             standardize, intercept, p, K, call) {
  rule <- check_choice(rule, c("gain", "t", "modt", "greedy"), "rule", call)
  refit <- check_choice(update, c("stagewise", "refit"), "update", call) == "refit"
  repeats <- check_flag(repeats %||% !refit, "repeats", call)
  if (refit && repeats) {
    abort_input("{.arg repeats} is {.code TRUE} and {.arg update} is {.val refit}.", "repeats",
                i = "Leave {.arg repeats} out: after a refit a feature that was picked has no effect
                     left.", call = call)
  }
  nu <- check_number(nu %||% if (rule == "gain") .5 else 1, "nu", 0, call)
  if (nu <= 0 || nu > 1) abort_value(nu, "nu", "Give a number above 0, up to 1.", call)
  if (nu < 1 && !repeats && !refit) {
    abort_input("{.arg nu} is {.val {nu}} and {.arg repeats} is {.code FALSE}.", "nu",
                i = "Leave {.arg repeats} out: with {.arg nu} below 1 a weight moves part of the way, and its feature
                     must be allowed again.", call = call)
  }
  if (!is.null(stop)) {
    stop <- check_choice(stop, c("none", "gain", "bonferroni", "theorem1", "cv"), "stop", call)
  }
  rule <- rule_for(rule, stop %||% NA, K, call)
  stop <- stop %||% if (rule == "gain") "gain" else "none"
  refuse_no_columns(p, call)
  units <- p - length(groups$of) + length(groups$labels)
  max_steps <- as.integer(check_most(max_steps %||% min(50, units), units, call))
  signed <- check_flag(signed, "signed", call)
  if (signed) refuse_groups(groups, "{.arg signed} is {.code TRUE}", "signed", "has no sign", call)
  if (stop == "theorem1") {
    refuse_groups(groups, "{.arg stop} is {.val theorem1}", "stop", "has no interval by Theorem 1", call)
  }
  structure(list(
    max_steps = max_steps, max_picks = as.integer(min(10 * max_steps, max_steps + 2000)),
    rule = rule, nu = nu, groups = groups, units = units,
    signed = signed, repeats = repeats, refit = refit,
    stop = stop,
    alpha = check_share(alpha, "alpha", call), delta = check_share(delta, "delta", call),
    standardize = check_flag(standardize, "standardize", call), intercept = intercept,
    threads = check_threads(call)
  ), class = "tgreedy_settings")
}

refuse_groups <- function(groups, what, argument, lacks, call) {
  if (is.null(groups)) return(invisible())
  of <- groups$labels[groups$of[anyDuplicated(groups$of)]]
  abort_input(paste0(what, ", and {.val {of}} is a group of several columns, which ", lacks, "."), argument,
              i = "Give {.code groups = FALSE}, which takes every column by itself.", call = call)
}

# The settings as C takes them: of the groups the number of each column's.
tgreedy_kernel_settings <- function(settings) {
  settings["groups"] <- list(settings$groups$of)
  settings
}

check_unlabelled <- function(unlabelled, frame, call) {
  if (is.null(unlabelled)) return(NULL)
  if (!is.list(unlabelled) || !all(c("x", "domain") %in% names(unlabelled))) {
    abort_kind(unlabelled, "unlabelled", "Give {.code list(x = , domain = )}.", call)
  }
  x <- bake_argument(frame$blueprint, unlabelled$x, "unlabelled$x", call)
  domain <- check_domain(unlabelled$domain, nrow(x), call)
  if (anyNA(if (is(x, "sparseMatrix")) x@x else x)) {
    abort_input("{.arg unlabelled} has missing values.", "unlabelled",
                i = "Leave those rows out.", call = call)
  }
  list(x = x, domain = domain)
}

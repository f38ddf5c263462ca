# The settings of tgreedy() from its arguments, checked.

DUMMY_MEETINGS <- 10

# A message about columns of a matrix that look like the dummy variables of one factor: neighbouring columns of zeros
# and ones of which at most one is 1 in any row.
tgreedy_settings_tell_dummies <- function(frame) {
  if (frame$blueprint$kind != "matrix" || frame_is_mapped(frame)) return(invisible())
  runs <- tgreedy_settings_dummy_runs(frame$x)
  if (!length(runs)) return(invisible())
  named <- vapply(runs, function(run) words_in_quotes(labels_of_columns(frame$blueprint$columns, run)), "")
  more <- length(named) - 3
  if (more > 0) named <- c(named[1:3], paste(words_counted(more, "more set"), "of columns"))
  tell(paste0("Columns look like the dummy variables of a factor: ", paste(named, collapse = "; "),
              ". Each is selected by itself, though its effect depends on the reference level, which has no column."),
       paste("Give a data frame or a formula with the factor, or `groups`, and they enter together; `groups = FALSE`",
             "takes single columns without this message."), "transelect_message_dummies")
}

# Runs of neighbouring columns of zeros and ones with at most one 1 in a row, as numbers of columns. A run has three
# columns that sum to 1, or two or more that would meet in at least DUMMY_MEETINGS rows if they were independent: rare
# columns seldom meet, of one factor or not.
tgreedy_settings_dummy_runs <- function(x) {
  n <- nrow(x)
  if (is.matrix(x) && !any(x[1L, ] %in% 0:1)) return(list()) # no column may be one
  some <- as.matrix(x[unique(round(seq(1, n, length.out = min(n, 50)))), , drop = FALSE])
  may <- which(colSums(some != 0 & some != 1) == 0)
  runs <- list()
  run <- integer()
  together <- meetings <- ones <- 0
  ended <- function() {
    whole <- length(run) > 2 && all(together == 1)
    complement <- length(run) == 2 && all(together == 1)
    if (length(run) > 1 && (whole || !complement && meetings >= DUMMY_MEETINGS)) runs <<- c(runs, list(run))
  }
  for (j in may) {
    v <- x[, j]
    if (!all(v == 0 | v == 1) || all(v == v[1])) next
    share <- sum(v)
    joins <- length(run) && j == run[length(run)] + 1L && !any(together & v)
    if (joins) {
      meetings <- meetings + share * ones / n
    } else {
      ended()
      run <- integer()
      together <- meetings <- ones <- 0
    }
    run <- c(run, j)
    together <- together + v
    ones <- ones + share
  }
  ended()
  runs
}

# T and the gain need the spread between domains, which one domain does not have.
tgreedy_settings_rule_of_one_domain <- function(rule, stop, call) {
  if (rule %in% c("t", "modt")) {
    abort_input("{.arg rule} is {.val {rule}}, but there is one domain.", "rule",
                i = "Give {.val greedy}: a T-statistic needs at least two domains.", call = call)
  }
  if (!stop %in% c("none", NA)) {
    abort_input("{.arg stop} is {.val {stop}}, but there is one domain.", "stop",
                i = "Give {.val none}: this rule needs at least two domains.", call = call)
  }
  if (rule == "gain") {
    tell("There is one domain: the rule is \"greedy\", not \"gain\", and the path goes on to `max_steps`.",
         paste("Whether effects hold in other domains can only be seen from two domains or more. For new rows of this",
               "domain `cv_path(by = \"rows\")` chooses the number of steps."), "transelect_message_domains")
  }
  "greedy"
}

tgreedy_settings_refuse_groups <- function(groups, what, argument, lacks, call) {
  if (is.null(groups)) return(invisible())
  of <- groups$labels[groups$of[anyDuplicated(groups$of)]]
  abort_input(paste0(what, ", and {.val {of}} is a group of several columns, which ", lacks, "."), argument,
              i = "Give {.code groups = FALSE}, which takes every column by itself.", call = call)
}

tgreedy_settings_unlabelled <- function(unlabelled, frame, call) {
  if (!is.list(unlabelled) || !all(c("x", "domain") %in% names(unlabelled))) {
    abort_kind(unlabelled, "unlabelled", "Give {.code list(x = , domain = )}.", call)
  }
  x <- frame_bake_argument(frame$blueprint, unlabelled$x, "unlabelled$x", call)
  domain <- frame_rows_check_domain(unlabelled$domain, nrow(x), call)
  if (anyNA(if (is(x, "sparseMatrix")) x@x else x)) {
    abort_input("{.arg unlabelled} has missing values.", "unlabelled",
                i = "Leave those rows out.", call = call)
  }
  list(x = x, domain = domain)
}

# The settings of a fit to a frame, all given by name; C takes the list as it is. keep: numbers of columns. groups:
# those of the other columns. map: what a path keeps of a map of features. given: what the fit was given, for refits.
tgreedy_settings <- function(frame, rule, nu, max_steps, keep, groups, standardize, intercept, control, map, given,
                             call) {
  frame <- unclass(frame) # for a faster `$`
  control <- unclass(control)
  rule <- check_choice(rule, c("gain", "t", "modt", "greedy"), "rule", call)
  refit <- control$update == "refit"
  repeats <- control$repeats %||% !refit
  nu <- check_number(nu %||% if (rule == "gain") .5 else 1, "nu", 0, call)
  if (nu <= 0 || nu > 1) abort_value(nu, "nu", "Give a number above 0, up to 1.", call)
  if (nu < 1 && !repeats && !refit) {
    abort_input("{.arg nu} is {.val {nu}} and {.arg repeats} is {.code FALSE}.", "nu",
                i = "Leave {.arg repeats} out: with {.arg nu} below 1 a step takes a part of an effect, so that its
                     feature must be allowed again.", call = call)
  }
  stop <- control$stop
  if (nlevels(frame$domain) == 1) rule <- tgreedy_settings_rule_of_one_domain(rule, stop %||% NA, call)
  stop <- stop %||% if (rule == "gain") "gain" else "none"
  p <- frame_rows_width(frame) - length(keep)
  check_has_columns(p, call)
  units <- p - length(groups$of) + length(groups$labels)
  if (control$signed) {
    tgreedy_settings_refuse_groups(groups, "{.arg signed} is {.code TRUE}", "signed", "has no sign", call)
  }
  if (stop == "theorem1") {
    tgreedy_settings_refuse_groups(groups, "{.arg stop} is {.val theorem1}", "stop", "has no interval by Theorem 1",
                                   call)
  }
  settings <- list(
    rule = rule, nu = nu, signed = control$signed, repeats = repeats, update = control$update, stop = stop,
    alpha = control$alpha, delta = control$delta,
    max_steps = as.integer(check_most(max_steps %||% min(50, units), units, call)),
    all_varying = is.null(max_steps), # the default is at most the number of features that vary
    keep = as.integer(keep), groups = groups, units = units,
    standardize = check_flag(standardize, "standardize", call),
    intercept = frame_has_intercept(frame, intercept, call),
    # beside kept columns the kernel knows only a part of the scores
    classes = is.factor(frame$y) && !length(keep), threads = check_threads(call), map = map,
    given = given[names(given) != "unlabelled"], lost = if (!is.null(given$unlabelled)) "unlabelled"
  )
  class(settings) <- "tgreedy_settings"
  settings
}

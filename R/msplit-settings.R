# The settings of msplit() from its arguments, checked.

LBI_NU <- 5
LBI_STEPS <- 1e9         # largest number of iterations by default
MOST_EVENTS <- 1e7       # that the kernel of the exact path takes
MOST_ITERATIONS <- 1e15  # that the one of the discrete path takes
LOO_ALWAYS <- 5e4        # n x d x responses up to which every event has its leave-one-out error

# The settings of a fit to a frame, all given by name; C takes the list as it is. Where there are `points`, the path has
# their times: its steps are numbers of these, and it goes as far as they do, since an event that ends the path on all
# rows comes at another time in a fold. intercept: checked. responses: their number. kept: NULL, or list(basis, rank)
# of the columns in every model. given: what the fit was given, for refit().
msplit_settings <- function(frame, method, loss, nu, choose, max_steps, standardize, intercept, control, points,
                            responses, kept, given, call) {
  control <- unclass(control) # for a faster `$`
  loss <- msplit_settings_loss(loss, frame, call)
  method <- check_choice(method %||% if (loss == "squared") "iss" else "lbi", c("iss", "lbi"), "method", call)
  discrete <- method == "lbi"
  if (!discrete && loss != "squared") {
    abort_input("{.arg method} is {.val iss}, but {.arg loss} is {.val {loss}}.", "method",
                i = "Give {.val lbi}: the exact path exists for squared loss.", call = call)
  }
  d <- ncol(frame$x)
  n <- frame_rows_count(frame)
  check_has_columns(d, call)
  explicit <- length(choose) == 1
  choose <- check_choice(choose, c("evidence", "ridge", "none"), "choose", call)
  if (discrete && explicit && choose != "none") {
    abort_input("{.arg choose} is {.val {choose}}, but {.arg method} is {.val lbi}.", "choose",
                i = "Leave {.arg choose} out, and choose with {.fn cv_path}: evidence and leave-one-out are
                     computed for the exact path only.", call = call)
  }
  default_nu <- if (!discrete && choose != "none") MSPLIT_GRID else LBI_NU
  own_nu <- !is.null(nu)
  nu <- if (own_nu) check_grid(nu, "nu", function(v) v > 0, "Give positive numbers.", call) else default_nu
  if (!is.null(points)) {
    other <- setdiff(points$lambda, nu)
    if (own_nu && length(other)) {
      tell(paste0("The path takes `nu` from `points`: ", paste(signif(unique(points$lambda), 3), collapse = ", "),
                  ". The argument `nu` has no effect."), class = "transelect_message_points")
    }
    nu <- unique(points$lambda)
  }
  t_ratio <- control$t_ratio %||% if (length(nu) > 1) 30 else 100
  if (discrete) {
    if (!is.null(control$record)) {
      abort_input("{.arg record} is given, but {.arg method} is {.val lbi}.", "record",
                  i = "Leave it out: the dense estimator is kept at every recorded time, see {.arg nt}.",
                  call = call)
    }
    if (t_ratio > 1e15) abort_value(t_ratio, "t_ratio", "Give a number of ordinary size, at most 1e15.", call)
  } else {
    if (!is.null(control$kappa) || !is.null(control$alpha) || control$start != "ridge") {
      for_lbi <- c("kappa", "alpha", "start")[c(!is.null(control$kappa), !is.null(control$alpha),
                                                     control$start != "ridge")]
      abort_input("{.arg {for_lbi[1]}} is given, but {.arg method} is {.val iss}.", for_lbi[1],
                  i = "Leave it out, or use {.code method = \"lbi\"}: the exact path has no step size and starts at the
                       ridge solution.", call = call)
    }
  }
  most <- if (discrete) MOST_ITERATIONS else MOST_EVENTS
  unasked <- if (discrete) LBI_STEPS else min(20 * min(n, d), MOST_EVENTS)
  steps <- check_number(max_steps %||% unasked, "max_steps", 0, call, TRUE, high = most)
  list(
    method = method, loss = loss, nu = nu, t_ratio = t_ratio,
    times = if (!is.null(points)) unname(split(as.double(points$t), match(points$lambda, nu))),
    nt = as.integer(control$nt),
    max_steps = if (is.null(points)) steps else if (discrete) max(LBI_STEPS, steps) else most,
    choose = if (discrete) "none" else choose, kappa = if (discrete) control$kappa %||% 5,
    alpha = if (discrete) control$alpha %||% 0, start = control$start,
    standardize = check_flag(standardize, "standardize", call), intercept = intercept, record = control$record, n = n,
    loo = frame_rows_are_there(frame) && length(frame$x) * responses <= LOO_ALWAYS, kept = kept$basis, rank = kept$rank,
    given = given
  )
}

msplit_settings_loss <- function(loss, frame, call) {
  loss <- check_choice(loss %||% "squared", c("squared", "binomial", "multinomial"), "loss", call)
  if (loss == "squared") return(loss)
  family <- response_family_of_frame(frame)
  if (loss == family) return(loss)
  wanted <- if (loss == "binomial") "a factor of two levels" else "a factor of more than two levels"
  abort_input("{.arg loss} is {.val {loss}}, which needs {wanted} as response.", "loss",
              i = "Give {.val {if (family == 'gaussian') 'squared' else family}}.", call = call)
}

# The response as msplit() codes it, for the multinomial loss too: several responses as they are, two classes as -1
# and 1, more one-hot.
msplit_settings_response <- function(y) {
  if (is.matrix(y)) return(y)
  coded <- if (is.factor(y)) response_class_codes(y, if (nlevels(y) > 2) 0 else -1) else y
  if (is.matrix(coded)) coded else matrix(coded, dimnames = list(NULL, "y"))
}

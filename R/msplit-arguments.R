# msplit()'s arguments, checked.

LBI_NU <- 5
LBI_STEPS <- 1e9
MOST_EVENTS <- 1e7       # that the kernel of the exact path takes
MOST_ITERATIONS <- 1e15  # that the one of the discrete path takes
LOO_ALWAYS <- 5e4        # n x d x responses up to which every event has its leave-one-out error

# The settings of a fit to a frame, all given by name.
msplit_settings <- function(frame, method, loss, nu, t_ratio, nt, max_steps, choose, kappa, alpha,
                            start, standardize, intercept, record, call) {
  loss <- msplit_loss(loss, frame, call)
  methods <- c("iss", "lbi")
  method <- check_choice(method %||% if (loss == "squared") "iss" else "lbi", methods, "method",
                         call)
  if (method == "iss" && loss != "squared") {
    abort_input("{.arg method} is {.val iss}, but {.arg loss} is {.val {loss}}.", "method",
                i = "Give {.val lbi}: the exact path exists for squared loss.", call = call)
  }
  refuse_no_columns(ncol(frame$x), call)
  explicit <- length(choose) == 1
  choose <- check_choice(choose, c("evidence", "ridge", "none"), "choose", call)
  if (method == "lbi" && explicit && choose != "none") {
    abort_input("{.arg choose} is {.val {choose}}, but {.arg method} is {.val lbi}.", "choose",
                i = "Leave {.arg choose} out, and choose with {.fn cv_path}: evidence and leave-one-out are
                     computed for the exact path only.", call = call)
  }
  default_nu <- if (method == "iss" && choose != "none") MSPLIT_GRID else LBI_NU
  own_nu <- !is.null(nu)
  nu <- check_grid(nu %||% default_nu, "nu", function(v) v > 0, "Give positive numbers.", call)
  n <- frame_nobs(frame)
  settings <- structure(list(
    method = method, loss = loss, nu = nu, own_nu = own_nu,
    t_ratio = check_ratio(t_ratio %||% if (length(nu) > 1) 30 else 100, call),
    nt = as.integer(check_number(nt, "nt", 1, call, TRUE, high = 1e5)),
    max_steps = max_steps, choose = if (method == "lbi") "none" else choose,
    kappa = kappa, alpha = alpha,
    start = check_choice(start, c("ridge", "zero"), "start", call),
    standardize = check_flag(standardize, "standardize", call),
    intercept = check_flag(intercept, "intercept", call) && frame$intercept,
    record = check_record(record, call), n = n
  ), class = "msplit_settings")
  if (method == "lbi") return(lbi_settings(settings, call))
  refuse_lbi_arguments(settings, call)
  most <- min(20 * min(n, ncol(frame$x)), MOST_EVENTS)
  settings$max_steps <- as.integer(check_number(max_steps %||% most, "max_steps", 0, call, TRUE,
                                                high = MOST_EVENTS))
  settings
}

# The path of a fold extends to the times that are asked for: the event that ends the path on all rows has another
# time in a fold.
without_limit <- function(settings) {
  settings$max_steps <- if (settings$method == "lbi") MOST_ITERATIONS else as.integer(MOST_EVENTS)
  settings
}

msplit_loss <- function(loss, frame, call) {
  loss <- check_choice(loss %||% "squared", c("squared", "binomial", "multinomial"), "loss", call)
  if (loss == "squared") return(loss)
  family <- frame_family(frame)
  if (loss == family) return(loss)
  wanted <- if (loss == "binomial") "a factor of two levels" else "a factor of more than two levels"
  abort_input("{.arg loss} is {.val {loss}}, which needs {wanted} as response.", "loss",
              i = "Give {.val {if (family == 'gaussian') 'squared' else family}}.", call = call)
}

check_ratio <- function(t_ratio, call) {
  t_ratio <- check_number(t_ratio, "t_ratio", 1, call, high = 1e300)
  if (t_ratio == 1) {
    abort_input("{.arg t_ratio} is 1.", "t_ratio",
                i = "Give a number above 1: the path ends at {.arg t_ratio} times the time of its
                     first event.",
                call = call)
  }
  t_ratio
}

check_record <- function(record, call) {
  if (is.null(record)) return(NULL)
  if (!is.numeric(record) || anyNA(record) ||
        any(record < 0 | record != round(record) | record > .Machine$integer.max)) {
    abort_value(record, "record", "Give the steps at which the dense estimator is kept: whole numbers from 0 on.", call)
  }
  as.integer(record)
}

refuse_lbi_arguments <- function(settings, call) {
  given <- c(kappa = !is.null(settings$kappa), alpha = !is.null(settings$alpha),
             start = settings$start != "ridge")
  if (!any(given)) return(invisible())
  name <- names(given)[given][1]
  abort_input("{.arg {name}} is given, but {.arg method} is {.val iss}.", name,
              i = "Leave it out, or use {.code method = \"lbi\"}: the exact path has no step size and starts at the
                     ridge solution.", call = call)
}

lbi_settings <- function(settings, call) {
  positive <- function(value, name, default, low = 0) {
    value <- check_number(value %||% default, name, 0, call)
    if (value == 0 && !is.null(settings[[name]])) {
      abort_input("{.arg {name}} is 0.", name, i = "Give a positive number.", call = call)
    }
    if (value > 1e15 || value > 0 && value < low) {
      abort_value(value, name, "Give a number of ordinary size, at most 1e15.", call)
    }
    value
  }
  if (!is.null(settings$record)) {
    abort_input("{.arg record} is given, but {.arg method} is {.val lbi}.", "record",
                i = "Leave it out: the dense estimator is kept at every recorded time, see {.arg nt}.",
                call = call)
  }
  settings$kappa <- positive(settings$kappa, "kappa", 5, low = 1e-10)
  settings$t_ratio <- positive(settings$t_ratio, "t_ratio", 100)
  settings$alpha <- positive(settings$alpha, "alpha", 0)
  settings$asked_steps <- !is.null(settings$max_steps)
  settings$max_steps <- check_number(settings$max_steps %||% LBI_STEPS, "max_steps", 0, call, TRUE,
                                     high = MOST_ITERATIONS)
  settings
}

# The response as msplit() codes it, for the multinomial loss too: several responses as they are, two classes as -1
# and 1, more one-hot.
msplit_response <- function(y) {
  if (is.matrix(y)) return(y)
  coded <- if (is.factor(y)) class_codes(y, if (nlevels(y) > 2) 0 else -1) else y
  if (is.matrix(coded)) coded else matrix(coded, dimnames = list(NULL, "y"))
}

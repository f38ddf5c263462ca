# Arguments of the laws of selection.

# t is taken positive: in the lower tail differences of probabilities keep their digits.
cp_arguments <- function(beta, n, sigma, lambda, ..., call) {
  check_theory(sigma, "sigma", call) # before lambda, which is made of it
  at <- common_length(c(check_each(list(beta = beta, n = n, sigma = sigma, lambda = lambda), call), list(...)), call)
  at$t <- abs(at$beta) * sqrt(at$n) / at$sigma
  at$c <- sqrt(at$lambda) / at$sigma
  at
}

check_each <- function(given, call) Map(check_theory, given, names(given), MoreArgs = list(call = call))

check_theory <- function(value, argument, call) {
  if (!is.numeric(value) || !length(value)) abort_kind(value, argument, "Give numbers.", call)
  above <- argument %in% c("n", "m", "sigma")
  low <- if (argument %in% c("beta", "delta")) -Inf else 0
  good <- !is.na(value) & (is.finite(value) | (argument == "v" & value == Inf)) &
    if (above) value > low else value >= low
  if (!all(good)) {
    kind <- if (above) " above 0" else if (low == 0) ", none below 0" else ""
    if (argument == "v") kind <- paste0(kind, ", or {.code Inf}")
    abort_input("{.arg {argument}} has the value {.val {value[!good][1]}}.", argument,
                i = paste0("Give finite numbers", kind, "."), call = call)
  }
  check_size(value, argument, call)
}

# Beyond these sizes products of several arguments would not be numbers. Nothing is divided by beta,
# delta, lambda and pen; v may be as large or small as it likes.
check_size <- function(value, argument, call) {
  high <- if (argument == "sigma") 1e20 else if (argument == "v") Inf else 1e50
  low <- if (argument %in% c("n", "m", "sigma", "lam")) 1 / high else 0
  size <- abs(value)
  far <- size > high | (size < low & size > 0)
  if (any(far)) {
    range <- if (low > 0) "from {low} to {high}" else "of a size up to {high}"
    abort_input("{.arg {argument}} has the value {.val {value[far][1]}}.", argument,
                i = paste0("Give numbers ", range, "."), call = call)
  }
  value
}

check_power <- function(power, call) {
  if (!is.numeric(power) || !length(power) || anyNA(power) || !all(power > 0 & power < 1)) {
    abort_value(power, "power", "Give numbers between 0 and 1.", call)
  }
}

# One number for each domain, the target's first; a single one holds for both.
check_two <- function(value, argument, call) {
  value <- check_theory(value, argument, call)
  if (length(value) > 2) {
    abort_input("{.arg {argument}} has {length(value)} values.", argument,
                i = "Give two: the target's and the other domain's.", call = call)
  }
  rep_len(value, 2)
}

common_length <- function(given, call) {
  lengths <- lengths(given)
  longest <- which.max(lengths)
  other <- which(lengths != 1 & lengths != lengths[longest])
  if (length(other)) {
    names <- names(given)[c(longest, other[1])]
    sizes <- lengths[c(longest, other[1])]
    abort_input("{.arg {names[1]}} has {sizes[1]} values, {.arg {names[2]}} has {sizes[2]}.",
                names[2], i = "Give one value, or as many; {.fn outer} makes all pairs.",
                call = call)
  }
  lapply(given, function(value) rep_len(as.numeric(value), lengths[longest]))
}

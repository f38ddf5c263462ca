# The arguments of a fitter, with those that are settings put into `control`, beside the settings that are there: naive
# twins take them flat.
in_control <- function(arguments, fitter) {
  controls <- list(greedytl_control, tgreedy_control, tlcp_control, shareboost_control, msplit_control)
  fitters <- list(greedytl, tgreedy, tlcp, shareboost, msplit)
  control <- controls[[which(vapply(fitters, identical, NA, fitter))]]
  given <- names(arguments) %in% "control"
  moved <- names(arguments) %in% setdiff(names(formals(control)), "...")
  if (!any(moved | given)) return(arguments)
  there <- lapply(unname(arguments[given]), function(one) as.list(arguments_control_call(one))[-1])
  c(arguments[!moved & !given], list(control = do.call(control, c(do.call(c, there), arguments[moved]))))
}

# A fitter that takes its settings flat, or several control objects.
flat <- function(fitter) function(...) do.call(fitter, in_control(list(...), fitter))

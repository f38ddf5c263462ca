# The discrete path of msplit(method = "lbi").

msplit_lbi_path <- function(input, settings, points, call) {
  coded <- input$coded
  target <- if (settings$loss == "binomial") (coded + 1) / 2 else coded
  size <- if (settings$loss == "squared") msplit_lbi_unit(coded, response_weights_or_ones(input$frame) / nrow(coded),
                                                          settings) else 1
  scaled <- input
  scaled$coded <- target / size
  if (!is.null(points)) settings$times <- lapply(settings$times, `*`, size)
  if (is.null(points) && is.null(settings$given$max_steps)) {
    first <- settings
    first[c("nt", "max_steps", "start")] <- list(1L, 1, "ridge")
    msplit_lbi_check_iterations(msplit_kernel_run(scaled, first, call = call), settings, call)
  }
  paths <- msplit_kernel_run(scaled, settings, call = call)
  low <- which(settings$alpha > paths$bound * (1 + 1e-12))
  if (length(low)) {
    abort_input("{.arg alpha} is {.val {settings$alpha}}, above its bound
                {.val {paths$bound[low[1]]}} at nu = {settings$nu[low[1]]}.", "alpha",
                i = "Give at most nu / (kappa (2 + nu Lambda)), or leave it out: the iteration would not converge.",
                call = call)
  }
  alpha <- if (settings$alpha > 0) rep(settings$alpha, length(settings$nu)) else paths$bound
  if (is.null(paths$fits[[1]])) {
    needed <- points$t * size / alpha[match(points$lambda, settings$nu)]
    abort_input("{.arg points} has t = {.val {points$t[which.max(needed)]}}, which needs about
                {.val {signif(max(needed), 2)}} iterations.", "points",
                i = "Give rows of smaller t, or set the number of iterations by {.arg max_steps}.", call = call)
  }
  stopped <- if (is.null(points)) msplit_lbi_stopped_early(paths, settings, alpha)
  paths$fits <- lapply(paths$fits, msplit_lbi_in_unit_of_responses, size)
  if (!is.null(points)) paths <- msplit_kernel_at_points(paths, points)
  paths$all <- table_stacked(paths$fits)
  fit <- msplit_object(paths, input, settings, c(nu = 1L, step = paths$fits[[1]]$best))
  fit$alpha <- alpha
  fit$kappa <- settings$kappa
  fit$stopped <- stopped
  if (is.null(points)) fit$sums <- msplit_report_sums(fit, paths, input, settings)
  fit
}

# The steps of the iteration have a fixed size. So the iteration runs on responses divided by the root of their mean
# square (of all responses together, since they share their times), and the path is the same in any unit of the
# response.
msplit_lbi_unit <- function(y, v, settings) {
  unit <- max(abs(y)) # first, so that squares neither overflow nor underflow
  y <- y / unit
  if (settings$intercept) y <- y - rep(colSums(v * y), each = nrow(y))
  size <- unit * sqrt(mean(colSums(v * y^2)))
  if (is.finite(size) && size > 0) size else 1
}

# A fit to responses divided by `size`, put back in the unit of the responses.
msplit_lbi_in_unit_of_responses <- function(fit, size) {
  if (is.null(fit)) return(NULL)
  for (part in c("t", "time", "end")) fit[[part]] <- fit[[part]] / size
  for (part in c("value", "a0", "dense", "dense_a0", "every", "every_a0")) {
    if (!is.null(fit[[part]])) fit[[part]] <- fit[[part]] * size
  }
  fit$loss <- fit$loss * size^2
  fit
}

LBI_MOST <- 1e8 # iterations of one nu that are run without max_steps

# Refuses a path of too many iterations. Their number from the first event to the end follows from the ridge start of
# each path: Z grows by alpha B / nu until it reaches 1. A path from B = 0 needs as many once B has come near the
# ridge solution.
msplit_lbi_check_iterations <- function(start, settings, call) {
  for (k in seq_along(settings$nu)) {
    f <- start$fits[[k]]
    if (is.null(f)) next
    scale <- if (settings$standardize) start$scale else 1
    alpha <- if (settings$alpha > 0) settings$alpha else start$bound[k]
    needed <- settings$t_ratio * settings$nu[k] / (alpha * max(abs(f$dense * scale)))
    if (is.finite(needed) && needed > LBI_MOST) {
      abort_input("{.arg nu} is {.val {settings$nu[k]}}: the path needs about
                  {.val {signif(needed, 2)}} iterations.", "nu",
                  i = "Give a {.arg nu} nearer to 1, a smaller {.arg t_ratio} or {.arg kappa}, or
                  set the number of iterations by {.arg max_steps}; the exact path
                  ({.code method = \"iss\"}) needs none.",
                  call = call)
    }
  }
}

# The nu whose path max_steps has ended, with a warning.
msplit_lbi_stopped_early <- function(paths, settings, alpha) {
  last <- if (settings$nt > 1) settings$t_ratio else 1
  ended <- vapply(seq_along(alpha), function(k) {
    t <- paths$fits[[k]]$time
    if (length(t) == 1) return(any(paths$fits[[k]]$dense != 0))
    t[length(t)] < last * t[2] - alpha[k]
  }, NA)
  nu <- settings$nu[ended]
  if (length(nu)) {
    cli::cli_warn(c(
      "{.arg max_steps} = {.val {settings$max_steps}} has ended the path of
      {.arg nu} = {.val {nu}}.",
      i = "It is incomplete: give a larger {.arg max_steps} or a smaller {.arg t_ratio}."
    ))
  }
  nu
}

# The discrete path of msplit(method = "lbi").

lbi_path <- function(frame, coded, settings, points, call) {
  losses <- c("squared", "binomial", "multinomial")
  target <- if (settings$loss == "binomial") (coded + 1) / 2 else coded
  times <- if (!is.null(points)) unname(split(points$t, match(points$lambda, settings$nu)))
  out <- .Call(C_msplit_lbi, list(frame$x), target, unit_weights(frame), list(
    intercept = settings$intercept, standardize = settings$standardize,
    zero = settings$start == "zero", loss = match(settings$loss, losses) - 1L,
    kappa = settings$kappa, nt = settings$nt, t_ratio = settings$t_ratio,
    max_steps = settings$max_steps, alpha = settings$alpha, nu = settings$nu, times = times
  ))
  check_fit(out, frame$x, frame$blueprint$columns, call)
  low <- which(settings$alpha > out$bound * (1 + 1e-12))
  if (length(low)) {
    abort_input("{.arg alpha} is {.val {settings$alpha}}, above its bound
                {.val {out$bound[low[1]]}} at nu = {settings$nu[low[1]]}.", "alpha",
                i = "The iteration would not converge: give at most
                nu / (kappa (2 + nu Lambda)), or leave it out.", call = call)
  }
  if (!is.null(points)) out <- at_points(out, points)
  fit <- msplit_object(out, frame, settings, coded, c(nu = 1L, step = out$fits[[1]]$best))
  fit$alpha <- if (settings$alpha > 0) rep(settings$alpha, length(settings$nu)) else out$bound
  fit$kappa <- settings$kappa
  fit
}

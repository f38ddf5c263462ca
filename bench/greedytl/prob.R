# Probabilities of two classes from scores, by several scores and calibrations. Simulated: 8 effects (or as many as
# there are columns), log odds of standard deviation 2, 27 % of the second class.

prob_data <- function(n, p) {
  w <- stats::rnorm(p) * stats::rbinom(p, 1, min(1, 8 / p))
  w <- 2 * w / sqrt(sum(w^2) + 1e-9)
  x <- matrix(stats::rnorm((n + 2000) * p), ncol = p, dimnames = list(NULL, paste0("x", seq_len(p))))
  eta <- drop(x %*% w) - 1
  list(x = x, y = stats::rbinom(n + 2000, 1, stats::plogis(eta)), p = stats::plogis(eta), train = seq_len(n))
}

# Leave-one-out scores, with the columns of the fit to all rows and their scale: of the last step, or (`ours`) the mean
# over the steps with ridge 10 p and balanced classes.
closed_scores <- function(fit, x, y, ours) {
  n <- nrow(x)
  coded <- 2 * y - 1
  v <- if (ours) ifelse(y == 1, n / 2 / sum(y), n / 2 / sum(1 - y)) else rep(1, n)
  centre <- colSums(v * x) / n
  Z <- x - rep(centre, each = n)
  Z <- sqrt(v) * Z / rep(sqrt(colSums(v * Z^2) / if (ours) n else n - 1), each = n)
  tau <- if (ours) 10 * ncol(x) else 1
  at <- match(fit$steps$entered[-1], colnames(x))
  steps <- if (ours) seq_along(at) else length(at)
  residual <- sqrt(v) * (coded - sum(v * coded) / n)
  scores <- vapply(steps, function(k) {
    z <- Z[, at[seq_len(k)], drop = FALSE]
    H <- z %*% solve(crossprod(z) + diag(tau, k), t(z)) + tcrossprod(sqrt(v)) / n
    coded - drop(residual - H %*% residual) / (1 - diag(H)) / sqrt(v)
  }, numeric(n))
  rowMeans(as.matrix(scores))
}

isotonic <- function(score, y, new) {
  o <- order(score)
  n <- length(y)
  level <- (stats::isoreg(score[o], y[o])$yf * n + .5) / (n + 1)
  stats::approx(score[o], level, new, rule = 2, ties = mean)$y
}

# Probabilities of the test rows, by calibration.
prob_ways <- function(d, rule) {
  x <- d$x[d$train, ]
  y <- d$y[d$train]
  settings <- list(rule = rule)
  if (rule == "transfer") settings$control <- transelect::greedytl_control(ridge = c(10, 1))
  classes <- factor(y, 0:1, c("no", "yes"))
  fit <- do.call(transelect::greedytl, c(list(quote(x), quote(classes), prob = TRUE), settings))
  new <- d$x[-d$train, ]
  score <- stats::predict(fit, new, type = "link")
  platt <- function(s) {
    smooth <- ifelse(y == 1, (sum(y) + 1) / (sum(y) + 2), 1 / (sum(1 - y) + 2))
    ab <- suppressWarnings(stats::glm.fit(cbind(1, s), smooth, family = stats::quasibinomial()))$coefficients
    if (!isTRUE(ab[[2]] > 0)) ab <- c(stats::qlogis(mean(smooth)), 0)
    stats::plogis(ab[1] + ab[2] * score)
  }
  with_prior <- function(s) {
    ab <- transelect:::cv_calibrate_odds(s, y == 1, rep(1, length(y)))
    stats::plogis(ab[1] + ab[2] * score)
  }
  held <- numeric(length(y))
  for (part in transelect:::cv_calibrate_parts(fit, list(x = x, y = classes))) {
    less <- do.call(transelect::greedytl, c(list(x[-part, ], classes[-part]), settings))
    held[part] <- stats::predict(less, x[part, , drop = FALSE], type = "link")
  }
  list("(score + 1)/2" = pmin(pmax((score + 1) / 2, .01), .99),
       "the rows' own scores" = platt(stats::predict(fit, x, type = "link")),
       "closed form, Platt" = platt(closed_scores(fit, x, y, rule == "transfer")),
       "closed form, prior" = with_prior(closed_scores(fit, x, y, rule == "transfer")),
       "ten parts, isotonic" = isotonic(held, y, score), "ten parts, Platt" = platt(held),
       "ten parts, prior (prob = TRUE)" = stats::predict(fit, new, type = "prob"), "the true ones" = d$p[-d$train])
}

part_prob <- function() {
  cases <- expand.grid(p = c(10, 200), n = c(20, 40, 150), rule = c("transfer", "paper"), stringsAsFactors = FALSE)
  rows <- lapply(seq_len(nrow(cases)), function(k) {
    case <- cases[k, ]
    losses <- lapply(1:20, function(draw) {
      set.seed(draw)
      d <- prob_data(case$n, case$p)
      y <- d$y[d$train]
      if (min(sum(y), sum(1 - y)) < 3) return(NULL)
      test <- d$y[-d$train]
      vapply(prob_ways(d, case$rule), function(p) {
        p <- pmin(pmax(p, 1e-4), 1 - 1e-4)
        c(brier = mean((test - p)^2), "log loss" = -mean(log(ifelse(test == 1, p, 1 - p))))
      }, c(0, 0))
    })
    losses <- Filter(Negate(is.null), losses)
    mean <- Reduce(`+`, losses) / length(losses)
    data.frame(rule = case$rule, rows = case$n, columns = case$p, loss = rownames(mean), mean,
               check.names = FALSE, row.names = NULL)
  })
  section("greedytl", "prob", "Probabilities of two classes from scores",
          "Loss of probabilities on 2000 new rows, mean over 20 draws. Rule \"transfer\" with ridge = c(10, 1).", "",
          markdown_table(do.call(rbind, rows)))
}

# The target's own fit as a component of the posterior that the evidence cannot remove. Few rows cannot tell an effect
# that only the target has from noise, so that the mixture over borrowing priors puts nearly all of its weight on
# borrowing, and its intervals miss just the effects in which the target differs.

# The mixture of tlcp_posterior_one_step() with the own fit as one more component of the weight `own` of
# tlcp_control(). centre: the estimate; V: mean squares about it, or their diagonal. The components then have degrees of
# freedom each, `df`.
tlcp_own_mixed <- function(mixture, V, posterior, set, centre, weight) {
  fit <- if (isTRUE(weight > 0) && !is.null(posterior$own)) tlcp_own_fit(posterior$own, posterior, set)
  if (is.null(fit)) return(list(mixture = mixture, V = V))
  away <- fit$mean - centre
  list(
    mixture = list(
      weights = c(mixture$weights * (1 - weight), weight),
      away = cbind(mixture$away, away, deparse.level = 0),
      variance = cbind(mixture$variance, diag(fit$V), deparse.level = 0),
      df = c(rep(posterior$df, length(mixture$weights)), fit$df)
    ),
    V = (1 - weight) * V + weight * if (is.matrix(V)) fit$V + tcrossprod(away) else diag(fit$V) + away^2
  )
}

# The least squares fit of the columns `set` to the target's rows: list(mean, V, df), intercept first, on the original
# scale. NULL where the rows do not determine it.
tlcp_own_fit <- function(own, posterior, set) {
  level <- if (posterior$level) length(posterior$columns) + 1L
  known <- c(set, level)
  if (!length(known)) return(NULL)
  H <- own$G[known, known, drop = FALSE] / own$s2
  root <- sqrt(pmax(diag(H), 0))
  if (!all(root > 0)) return(NULL)
  R <- tryCatch(chol(H / tcrossprod(root)), error = function(e) NULL)
  if (is.null(R) || min(diag(R)) < 1e-5) return(NULL)
  V <- chol2inv(R) / tcrossprod(root)
  slopes <- seq_along(set)
  unit <- own$unit[set]
  to <- matrix(0, length(set) + 1, length(known))
  to[cbind(slopes + 1, slopes)] <- unit
  to[1, slopes] <- -own$x_mean[set] * unit
  if (length(level)) to[1, length(known)] <- posterior$y_scale
  mean <- drop(to %*% V %*% (own$g[known] / own$s2)) + c(own$origin, numeric(length(set)))
  V <- to %*% V %*% t(to)
  V[1, 1] <- V[1, 1] + posterior$constant
  list(mean = mean, V = V, df = own$df)
}

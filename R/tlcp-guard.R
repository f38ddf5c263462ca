# guard = "cv": the average of the borrowing fit, all features kept, and of the target's own best subset, weighted by
# how well both predict rows of the target that are held out.
#
# P_i and Q_i are the predictions of row i by the borrowing fit and by the best subset, from the rows outside its fold.
# With the rows' weights v_i (mean one), the target's residual variance s2 and the log likelihood ratio lr of sharing,
# the weight w of the borrowing fit, between 0 and 1, minimises
#   sum_i v_i (y_i - w P_i - (1 - w) Q_i)^2 + a s2 (1 - w)^2,   a = p/2 + GUARD_EVIDENCE max(lr, 0), p features.
# The last term keeps w near 1 where few rows say otherwise, the more so the more evidence of sharing there is. In the
# borrowing fit the sparse model without borrowing has the prior probability GUARD_FEW. Both fits are made of sums of
# products, and those of a training part are added up from the other folds: rows are read once.

GUARD_FOLDS <- 10
GUARD_EVIDENCE <- 20
GUARD_FEW <- .2

# The paths that are averaged, with the target's own best subset as the last of them and its weight, `subset`, among
# the weights. cells: of the domains, target first; fits: functions(cells, settings, call) that give the target's
# constant and slopes (a0, beta) in the fit that borrows, `borrowing`, and in its best subset, `own`.
tlcp_guard_paths <- function(paths, frame, cells, target, settings, fits, call) {
  base <- paths[[1]]
  if (length(base$domains) == 1) return(paths)
  mine <- frame_rows_of_target(frame, target)
  y <- response_first(mine$y)
  fold <- tlcp_guard_folds(y)
  sums <- frame_moments_sums(mine, factor(fold), call)
  trained <- lapply(seq_along(sums$cells), function(k) { # without fold k
    Reduce(moments_cells_join, sums$cells[sums$labels$fold != k])
  })
  if (!tlcp_guard_has_rows(base, trained)) {
    tell(paste0("`guard = \"cv\"` holds out no rows here, and the fit is that of `guard = ", GUARD_FEW, "`: ",
                words_counted(length(y), "row"), words_in_domain(target), " are too few for a best subset of ",
                words_counted(settings$p, "feature"), ", or a column is constant there or a combination of others."),
         class = "transelect_message_guard")
    return(paths)
  }
  if (!is.null(settings$sigma2)) {
    settings$own_sigma2 <- check_order_by_names(settings$sigma2, tlcp_domain_names(base$domains), "sigma2", call)[[1]]
  }
  subset_fit <- fits$own(cells, settings, call)
  held_out <- cv_user_fit_without_messages(tlcp_guard_held_out(mine$x, fold, trained, cells, settings, fits, call))
  weights <- response_weights_or_ones(mine)
  s2 <- base$borrowing$s2[1] * base$domains[[1]]$y_scale^2
  prior <- (length(base$columns) / 2 + GUARD_EVIDENCE * max(base$borrowing$lr, 0)) * s2
  w <- tlcp_guard_weight(y, held_out, weights, prior)
  if (1 - w < RARE) w <- 1
  paths[[1]]$borrowing$cv <- list(
    weight = 1 - w, selected = labels_of_columns(settings$columns, which(subset_fit$beta != 0)),
    mse = colSums(weights * (y - held_out)^2) / length(y)
  )
  if (w == 1) return(paths)
  paths[[1]]$borrowing$units_weights <- c(w * base$borrowing$units_weights, subset = 1 - w)
  c(paths, list(tlcp_guard_path(base, subset_fit, settings$intercept)))
}

# The fold of each row. Rows are dealt in the order of the response, to and fro, so that the folds have nearly the same
# means and depend neither on random numbers nor on the order of the rows.
tlcp_guard_folds <- function(y) {
  folds <- min(GUARD_FOLDS, length(y))
  fold <- integer(length(y))
  fold[order(y)] <- rep_len(c(seq_len(folds), rev(seq_len(folds))), length(y))
  fold
}

# Can a best subset be fitted to all rows of the target, and to those outside each fold?
tlcp_guard_has_rows <- function(base, trained) {
  domain <- base$domains[[1]]
  if (!is.null(domain$X) || !all(domain$varies) || domain$fit$df < LEAST_DF) return(FALSE)
  if (length(domain$fit$kept) < length(domain$g)) return(FALSE)
  least <- length(domain$varies) + 2
  all(vapply(trained, function(cell) {
    last <- length(cell$mean)
    cell$n >= least && cell$cross[last, last] > 1e-24 * cell$weight * cell$mean[last]^2
  }, NA))
}

# Predictions of each row, by the fits to the rows outside its fold: a matrix with columns `borrowing` and `own`.
tlcp_guard_held_out <- function(x, fold, trained, cells, settings, fits, call) {
  predictions <- matrix(0, length(fold), 2, dimnames = list(NULL, c("borrowing", "own")))
  for (k in seq_along(trained)) {
    cells[[1]] <- trained[[k]]
    held_rows <- which(fold == k)
    rows <- as.matrix(x[held_rows, , drop = FALSE])
    for (name in colnames(predictions)) {
      fit <- fits[[name]](cells, settings, call)
      predictions[held_rows, name] <- fit$a0 + drop(rows %*% fit$beta)
    }
  }
  predictions
}

# The weight of the borrowing fit. prior: a s2.
tlcp_guard_weight <- function(y, held_out, weights, prior) {
  apart <- held_out[, "borrowing"] - held_out[, "own"]
  w <- (sum(weights * (y - held_out[, "own"]) * apart) + prior) / (sum(weights * apart^2) + prior)
  min(max(w, 0), 1)
}

# The path of the best subset: `base` with its coefficients. Its covariance is that of least squares of all features,
# plus the square of the difference from them: that of the chosen columns alone would take the choice as certain.
tlcp_guard_path <- function(base, subset_fit, intercept) {
  domain <- base$domains[[1]]
  s2 <- base$borrowing$s2[1]
  raw <- list(beta = cbind(subset_fit$beta[base$columns]), a0 = subset_fit$a0)
  mean <- tlcp_domain_scaled_coefficients(raw, base$columns, domain)[seq_along(domain$g)]
  set <- which(base$sets[, 2])
  free <- c(set, setdiff(seq_along(mean), seq_along(base$columns)))
  inverse <- .Call(C_spd_inverse, domain$G[free, free, drop = FALSE])
  V <- matrix(0, length(mean), length(mean))
  V[free, free] <- s2 * inverse + tcrossprod(drop(inverse %*% domain$g[free]) - mean[free])
  found <- list(domains = base$all_domains, used = list(domains = base$domains, s2 = base$borrowing$s2))
  path <- tlcp_sparse_path(base, list(mean = mean, covariance = V), found)
  path$trace[2] <- sum(subset_fit$beta != 0) + intercept - base$intercept_df
  with_constant <- c(set, nrow(path$sparse$covariance[[2]]))
  path$sparse$covariance[[2]] <- path$sparse$covariance[[2]][with_constant, with_constant, drop = FALSE]
  path
}

# Refuses guard = "cv" where the fit has no such average.
tlcp_guard_check_cv <- function(frame, whole, select, call) {
  if (likelihood_is_used(frame$family)) {
    abort_input("{.arg guard} is {.val cv} and {.arg family} {.val {response_family_of_frame(frame)}}.", "guard",
                i = "Give {.code TRUE} or a number: {.val cv} is for numeric responses.", call = call)
  }
  if (!frame_rows_are_there(frame)) {
    abort_input("{.arg guard} is {.val cv}, and {.arg x} is moments, of which no rows can be held out.", "guard",
                i = "Give {.code TRUE} or a number, or the rows in place of the moments.", call = call)
  }
  if (!whole) {
    abort_input("{.arg guard} is {.val cv}, which is for {.code borrow = \"hierarchical\"} and
                 {.code method = \"exact\"}.", "guard",
                i = "Give {.code TRUE}, or leave {.arg guard} out.", call = call)
  }
  if (select) {
    abort_input("{.arg guard} is {.val cv}, and features are selected.", "guard",
                i = "Give {.code select = FALSE}: the coefficients are an average, and none of them is exactly zero.",
                call = call)
  }
}

# The measures of assess() from predictions, responses and weights: estimates with standard errors and limits.

# list(w, cluster, z): weights of mean one; NULL, or where each row comes from; the quantile of intervals.
assess_measure_rows <- function(w, cluster) {
  if (!is.null(cluster)) cluster <- factor(cluster)
  list(w = w, cluster = cluster, z = if (is.null(cluster)) 1.96 else stats::qt(.975, nlevels(cluster) - 1))
}

# The standard error of an estimate that is a sum of parts with mean zero, one for each row; the parts of a cluster
# are added up first.
assess_measure_standard_error <- function(part, rows) {
  if (!is.null(rows$cluster)) part <- rowsum(part, rows$cluster)
  n <- length(part)
  if (n > 1L) sqrt(sum(part^2) * n / (n - 1)) else NA_real_
}

assess_measure_row <- function(measure, estimate, se = NA_real_, rows = assess_measure_rows(1, NULL),
                               range = c(-Inf, Inf)) {
  limits <- pmin(pmax(estimate + c(-1, 1) * rows$z * se, range[1L]), range[2L])
  data.frame(measure = measure, estimate = estimate, std.error = se, conf.low = limits[1L],
             conf.high = limits[2L])
}

# A weighted mean over rows, with its standard error.
assess_measure_mean <- function(measure, value, rows, range = c(0, Inf)) {
  n <- length(value)
  mean <- sum(rows$w * value) / n
  assess_measure_row(measure, mean, assess_measure_standard_error(rows$w * (value - mean) / n, rows), rows, range)
}

# A share of rows with Wilson's limits, for the number of rows that would have this standard error; `most` if it
# is 0.
assess_measure_share <- function(measure, share, se, rows, most = assess_measure_size(rows)) {
  row <- assess_measure_row(measure, share, se, rows)
  size <- if (isTRUE(se > 0)) share * (1 - share) / se^2 else most
  limits <- if (is.na(se)) c(NA_real_, NA_real_) else assess_measure_wilson_interval(share, size, rows$z)
  row[c("conf.low", "conf.high")] <- as.list(limits)
  row
}

# The number of rows of equal weight, or of clusters, that the rows numbered `of` are worth.
assess_measure_size <- function(rows, of = seq_along(rows$w)) {
  if (is.null(rows$cluster)) sum(rows$w[of])^2 / sum(rows$w[of]^2) else length(unique(rows$cluster[of]))
}

# An area or a concordance, a share of pairs of rows. Where all pairs are in order, or none, the standard error is 0;
# then the limits are Wilson's for a share of `size` rows, of which the variance is as large as that of pairs can be.
assess_measure_pairs <- function(measure, share, se, size, rows) {
  if (is.na(se) || se > 1e-8) return(assess_measure_row(measure, share, se, rows, 0:1))
  assess_measure_share(measure, share, 0, rows, size)
}

assess_measure_wrong_share <- function(measure, wrong, rows) {
  mean <- assess_measure_mean(measure, wrong, rows)
  assess_measure_share(measure, mean$estimate, mean$std.error, rows)
}

assess_measure_numbers <- function(p, y, rows) {
  w <- rows$w
  square <- (y - p)^2
  mse <- assess_measure_mean("mse", square, rows)
  total <- sum(w * (y - sum(w * y) / sum(w))^2)
  if (!(total > 0)) assess_measure_tell_undefined(c("r_squared", "calibration_slope"), "the responses are all equal")
  slope <- c(NA_real_, NA_real_)
  away <- p - sum(w * p) / sum(w)
  if (!(stats::sd(p) > 0)) {
    assess_measure_tell_undefined("calibration_slope", "the predictions are all equal")
  } else if (total > 0) {
    slope[1L] <- sum(w * away * y) / sum(w * away^2)
    left <- y - sum(w * y) / sum(w) - slope[1L] * away
    freedom <- length(y) - 2L
    slope[2L] <- if (!is.null(rows$cluster)) assess_measure_standard_error(w * away * left / sum(w * away^2), rows) else
      if (freedom > 0L) sqrt(sum(w * left^2) / freedom / sum(w * away^2)) else NA_real_
  }
  rmse_se <- if (mse$estimate > 0) mse$std.error / (2 * sqrt(mse$estimate)) else NA_real_
  rbind(
    assess_measure_row("rmse", sqrt(mse$estimate), rmse_se, rows, c(0, Inf)),
    assess_measure_mean("mae", abs(y - p), rows),
    assess_measure_row("r_squared", if (total > 0) 1 - sum(w * square) / total else NA_real_),
    assess_measure_mean("calibration_intercept", y - p, rows, c(-Inf, Inf)),
    assess_measure_row("calibration_slope", slope[[1L]], slope[[2L]], rows)
  )
}

# Of counts y predicted as p the mean deviance of a row; theta: Inf for Poisson.
assess_measure_deviance <- function(p, y, rows, theta) {
  eta <- log(pmax(p, 1e-300))
  each <- 2 * if (is.finite(theta)) {
    negbin_terms(y, log(pmax(y, 1e-300)), theta) - negbin_terms(y, eta, theta)
  } else {
    likelihood_entropy(y) - y + p - y * eta
  }
  assess_measure_mean("deviance", each, rows)
}

# of_true_class: the predicted probability of the true class of each row.
assess_measure_tell_impossible <- function(of_true_class) {
  if (!any(of_true_class == 0)) return(invisible())
  tell(paste0("The predicted probability of the observed class is 0 in ",
              words_counted(sum(of_true_class == 0), "row"),
              ": \"log_loss\" uses 1e-15 instead, since it would be infinite."), class = "transelect_message_undefined")
}

# A message where a measure is NA.
assess_measure_tell_undefined <- function(measures, why) {
  tell(paste0(words_in_quotes(measures), if (length(measures) > 1L) " are NA: " else " is NA: ", why, "."),
       class = "transelect_message_undefined")
}

# y: 1 for the second class; p: its probabilities or scores; upper: is it predicted?
assess_measure_two_classes <- function(p, y, upper, rows, probability) {
  wrong <- y != upper
  rbind(
    assess_measure_auroc(p, y, rows),
    if (probability) {
      rbind(assess_measure_mean("brier", (y - p)^2, rows),
            assess_measure_mean("log_loss", -log(pmax(ifelse(y == 1, p, 1 - p), 1e-15)), rows),
            assess_measure_calibration_slope(p, y, rows))
    },
    assess_measure_wrong_share("error", wrong, rows), assess_measure_balanced_error(wrong, y, rows)
  )
}

# DeLong's standard error, from the share of the other class that each row is ranked above or below; of
# clusters Obuchowski's, who adds these up by cluster. The variance of an area A from m and n rows is at most
# A (1 - A) / min(m, n) (van Dantzig).
assess_measure_auroc <- function(p, y, rows) {
  w <- rows$w
  area <- cv_loss_area_under_curve(y == 1, p, w)
  if (is.na(area)) return(assess_measure_row("auroc", NA_real_))
  share <- function(mine, others, w) {
    ascending <- order(others)
    below <- cumsum(c(0, w[ascending])) / sum(w)
    lower <- below[findInterval(mine, others[ascending], left.open = TRUE) + 1L]
    upper <- below[findInterval(mine, others[ascending]) + 1L]
    (lower + upper) / 2
  }
  up <- y == 1
  part <- numeric(length(y))
  part[up] <- response_weights_sum_one(w[up]) * (share(p[up], p[!up], w[!up]) - area)
  part[!up] <- response_weights_sum_one(w[!up]) * (1 - share(p[!up], p[up], w[up]) - area)
  se <- if (is.null(rows$cluster)) {
    sqrt(assess_measure_standard_error(part[up], rows)^2 + assess_measure_standard_error(part[!up], rows)^2)
  } else {
    assess_measure_standard_error(part, rows)
  }
  size <- min(assess_measure_size(rows, which(up)), assess_measure_size(rows, which(!up)))
  assess_measure_pairs("auroc", area, se, size, rows)
}

# A logistic regression of y on the log odds predicted. Log odds of probabilities that are exactly 0 or 1 are infinite:
# such rows have likelihood 1 at every intercept and positive slope where the response is as predicted, so that they
# are left out; where it is not, likelihood 0, so that nothing can be estimated.
assess_measure_calibration_slope <- function(p, y, rows) {
  z <- stats::qlogis(p)
  sure <- is.infinite(z)
  wrong <- sum(sure & (z > 0) != (y == 1))
  names <- c("calibration_intercept", "calibration_slope")
  none <- list(c(NA_real_, NA_real_), c(NA_real_, NA_real_))
  found <- if (wrong) {
    assess_measure_tell_undefined(names,
                                  paste("the predicted probability of the observed class is exactly 0 in",
                                        words_counted(wrong, "row")))
    none
  } else if (length(unique(y[!sure])) < 2L) {
    assess_measure_tell_undefined(c(if (length(unique(y)) < 2L) "auroc", names), paste0(
      "all rows", if (any(sure)) " with probabilities other than 0 and 1", " are of one class"
    ))
    none
  } else {
    if (any(sure)) {
      tell(paste("The calibration slope and intercept leave out", words_counted(sum(sure), "row"),
                 "with a probability of exactly 0 or 1: the log odds are infinite."),
           class = "transelect_message_undefined")
    }
    level <- assess_measure_logistic_estimate(matrix(1, sum(!sure)), z[!sure], y, !sure, rows)
    slope <- if (stats::sd(z[!sure]) > 0) assess_measure_logistic_estimate(cbind(z[!sure], 1), 0, y, !sure, rows)
    if (is.null(slope)) {
      assess_measure_tell_undefined(names[2L], if (stats::sd(z[!sure]) > 0) "the predictions separate the classes" else
        "the predictions are all equal")
    }
    list(level, slope %||% none[[2L]])
  }
  assess_measure_tell_impossible(ifelse(y == 1, p, 1 - p))
  rbind(assess_measure_row(names[1L], found[[1L]][1L], found[[1L]][2L], rows),
        assess_measure_row(names[2L], found[[2L]][1L], found[[2L]][2L], rows))
}

# The coefficient of the first of the columns Z of some rows, with its standard error; NULL where the likelihood has
# no maximum. The last column is constant.
assess_measure_logistic_estimate <- function(Z, offset, y, used, rows) {
  w <- rows$w[used]
  part <- list(name = NO_DOMAIN, Z = Z, add = rep_len(offset, nrow(Z)), y = y[used], w = w, base = 0)
  theta <- tryCatch(moments_family_maximum("binomial", part, NULL), transelect_error_family = function(e) NULL)
  if (is.null(theta)) return(NULL)
  mean <- likelihood_mean("binomial", part$add + drop(Z %*% theta))
  V <- solve(crossprod(Z * sqrt(w * mean$v)))
  se <- sqrt(V[1L, 1L])
  if (!is.null(rows$cluster)) {
    each <- numeric(length(used))
    each[used] <- (Z * (w * (part$y - mean$mu))) %*% V[, 1L]
    se <- assess_measure_standard_error(each, rows)
  }
  c(theta[1L], se)
}

# The share of wrong rows in each class, averaged over the classes that occur.
assess_measure_balanced_error <- function(wrong, y, rows) {
  classes <- split(seq_along(y), y, drop = TRUE)
  k <- length(classes)
  share <- variance <- numeric(k)
  part <- numeric(length(y))
  for (class in seq_len(k)) {
    of_class <- classes[[class]]
    v <- response_weights_sum_one(rows$w[of_class])
    share[class] <- sum(v * wrong[of_class])
    variance[class] <- sum(v^2) * share[class] * (1 - share[class])
    part[of_class] <- v * (wrong[of_class] - share[class])
  }
  se <- if (is.null(rows$cluster)) sqrt(sum(variance)) else assess_measure_standard_error(part, rows)
  assess_measure_share("balanced_error", mean(share), se / k, rows)
}

assess_measure_classes <- function(p, y, chosen, rows, classes, top, probability) {
  p <- p[, classes, drop = FALSE]
  code <- as.integer(y)
  of_true_class <- p[cbind(seq_along(code), code)]
  rank <- rowSums(p > of_true_class) + 1
  wrong <- (if (is.null(chosen)) max.col(p, ties.method = "first") else as.integer(chosen)) != code
  rbind(
    assess_measure_wrong_share("error", wrong, rows), assess_measure_balanced_error(wrong, y, rows),
    assess_measure_wrong_share("top_k_error", rank > top, rows),
    if (probability) {
      assess_measure_tell_impossible(of_true_class)
      rbind(assess_measure_mean("brier", rowSums((response_class_indicators(y) - p)^2), rows),
            assess_measure_mean("log_loss", -log(pmax(of_true_class, 1e-15)), rows))
    }
  )
}

# Survival times: concordance, and the calibration slope, the coefficient of the linear predictor in a
# Cox model of the new rows.
assess_measure_survival <- function(p, y, w, rows) {
  rank <- c(NA_real_, NA_real_)
  slope <- c(NA_real_, NA_real_)
  why <- assess_measure_slope_undefined(p, y, w)
  if (any(unclass(y)[, "status"] == 1)) rank <- cv_loss_concordance(y, p, w, rows$cluster)
  if (is.null(why)) {
    group <- rows$cluster
    model <- if (is.null(group)) survival::coxph(y ~ p, weights = w, robust = FALSE) else
      survival::coxph(y ~ p, weights = w, cluster = group)
    slope <- c(stats::coef(model), sqrt(model$var))
  } else {
    assess_measure_tell_undefined(c(if (is.na(rank[1L])) "concordance", "calibration_slope"), why)
  }
  # the variance of a concordance C of n events is at most 2 C (1 - C) / n (Kendall)
  events <- which(unclass(y)[, "status"] == 1)
  rbind(assess_measure_pairs("concordance", rank[1], rank[2], assess_measure_size(rows, events) / 2, rows),
        assess_measure_row("calibration_slope", slope[[1]], slope[[2]], rows))
}

# Why a Cox model of the rows with the column p has no coefficient, or NULL.
assess_measure_slope_undefined <- function(p, y, w) {
  if (!any(unclass(y)[, "status"] == 1)) return("there are no events")
  if (!(stats::sd(p) > 0)) return("the predictions are all equal")
  Z <- matrix((p - mean(p)) / stats::sd(p))
  part <- list(name = NO_DOMAIN, Z = Z, add = 0 * p, risk = response_family_surv_risk(y), w = w)
  theta <- tryCatch(moments_family_maximum("cox", part, NULL), transelect_error_family = function(e) NULL)
  if (is.null(theta)) return("at every event the prediction is the largest, or the smallest, of those at risk")
  start <- estimates_domain_terms("cox", part, 0)$information
  if (!(start[1L] > 1e-12 * sum(w))) "at every event all rows at risk have the same prediction"
}

# Groups of about equally many rows by prediction; equal predictions stay together.
assess_measure_calibration_curve <- function(p, y, w, bins, share) {
  limits <- unique(stats::quantile(p, seq(0, 1, length.out = bins + 1), names = FALSE, type = 1))
  group <- if (length(limits) > 1L) cut(p, limits, include.lowest = TRUE, labels = FALSE) else rep(1L, length(p))
  do.call(rbind, lapply(split(seq_along(p), group), function(rows) {
    v <- response_weights_sum_one(w[rows])
    observed <- sum(v * y[rows])
    size <- 1 / sum(v^2) # the number of rows of equal weight whose mean has this variance
    range <- if (share) assess_measure_wilson_interval(observed, size) else {
      se <- sqrt(sum(v * (y[rows] - observed)^2) / max(size - 1, 1))
      observed + c(-2, 2) * se
    }
    data.frame(predicted = sum(v * p[rows]), observed = observed, conf.low = range[1L],
               conf.high = range[2L], n = length(rows))
  }))
}

# Wilson's 95 % interval of a share.
assess_measure_wilson_interval <- function(share, n, z = 1.96) {
  centre <- (share + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2)) / (1 + z^2 / n)
  pmin(pmax(centre + c(-1, 1) * half, 0), 1)
}

# Data for msplit(), and the comparison of its paths with the naive twin.

# Columns 1 to 3 have strong effects, the others weak ones.
msplit_case <- function(seed, kind = "random", n = 20, d = 8) {
  with_seed(seed, {
    near <- kind == "near"
    x <- draw_features(if (near) "random" else kind, n, d)
    if (near) {
      half <- seq_len(d %/% 2)
      x[, d + 1 - half] <- x[, half] + 1e-5 * rnorm(n * length(half))
    }
    standard <- scale(x)
    standard[is.na(standard)] <- 0
    weak <- rnorm(d) / 4
    strong <- c(2, -1.5, 1)[seq_len(min(3, d))]
    y <- drop(standard %*% weak) + drop(standard[, seq_along(strong)] %*% strong) + rnorm(n)
    if (kind == "tied") y <- round(y)
    other <- drop(standard %*% rev(weak)) - standard[, 1] + rnorm(n)
    list(
      x = x, y = y, pair = cbind(first = y, second = other),
      class = cut(rank(y + other, ties.method = "first"), 3, c("low", "mid", "high")),
      factor = factor(ifelse(y > stats::median(y), "yes", "no")),
      weights = sample(1:4, n, replace = TRUE) / 3, new = named_columns(rnorm(6 * d), 6, "x")
    )
  })
}

# The path for one nu, without the choice of a model.
plain_path <- function(x, y, nu = 2, ...) flat(msplit)(x, y, nu = nu, choose = "none", ...)

# The times of all steps of a path, and an estimator for scaled columns: a matrix with a column for each step.
estimates_at <- function(fit, rows, estimator, ...) {
  steps <- fit$points$step
  beta <- as.matrix(coef(fit, step = steps, estimator = estimator, ...))
  beta[-1, , drop = FALSE] * rows$scale
}

expect_msplit_kkt <- function(fit, rows, nu, t_ratio, label = "", tolerance = 1e-8) {
  t <- fit$points$t[-1]
  gamma <- estimates_at(fit, rows, "gamma")[, -1, drop = FALSE]
  expect_gaps(naive_kkt(rows$x, rows$y, nu, t, gamma, t_ratio * t[1]), tolerance, label)
}

# The path of the twin: its times and both estimators, matrices with a column for each time.
naive_story <- function(rows, nu, t_ratio) {
  events <- naive_iss(rows$x, rows$y, nu, t_ratio)
  gamma <- cbind(0, vapply(events, `[[`, numeric(ncol(rows$x)), "gamma"))
  dense <- apply(gamma != 0, 2, function(on) naive_dense(rows$x, rows$y, which(on), nu))
  dense[is.na(dense)] <- 0
  list(t = c(0, vapply(events, `[[`, 0, "t")), gamma = gamma, dense = dense)
}

fail_steps <- function(fit, twin, label) {
  fail(sprintf("%s: %d steps, the twin has %d", label, nrow(fit$points), length(twin$t)))
}

# Expects an exact path to be the twin's. worth: compare leave-one-out errors, df and REML by brute force, too.
expect_msplit_twin <- function(fit, rows, nu, t_ratio = 100, label = "", tolerance = 1e-8,
                               worth = FALSE) {
  twin <- naive_story(rows, nu, t_ratio)
  if (length(twin$t) != nrow(fit$points)) return(fail_steps(fit, twin, label))
  t <- twin$t
  gamma <- twin$gamma
  dense <- twin$dense
  gaps <- c(
    t = max(abs(fit$points$t / t - 1)[-1]), gamma = gap(estimates_at(fit, rows, "gamma"), gamma),
    sparse = gap(estimates_at(fit, rows, "sparse"), gamma),
    dense = gap(estimates_at(fit, rows, "dense"), dense),
    size = gap(fit$steps$size, colSums(gamma != 0))
  )
  if (worth) {
    # with about as many columns as rows, no row can be left out
    at <- colSums(gamma != 0) <= nrow(rows$x) / 2
    known <- apply(gamma[, at, drop = FALSE] != 0, 2, function(on) {
      unlist(naive_support(rows, which(on), nu))
    })
    gaps <- c(
      gaps, loo = gap(fit$steps$loo[at], known["loo", ]), df = gap(fit$steps$df[at], known["df", ]),
      reml = gap(diff(fit$steps$reml[at]), diff(known["reml", ]))
    )
  }
  expect_gaps(gaps, tolerance, label)
}

# Names that enter or leave in the same step, sorted: they have no order.
in_order <- function(names) {
  vapply(strsplit(names, ", "), function(one) paste(sort(one), collapse = ", "), "")
}

# Expects two fits to have the same path; columns are matched by name.
expect_same_msplit <- function(fit, other, tolerance = 1e-8, label = "path") {
  steps <- fit$points$step
  columns <- intersect(c("loss", "loo", "df", "criterion"), names(fit$steps))
  expect_identical(in_order(fit$steps$entered), in_order(other$steps$entered), label = label)
  expect_identical(in_order(fit$steps$dropped), in_order(other$steps$dropped), label = label)
  expect_identical(fit$best, other$best, label = label)
  gaps <- vapply(columns, function(name) na_gap(fit$steps[[name]], other$steps[[name]]), 0)
  gaps["t"] <- gap(fit$points$t, other$points$t)
  for (estimator in c("dense", "sparse", "gamma")) {
    one <- as.matrix(coef(fit, step = steps, estimator = estimator))
    two <- as.matrix(coef(other, step = steps, estimator = estimator))
    if (!is.null(rownames(one))) two <- two[rownames(one), , drop = FALSE]
    gaps[estimator] <- gap(one, two)
  }
  expect_gaps(gaps, tolerance, label)
}

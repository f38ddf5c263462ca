# The simulations of the paper's section 6 and appendices B and D. Its formulas and most of its numbers are
# missing in our copy: coefficients and sizes that are not known are ours. Only definitions.

toy <- list(beta = c(1, .01, .005, .3, .32, .08), n = 20) # the fourth and fifth are critical at 20 rows
sparse_toy <- replace(toy$beta, 2:3, 0)

# ---- several domains with orthogonal columns, feature by feature --------------------------------

# z: draws x domains, coefficients by least squares, the target's first; rows: n of each domain. Minimises
#   sum_t rows_t (z_t - w_t)^2 + (v / 2) sum_t (w_t - mean w)^2 + pen [kept],
# for errors of variance 1; with two domains the coupling is (v / 4) (w_1 - w_2)^2, as in (8).
general_tlcp <- function(z, rows, v, pen = 2) {
  count <- length(rows)
  D <- diag(rows, count)
  solved <- solve(D + v / 2 * (diag(count) - 1 / count), D)
  kept <- rowSums((z %*% (D %*% solved)) * z) > pen
  (z %*% t(solved))[, 1] * kept
}

# Least squares coefficients of domains with so many rows.
drawn_coefficients <- function(truth, rows, draws) {
  vapply(seq_along(rows), function(t) truth[t] + stats::rnorm(draws) / sqrt(rows[t]), numeric(draws))
}

# The paper's v: 2 / variance of the domains' coefficients, at most 1e8, which is that of equal coefficients.
coupling_of <- function(truth) min(2 / stats::var(truth), 1e8)

# Mean coefficients and errors of the target in a toy of one target and other domains that differ by delta.
toy_draws <- function(delta, beta = toy$beta, n = toy$n, draws = 5000) {
  vapply(beta, function(b) {
    truth <- b + c(0, delta)
    rows <- rep(n, length(truth))
    w <- general_tlcp(drawn_coefficients(truth, rows, draws), rows, coupling_of(truth))
    c(mean = mean(w), mse = mean((w - b)^2))
  }, c(mean = 0, mse = 0))
}

table1 <- function() {
  set.seed(1)
  delta <- c(.01, .1, .3, .6)
  z <- vapply(toy$beta, function(b) stats::rnorm(5000, b, 1 / sqrt(toy$n)), numeric(5000))
  means <- rbind(toy$beta, colMeans(z * (toy$n * z^2 > 2)),
                 t(vapply(delta, function(d) toy_draws(d)["mean", ], toy$beta)))
  data.frame(model = c("true", "Cp", paste("TLCp, delta =", delta)),
             matrix(sprintf("%.3f", means), nrow(means), dimnames = list(NULL, paste0("b", 1:6))))
}

figure17 <- function() {
  set.seed(2)
  delta <- c(0, .05, .1, .2, .4, .8)
  error <- function(d) sum(toy_draws(d)["mse", ])
  data.frame(delta = delta, Cp = sum(cp_mse(toy$beta, toy$n)),
             "TLCp, one other domain" = vapply(delta, error, 0),
             "exact" = vapply(delta, function(d) {
               sum(tlcp_mse(toy$beta, toy$n, toy$n, d, lam = c(1, 1), v = coupling_of(c(0, d)), pen = 2))
             }, 0),
             "two other domains" = vapply(delta, function(d) error(c(d, d)), 0), check.names = FALSE)
}

# ---- error and features found, by rows and relative dissimilarity -----------------------------

# The expected number of features that are rightly kept or left out.
found_right <- function(keep, beta) sum(ifelse(beta == 0, 1 - keep, keep))

# Squared error of all coefficients, and features rightly kept or left out. The other domain has m rows, and its
# coefficients are all larger by the same amount; `relative` is the length of this difference divided by that of beta.
grid_row <- function(n, relative, beta, m = 20) {
  delta <- relative * sqrt(sum(beta^2) / length(beta))
  c(mse = sum(tlcp_mse(beta, n, m, delta)), mse_cp = sum(cp_mse(beta, n)),
    found = found_right(tlcp_selection(beta, n, m, delta), beta),
    found_cp = found_right(cp_selection(beta, n), beta))
}

grid_table <- function(beta) {
  relative <- c(.05, .25, .5, 1, 2)
  rows <- lapply(c(10, 20, 40, 60, 80, 100), function(n) {
    cells <- vapply(relative, grid_row, c(mse = 0, mse_cp = 0, found = 0, found_cp = 0), n = n,
                    beta = beta)
    data.frame(n, sprintf("%.3f, %.2f", cells["mse_cp", 1], cells["found_cp", 1]),
               t(sprintf("%.3f, %.2f", cells["mse", ], cells["found", ])))
  })
  table <- do.call(rbind, rows)
  names(table) <- c("rows", "Cp", paste("TLCp at", relative))
  table
}

# Figure 18: coefficients other than zero drawn at random.
random_beta <- function() {
  set.seed(18)
  replace(stats::runif(6, -1, 1), 2:3, 0)
}

# Figure 19: weights of the rule times random factors between 1/10 and 10; the mean over draws.
random_settings <- function(beta, n, relative, m = 20, draws = 200) {
  set.seed(19)
  delta <- relative * sqrt(sum(beta^2) / length(beta))
  cells <- replicate(draws, {
    factor <- 10^stats::runif(4, -1, 1)
    given <- list(beta, n, m, delta, lam = factor[1:2], v = factor[3] * 4 / delta^2, pen = 2 * factor[4])
    c(sum(do.call(tlcp_mse, given)), found_right(do.call(tlcp_selection, given), beta))
  })
  rowMeans(cells)
}

figure19 <- function() {
  cases <- expand.grid(n = c(20, 60), relative = c(.05, .5, 2))
  cells <- Map(function(n, relative) {
    ruled <- grid_row(n, relative, random_beta())
    random <- random_settings(random_beta(), n, relative)
    data.frame(rows = n, "relative dissimilarity" = relative,
               Cp = sprintf("%.3f, %.2f", ruled["mse_cp"], ruled["found_cp"]),
               "TLCp, the rule" = sprintf("%.3f, %.2f", ruled["mse"], ruled["found"]),
               "TLCp, random settings" = sprintf("%.3f, %.2f", random[1], random[2]),
               check.names = FALSE)
  }, cases$n, cases$relative)
  do.call(rbind, cells)
}

part_toy <- function() {
  section(
    "tlcp", "toy", "The toy example and its variants (Table 1, Figures 4, 17, 18 and 19)",
    "Orthogonal columns, errors of variance 1, the paper's rule with delta known. The six coefficients are 1",
    ".01 .005 .3 .32 .08; the fourth and fifth are critical at 20 rows. The other domain has 20 rows.", "",
    "Table 1, mean coefficients of 5000 draws:", "", markdown_table(table1()), "",
    "Figure 17, squared error of all coefficients, one and two other domains of 20 rows whose coefficients are",
    "larger by delta (5000 draws; `exact`: `tlcp_mse()`). The paper: two other domains are \"significantly better\"",
    "than one, and one is better than Cp:", "", markdown_table(figure17()), "",
    "Figure 4, squared error and, after the comma, the expected number of the six features that are rightly",
    "kept or left out; the second and third coefficient are 0. The heads of the columns have the relative",
    "dissimilarity of the other domain. The paper: the error of TLCp is smaller at every number of rows, most",
    "for few rows and a small dissimilarity; the number of features falls, then rises, as the dissimilarity",
    "grows:", "",
    markdown_table(grid_table(sparse_toy)), "",
    "Figure 18, the same with four coefficients drawn between -1 and 1, so that none is critical, and two of",
    "0. The paper: TLCp is better in both figures, and its error grows with the dissimilarity:", "",
    markdown_table(grid_table(random_beta())), "",
    "Figure 19, the same with weights, coupling and penalty multiplied by random factors between 1/10 and 10,",
    "mean of 200 draws. The paper: the error is larger than that of the rule, and fewer features are found",
    "than by Cp:", "",
    markdown_table(figure19())
  )
}

# ---- section 6.3: the cutoff ------------------------------------------------------------------

# Normal columns; with `copies` the second and third are the first with a little noise.
simulated_problem <- function(n, beta, copies = FALSE) {
  x <- matrix(stats::rnorm(n * length(beta)), n, dimnames = list(NULL, paste0("x", seq_along(beta))))
  if (copies) x[, 2:3] <- x[, 1] + stats::rnorm(2 * n) / 100
  list(x = x, y = drop(x %*% beta) + stats::rnorm(n))
}

# Section 5.2: Cp of the columns made orthogonal by Gram-Schmidt, with the coefficients of the columns themselves.
approximate_cp <- function(domain) {
  n <- nrow(domain$x)
  found <- qr(domain$x, tol = 1e-12)
  Q <- qr.Q(found) * sqrt(n)
  z <- drop(crossprod(Q, domain$y)) / n
  sigma2 <- sum((domain$y - Q %*% z)^2) / (n - ncol(Q))
  z[n * z^2 <= 2 * sigma2] <- 0
  b <- numeric(ncol(domain$x))
  b[found$pivot] <- backsolve(qr.R(found), sqrt(n) * z)
  b
}

estimate <- function(target, other, ..., control = tlcp_control()) {
  if (!is.null(other)) control$guard <- FALSE
  fit <- if (is.null(other)) {
    tlcp(target$x, target$y, ..., control = control, standardize = FALSE, intercept = FALSE)
  } else {
    tlcp(rbind(target$x, other$x), c(target$y, other$y), ...,
         domain = rep(c("target", "other domain"), c(nrow(target$x), nrow(other$x))), target = "target",
         control = control, standardize = FALSE, intercept = FALSE)
  }
  b <- stats::setNames(numeric(ncol(target$x)), colnames(target$x))
  found <- stats::coef(fit)
  found <- found[names(found) %in% names(b)]
  b[names(found)] <- found
  b
}

simulation_methods <- list(
  "Cp" = function(target, other) estimate(target, NULL),
  "approximate Cp" = function(target, other) approximate_cp(target),
  "Cp cutoff" = function(target, other) estimate(target, NULL, method = "cutoff"),
  "aggregate Cp" = function(target, other) estimate(target, other, borrow = "aggregate"),
  "TLCp" = function(target, other) estimate(target, other, borrow = "plugin",
                                            control = tlcp_control(support = "shared")),
  "TLCp cutoff" = function(target, other) {
    estimate(target, other, borrow = "plugin", method = "cutoff")
  }
)

# methods x (error, seconds, kept features) x runs. The error is that of predictions, (b - beta)'S(b - beta) with S the
# covariance of the columns, so that it is the same whichever of equal columns is kept.
simulation_cell <- function(n, beta, delta, methods, copies = FALSE, runs = 100) {
  S <- diag(length(beta))
  if (copies) S[1:3, 1:3] <- 1
  simplify2array(lapply(seq_len(runs), function(run) {
    set.seed(run)
    target <- simulated_problem(n, beta, copies)
    other <- simulated_problem(n, beta + delta, copies)
    t(vapply(simulation_methods[methods], function(method) {
      before <- now()
      b <- method(target, other)
      seconds <- now() - before
      gap <- b - beta
      c(error = sum(gap * S %*% gap), seconds = seconds, kept = b != 0)
    }, c(error = 0, seconds = 0, numeric(length(beta)))))
  }))
}

cell_text <- function(cell) {
  error <- cell[, "error", ]
  with_error(rowMeans(error), apply(error, 1, standard_error))
}

growth_of_error <- function(beta, delta, methods, copies, sizes = c(20, 40, 80, 160, 320)) {
  cells <- lapply(sizes, simulation_cell, beta = beta, delta = delta, methods = methods, copies = copies)
  slope <- apply(vapply(cells, function(cell) rowMeans(cell[, "error", ]), numeric(length(methods))), 1,
                 function(error) stats::coef(stats::lm(log(error) ~ log(sizes)))[[2]])
  table <- data.frame(methods, vapply(cells, cell_text, character(length(methods))),
                      sprintf("%.2f", slope))
  names(table) <- c("method", paste("n =", sizes), "slope")
  kept <- apply(cells[[1]][, -(1:2), ], 1:2, mean)
  if (copies) kept <- cbind(apply(cells[[1]][, 3:5, ] != 0, c(1, 3), any) |> rowMeans(), kept[, -(1:3)])
  chosen <- data.frame(methods, matrix(sprintf("%.2f", kept), nrow(kept)))
  names(chosen) <- c("method", if (copies) c("1, 2 or 3", 4:length(beta)) else seq_along(beta))
  list(table = table, chosen = chosen, cells = cells)
}

part_cutoff <- function() {
  cp <- c("Cp", "approximate Cp", "Cp cutoff")
  all <- names(simulation_methods)
  dense <- c(1, -.8, .6, .5, -.4, .35, .3, .25)
  some <- replace(dense, 6:8, 0)
  critical <- c(1, .5, .5, sqrt(2 / 20), 2, 0)
  set.seed(4)
  random <- stats::runif(6, -1, 1)
  figure5 <- lapply(list(dense, some), growth_of_error, 0, cp, FALSE)
  figure6 <- growth_of_error(critical, .1, all[-4], TRUE)
  figure7 <- growth_of_error(random, .1, all[-4], TRUE)
  table5 <- simulation_cell(20, some, 0, c("Cp", "aggregate Cp", "TLCp", "TLCp cutoff"))
  show <- function(b) paste(format_number(b), collapse = " ")
  section(
    "tlcp", "cutoff", "Cp and TLCp by cutoff (section 6.3: Figures 5 to 7, Tables 2 to 5)",
    "Normal columns, errors of variance 1, as many rows of the other domain as of the target, 100 runs: mean",
    "squared distance of predictions from the truth (standard error), and the slope of its logarithm on log",
    "n. In the paper the slope is about -1 for all methods, Cp and its approximations have the same error,",
    "and that of TLCp is smaller by a constant factor.", "",
    paste0("Figure 5 left, no superfluous features, coefficients ", show(dense), ":"), "",
    markdown_table(figure5[[1]]$table), "",
    paste0("Figure 5 right, three superfluous, coefficients ", show(some), ":"), "",
    markdown_table(figure5[[2]]$table), "",
    "Table 2, share of the runs in which each feature is kept at n = 20. The paper: the cutoff leaves",
    "superfluous features out more often than Cp:", "", markdown_table(figure5[[2]]$chosen), "",
    paste0("Figure 6, the first three columns alike but for noise of standard deviation .01, coefficients ",
           show(critical), ", those of the other domain larger by .1:"), "",
    markdown_table(figure6$table), "",
    "Table 3, share of the runs in which features are kept at n = 20. The paper: TLCp finds all relevant",
    "features, its cutoff keeps the superfluous one \"very frequently\":", "", markdown_table(figure6$chosen), "",
    paste0("Figure 7, the same, coefficients drawn from -1 to 1: ", show(random), ":"), "",
    markdown_table(figure7$table), "",
    "Table 4, share of the runs in which features are kept at n = 20:", "", markdown_table(figure7$chosen), "",
    "Table 5, the model of Figure 5 right, n = 20, another domain with equal coefficients. The paper:",
    "aggregate Cp and TLCp have about the same error, far below that of Cp, and the cutoff is between them:", "",
    markdown_table(data.frame(method = rownames(table5), error = cell_text(table5),
                              "ms a fit" = 1000 * apply(table5[, "seconds", ], 1, stats::median),
                              check.names = FALSE))
  )
}

# ---- section 6.4: more features than rows -----------------------------------------------------

# The least squares solution of smallest length.
shortest <- function(x, y) drop(crossprod(x, solve(tcrossprod(x), y)))

wide_run <- function(run, p, delta, n = 30, relevant = 10) {
  set.seed(run)
  beta <- replace(numeric(p), seq_len(relevant), stats::rnorm(relevant))
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  target <- list(x = x, y = drop(x %*% beta) + stats::rnorm(n))
  other <- list(x = x, y = drop(x %*% (beta + delta * (beta != 0))) + stats::rnorm(n))
  known <- function(...) suppressMessages(estimate(..., method = "cutoff", control = tlcp_control(sigma2 = 1)))
  error <- function(b) sum((b - beta)^2)
  c("least squares, the shortest" = error(shortest(x, target$y)),
    "Cp cutoff" = error(known(target, NULL)),
    "TLCp cutoff" = error(estimate(target, other, method = "cutoff", borrow = "plugin")))
}

wide_row <- function(p, runs) {
  delta <- c(0, .5, 2)
  cells <- vapply(delta, function(d) {
    out <- vapply(seq_len(runs), wide_run, numeric(3), p = p, delta = d)
    with_error(rowMeans(out), apply(out, 1, standard_error))
  }, character(3))
  table <- data.frame(p, c("least squares, the shortest", "Cp cutoff", "TLCp cutoff"), cells)
  names(table) <- c("features", "method", paste("delta =", delta))
  table
}

part_wide <- function() {
  rows <- Map(wide_row, c(60, 90, 300, 3000, 30000), c(100, 100, 100, 20, 3))
  section(
    "tlcp", "wide", "More features than rows (section 6.4, Table 6)",
    "30 rows; ten coefficients are drawn from the normal distribution, the others are 0. The other domain has",
    "the same columns and coefficients larger by delta. Errors have variance 1, which Cp is given. Squared",
    "error of the coefficients, mean (standard error) of 100 runs, 20 at 3000 and 3 at 30,000 features. The",
    "paper: the error of TLCp is smaller than that of least squares and Cp, the more so the smaller delta;",
    "the cutoff gains up to some number of features; beyond it all errors are alike.", "",
    markdown_table(do.call(rbind, rows))
  )
}

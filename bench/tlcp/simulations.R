# The simulations of the paper's section 6 and appendices B and D, with the settings of the authors' programs
# (repository Shaohan-Chen/Transfer-learning-in-Mallows-Cp). The paper's own numbers cannot be read in our copy, and the
# settings of Figures 2, 3, 5 and 17 are in no program: those are ours. Only definitions.

toy <- list(beta = c(1, .01, .005, .3, .32, .08), n = 20) # the fourth and fifth are critical at 20 rows

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

# Coupling and penalty of a feature with these coefficients in the domains, errors of variance 1 and n rows in each: the
# paper's rule for two domains; for three, its own (with the signs of the differences) or ours.
rule_of <- function(truth, n, ours = FALSE) {
  if (ours || length(truth) == 2) return(c(v = min(2 / stats::var(truth), 1e8), pen = 2))
  d2 <- (2 * truth[1] - truth[2] - truth[3])^2
  all <- d2 + 3 / n
  c(v = min(12 / d2, 1e8), pen = (3 * d2 + 3 / n) / all * (1 + sqrt(all / (d2 + 1 / n)^3) / n^3))
}

# Mean coefficients and errors of the target in a toy of one target and other domains that differ by delta. The penalty
# is the least of the features', as the authors have it; it is the same for all here.
toy_draws <- function(delta, ours = FALSE, beta = toy$beta, n = toy$n, draws = 5000) {
  vapply(beta, function(b) {
    truth <- b + c(0, delta)
    rows <- rep(n, length(truth))
    rule <- rule_of(truth, n, ours)
    w <- general_tlcp(drawn_coefficients(truth, rows, draws), rows, rule[["v"]], rule[["pen"]])
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
  errors <- function(others, ours = FALSE) vapply(delta, function(d) sum(toy_draws(d * others, ours)["mse", ]), 0)
  data.frame(delta = delta, Cp = sum(cp_mse(toy$beta, toy$n)), "one other domain" = errors(1),
             "exact" = vapply(delta, function(d) {
               sum(tlcp_mse(toy$beta, toy$n, toy$n, d, lam = c(1, 1), v = rule_of(c(0, d), toy$n)[["v"]], pen = 2))
             }, 0),
             "two, the paper's rule" = errors(c(1, 1)), "two, ours" = errors(c(1, 1), TRUE),
             "two of opposite signs, the paper's rule" = errors(c(1, -1)),
             "two of opposite signs, ours" = errors(c(1, -1), TRUE), check.names = FALSE)
}

# The rules of tlcp() itself, which estimate variances and differences.
three_rules <- list(
  "Cp, target alone" = function(d) tlcp(d$x[d$domain == "a", ], d$y[d$domain == "a"]),
  "one other domain, plugin" = function(d) {
    two <- d$domain != "c"
    plug(d$x[two, ], d$y[two], d$domain[two], "plugin")
  },
  "two, plugin3 (the paper's rule)" = function(d) plug(d$x, d$y, d$domain, "plugin3"),
  "two, plugin (ours)" = function(d) plug(d$x, d$y, d$domain, "plugin")
)

plug <- function(x, y, domain, borrow) {
  tlcp(x, y, domain = domain, target = "a", borrow = borrow,
       control = tlcp_control(support = "shared", guard = FALSE))
}

# Squared error of the target's six coefficients: 20 rows of each of three domains, normal columns.
three_errors <- function(delta, runs = 150) {
  out <- vapply(seq_len(runs), function(run) {
    set.seed(run)
    domain <- rep(c("a", "b", "c"), each = toy$n)
    x <- matrix(stats::rnorm(3 * toy$n * 6), ncol = 6, dimnames = list(NULL, paste0("x", 1:6)))
    beta <- rbind(toy$beta, toy$beta + stats::rnorm(6, sd = delta), toy$beta + stats::rnorm(6, sd = delta))
    y <- rowSums(x * beta[match(domain, c("a", "b", "c")), ]) + stats::rnorm(3 * toy$n)
    d <- list(x = x, y = y, domain = domain)
    vapply(three_rules, function(rule) {
      b <- stats::coef(rule(d))[colnames(x)]
      sum((ifelse(is.na(b), 0, b) - toy$beta)^2)
    }, 0)
  }, numeric(length(three_rules)))
  with_error(rowMeans(out), apply(out, 1, standard_error))
}

figure17_estimated <- function(delta = c(0, .1, .3, 1)) {
  table <- data.frame(names(three_rules), vapply(delta, three_errors, character(length(three_rules))))
  names(table) <- c("fit", paste("differences of", delta))
  table
}

# ---- error and features found, by rows and dissimilarity ---------------------------------------

extension <- list(
  critical = list(beta = c(.24, .01, .005, .3, .32, .08, 0, .26, .25, 0),
                  delta = c(.24, -.01, .005, -.3, -.32, .08, 0, -.26, -.25, 0)),
  random = list(beta = c(.42, .89, .96, .20, 0, .65, .84, 0, .29, 0),
                delta = c(-.4, .8, -1, .20, 0, -.7, .8, 0, .3, 0))
)

# The expected number of features that are rightly kept or left out.
found_right <- function(keep, beta) sum(ifelse(beta == 0, 1 - keep, keep))

# The authors' rule with known differences and variances 1: lam = 1, v = 4 / delta^2, the least of the features'
# penalties (Theorem 20).
ruled <- function(delta, n, m) {
  a <- 1 / m
  b <- 1 / n
  pen <- (1 + sqrt(a * b) / sqrt((delta^2 + a) * (delta^2 + b))) * (2 * delta^2 + a + b) / (delta^2 + a + b)
  list(lam = c(1, 1), v = pmin(4 / delta^2, 1e6), pen = min(pen))
}

# Squared error of all coefficients and features rightly kept or left out, exact: of Cp, and of TLCp with c times the
# differences. m rows of the other domain.
grid_cell <- function(case, n, c, m = 20, setting = ruled(c * case$delta, n, m)) {
  delta <- c * case$delta
  with_rule <- function(f) do.call(f, c(list(case$beta, n, m, delta), setting))
  c(sum(with_rule(tlcp_mse)), found_right(with_rule(tlcp_selection), case$beta))
}

grid_table <- function(case, setting = NULL) {
  factors <- c(0, .1, .5, 1, 2, 4)
  rows <- lapply(seq(20, 180, 40), function(n) {
    cells <- vapply(factors, function(c) {
      if (is.null(setting)) grid_cell(case, n, c) else grid_cell(case, n, c, setting = setting)
    }, c(0, 0))
    cp <- c(sum(cp_mse(case$beta, n)), found_right(cp_selection(case$beta, n), case$beta))
    data.frame(n, sprintf("%.3f, %.2f", cp[1], cp[2]), t(sprintf("%.3f, %.2f", cells[1, ], cells[2, ])))
  })
  table <- do.call(rbind, rows)
  names(table) <- c("rows", "Cp", paste("TLCp at", factors))
  table
}

part_toy <- function() {
  section(
    "tlcp", "toy", "The toy example and its variants (Table 1, Figures 4, 17, 18 and 19)",
    "Orthogonal columns, errors of variance 1, the paper's rule with delta known. Table 1 and Figure 17: the six",
    "coefficients are 1 .01 .005 .3 .32 .08; the fourth and fifth are critical at 20 rows. The other domain has 20",
    "rows.", "",
    "Table 1, mean coefficients of 5000 draws:", "", markdown_table(table1()), "",
    "Figure 17, squared error of all coefficients, one and two other domains of 20 rows whose coefficients",
    "are larger by delta, or one larger and one smaller (5000 draws; `exact`: `tlcp_mse()`). The paper's rule",
    "for three domains adds the differences with their signs, ours takes the variance of the coefficients",
    "over domains. The paper: two other domains are \"significantly better\" than one, and one is better than",
    "Cp:", "",
    markdown_table(figure17()), "",
    "The same with variances and differences estimated by `tlcp()`, normal columns that are not orthogonal,",
    "differences normal with the standard deviation at the head; mean (standard error) of 150 runs:", "",
    markdown_table(figure17_estimated()), "",
    "Figure 4, the authors' ten coefficients, .24 .01 .005 .3 .32 .08 0 .26 .25 0, and 20 rows of the other",
    "domain: squared error and, after the comma, the expected number of features that are rightly kept or",
    "left out. The differences are so many times the authors' .24 -.01 .005 -.3 -.32 .08 0 -.26 -.25 0 as the",
    "head of the column says. The paper: the error of TLCp is smaller at every number of rows, most for few",
    "rows and a small dissimilarity; as the dissimilarity grows it rises, then falls, and the number of",
    "features falls, then rises, at few rows:", "",
    markdown_table(grid_table(extension$critical)), "",
    "Figure 18, the same with .42 .89 .96 .2 0 .65 .84 0 .29 0 and differences -.4 .8 -1 .2 0 -.7 .8 0 .3 0.",
    "The paper: TLCp is better in both figures, and its error grows with the dissimilarity:", "",
    markdown_table(grid_table(extension$random)), "",
    "Figure 19, the same with the authors' other settings in place of the rule: weights 2 and 3, v = 1 to 10",
    "for the ten features, a penalty of 1. The paper: the error is larger than that of the rule, and fewer",
    "features are found than by Cp:", "",
    markdown_table(grid_table(extension$random, list(lam = c(2, 3), v = 1:10, pen = 1)))
  )
}

# ---- section 6.3: the cutoff ------------------------------------------------------------------

# Normal columns; with `copies` the first three are one column, each with its own noise of standard deviation 1/1000.
simulated_problem <- function(n, beta, copies = FALSE) {
  x <- matrix(stats::rnorm(n * length(beta)), n, dimnames = list(NULL, paste0("x", seq_along(beta))))
  if (copies) x[, 1:3] <- x[, 1] + stats::rnorm(3 * n) / 1000
  list(x = x, y = drop(x %*% beta) + stats::rnorm(n))
}

# The authors' cutoff drops a column of which the columns before it leave a length below n / 1000.
without_copies <- function(n) tlcp_control(collinear = n / 1000^2)

# Section 5.2: Cp of the columns made orthogonal by Gram-Schmidt, with the coefficients of the columns themselves.
approximate_cp <- function(domain) {
  n <- nrow(domain$x)
  kept <- seq_len(ncol(domain$x))
  for (j in kept[-1]) {
    before <- intersect(kept, seq_len(j - 1))
    left <- stats::lm.fit(domain$x[, before, drop = FALSE], domain$x[, j])$residuals
    if (sqrt(sum(left^2)) < n / 1000) kept <- setdiff(kept, j)
  }
  found <- qr(domain$x[, kept])
  Q <- qr.Q(found) * sqrt(n)
  z <- drop(crossprod(Q, domain$y)) / n
  sigma2 <- sum((domain$y - Q %*% z)^2) / (n - ncol(Q))
  z[n * z^2 <= 2 * sigma2] <- 0
  b <- numeric(ncol(domain$x))
  b[kept] <- backsolve(qr.R(found), sqrt(n) * z)
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

# The exact TLCp has the authors' numbers for equal domains: weights 1, v = 1e8, penalty 2.
simulation_methods <- list(
  "Cp" = function(target, other) estimate(target, NULL),
  "approximate Cp" = function(target, other) approximate_cp(target),
  "Cp cutoff" = function(target, other) {
    estimate(target, NULL, method = "cutoff", control = without_copies(nrow(target$x)))
  },
  "aggregate Cp" = function(target, other) estimate(target, other, borrow = "aggregate"),
  "TLCp" = function(target, other) {
    estimate(target, other, borrow = list(lam = c(1, 1), v = 1e8, pen = 2), control = tlcp_control(support = "shared"))
  },
  "TLCp cutoff" = function(target, other) {
    estimate(target, other, borrow = "plugin", method = "cutoff", control = without_copies(nrow(target$x)))
  }
)

# methods x (error, seconds, kept features) x runs. Copies are added up to one coefficient, as the authors do.
simulation_cell <- function(n, beta, delta, methods, copies = FALSE, runs = 100) {
  merged <- function(b) if (copies) c(sum(b[1:3]), b[-(1:3)]) else b
  simplify2array(lapply(seq_len(runs), function(run) {
    set.seed(run)
    target <- simulated_problem(n, beta, copies)
    other <- simulated_problem(n, beta + delta, copies)
    t(vapply(simulation_methods[methods], function(method) {
      before <- worked()
      b <- suppressMessages(method(target, other))
      seconds <- worked() - before
      c(error = sum((merged(b) - merged(beta))^2), seconds = seconds, kept = b != 0)
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
  first <- c(.15, .15, .15, .3, .5, 0)
  second <- c(rep(-.255890656717379, 3), -.906682397000804, .732398173282907, .050514160734501)
  figure5 <- lapply(list(dense, some), growth_of_error, 0, cp, FALSE)
  figure6 <- growth_of_error(first, 0, all[-4], TRUE)
  figure7 <- growth_of_error(second, 0, all[-4], TRUE)
  table5 <- simulation_cell(20, first, 0, c("Cp", "aggregate Cp", "TLCp", "TLCp cutoff"), TRUE)
  show <- function(b) paste(format_number(b), collapse = " ")
  section(
    "tlcp", "cutoff", "Cp and TLCp by cutoff (section 6.3: Figures 5 to 7, Tables 2 to 5)",
    "Normal columns, errors of variance 1, as many rows of the other domain as of the target, 100 runs (the",
    "authors: 2000): mean squared error of the coefficients (standard error), and the slope of its logarithm",
    "on log n. In the paper the slope is about -1 for all methods, Cp and its approximations have the same",
    "error, and that of TLCp is smaller by a constant factor. Figures 6 and 7, Tables 3 to 5: the authors'",
    "coefficients, an equal other domain, and the first three columns copies of one another but for noise of",
    "standard deviation 1/1000; they are added up to one coefficient. TLCp has the authors' numbers for equal",
    "domains (weights 1, v = 1e8, penalty 2), its cutoff estimates.", "",
    paste0("Figure 5 left, no superfluous features, coefficients ", show(dense), " (ours, the authors' are in no",
           " program):"), "",
    markdown_table(figure5[[1]]$table), "",
    paste0("Figure 5 right, three superfluous, coefficients ", show(some), " (ours):"), "",
    markdown_table(figure5[[2]]$table), "",
    "Table 2, share of the runs in which each feature is kept at n = 20. The paper: the cutoff leaves",
    "superfluous features out more often than Cp:", "", markdown_table(figure5[[2]]$chosen), "",
    paste0("Figure 6, coefficients ", show(first), ":"), "", markdown_table(figure6$table), "",
    "Table 3, share of the runs in which features are kept at n = 20. The paper: TLCp and its cutoff identify",
    "the relevant features \"significantly frequently\", and the cutoff selects the superfluous one \"very",
    "frequently\":", "",
    markdown_table(figure6$chosen), "",
    paste0("Figure 7, coefficients ", show(second), ":"), "", markdown_table(figure7$table), "",
    "Table 4, share of the runs in which features are kept at n = 20:", "", markdown_table(figure7$chosen), "",
    "Table 5, the model of Figure 6, n = 20. The paper: aggregate Cp and TLCp have about the same error, far",
    "below that of Cp, the cutoff is between them, and takes far less time than the others, which enumerate",
    "all subsets:", "",
    markdown_table(data.frame(method = rownames(table5), error = cell_text(table5),
                              "ms a fit" = 1000 * rowMeans(table5[, "seconds", ]),
                              check.names = FALSE))
  )
}

# ---- section 6.4: more features than rows -----------------------------------------------------

# The least squares solution of smallest length.
shortest <- function(x, y) drop(crossprod(x, solve(tcrossprod(x), y)))

wide_truth <- function(p) {
  beta <- delta <- numeric(p)
  beta[c(2, 6, 12, 20)] <- c(-.1245, .4552, .9619, .3251)
  delta[c(2, 8, 12, 20)] <- c(.1245, .4552, .9619, -.3251)
  list(beta = beta, delta = delta)
}

# The authors' program: one design for both domains, projected on its principal directions, X Q orthogonal; variances
# and differences known.
wide_basis <- function(x) {
  n <- nrow(x)
  e <- eigen(tcrossprod(x), symmetric = TRUE)
  kept <- e$values > 1e-4
  list(Q = crossprod(x, e$vectors[, kept]) * rep(sqrt(n) / e$values[kept], each = ncol(x)),
       Z = e$vectors[, kept] * sqrt(n),
       inverse = t(crossprod(x, e$vectors[, kept])) / sqrt(n)) # of Q: coefficients of X in those of X Q
}

# Of the nested models of the cutoff (features leave in the order of their size divided by their standard deviation) the
# one with the least sum of residual squares and 2 for a feature.
cutoff_of <- function(b, basis, x, y) {
  n <- nrow(x)
  order <- order(-abs(b[, 1]) / sqrt(rowSums(basis$Q^2) / n))
  loss <- Reduce(`+`, lapply(seq_len(ncol(b)), function(t) {
    fitted <- apply(t(x[, order]) * b[order, t], 2, cumsum) # models x rows
    c(sum(y[, t]^2), rowSums((rep(y[, t], each = nrow(fitted)) - fitted)^2))
  }))
  count <- which.min(loss + 2 * (seq_along(loss) - 1)) - 1
  replace(b[, 1], order[seq_along(order) > count], 0)
}

wide_estimates <- function(x, basis, y, delta) {
  n <- nrow(x)
  z <- crossprod(basis$Z, y) / n # directions x domains
  alone <- basis$Q %*% (z[, 1] * (n * z[, 1]^2 > 2))
  kappa <- 1 / (2 / n + pmax(drop(basis$inverse %*% delta)^2, 4e-6))
  kept <- (n - kappa) * rowSums(z^2) + 2 * kappa * z[, 1] * z[, 2] > 2
  move <- kappa * (z[, 1] - z[, 2]) / n
  both <- basis$Q %*% (cbind(z[, 1] - move, z[, 2] + move) * kept)
  list("least squares, the shortest" = shortest(x, y[, 1]), "Cp" = alone[, 1],
       "Cp cutoff" = cutoff_of(alone, basis, x, y), "TLCp" = both[, 1], "TLCp cutoff" = cutoff_of(both, basis, x, y))
}

# tlcp() itself: variances given, differences estimated.
wide_tlcp <- function(x, y) {
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  fit <- function(...) suppressMessages(estimate(..., method = "cutoff"))
  domains <- lapply(1:2, function(t) list(x = x, y = y[, t]))
  list("Cp cutoff, `tlcp()`" = fit(domains[[1]], NULL, control = tlcp_control(sigma2 = 1)),
       "TLCp cutoff, `tlcp()`" = fit(domains[[1]], domains[[2]], borrow = "plugin",
                                     control = tlcp_control(sigma2 = c(1, 1))))
}

wide_row <- function(p, runs, n = 30, designs = 10) {
  truth <- wide_truth(p)
  shares <- c(0, .05, .1, .2, .45, 1.5)
  set.seed(p)
  errors <- lapply(seq_len(designs), function(design) {
    x <- matrix(stats::rnorm(n * p), n)
    basis <- wide_basis(x)
    vapply(shares, function(share) {
      delta <- share * truth$delta
      rowMeans(vapply(seq_len(runs), function(run) {
        y <- x %*% cbind(truth$beta, truth$beta + delta) + stats::rnorm(2 * n)
        found <- wide_estimates(x, basis, y, delta)
        if (run <= 3 && p <= 300) found <- c(found, wide_tlcp(x, y))
        error <- vapply(found, function(b) sum((b - truth$beta)^2), 0)
        c(error, rep(NA, 7 - length(error)))
      }, numeric(7)), na.rm = TRUE)
    }, numeric(7))
  })
  mean <- Reduce(`+`, errors) / designs
  error <- apply(simplify2array(errors), 1:2, stats::sd) / sqrt(designs)
  names <- c("least squares, the shortest", "Cp", "Cp cutoff", "TLCp", "TLCp cutoff", "Cp cutoff, `tlcp()`",
             "TLCp cutoff, `tlcp()`")
  table <- data.frame(p, names, matrix(with_error(mean, error), nrow(mean)))[!is.nan(mean[, 1]), ]
  names(table) <- c("features", "method", paste("differences times", shares))
  table
}

part_wide <- function() {
  rows <- Map(wide_row, c(60, 90, 300, 3000, 30000), c(50, 50, 20, 10, 3), designs = c(10, 10, 10, 10, 5))
  section(
    "tlcp", "wide", "More features than rows (section 6.4, Table 6)",
    "30 rows of either domain, the authors' coefficients: the second, sixth, twelfth and twentieth are",
    "-.1245, .4552, .9619, .3251, the others 0; the differences are multiples of .1245, .4552, .9619, -.3251",
    "for the second, eighth, twelfth and twentieth. One design of normal columns serves both domains; errors",
    "have variance 1. Cp and TLCp are the authors' algorithm in a few lines, given the variances and the",
    "differences; `tlcp()` is given the variances and estimates the differences (3 runs a design, up to 300",
    "features). Squared error of all coefficients, mean (standard error over designs) of 10 designs and 50",
    "runs each at 60 and 90 features, 20 at 300, 10 at 3000, of 5 designs and 3 runs at 30,000 (the authors:",
    "one design, 5000 runs). The paper: the error of TLCp falls with the similarity and is smaller than that",
    "of least squares and Cp; the cutoffs gain up to some number of features; beyond it all errors are alike.", "",
    markdown_table(do.call(rbind, rows))
  )
}

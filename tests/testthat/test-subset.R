# ---- the exact subset search against enumeration

# A problem of a kind, a number of domains and a size that the seed decides.
seeded_problem <- function(seed) {
  width <- c(1, 1, 2, 3, 1)[seed %% 5 + 1]
  most <- c(12, 9, 7)[width]
  p <- if (seed %% 100 == 0) 14 else seed %% most + 1
  subset_problem(7 * seed, subset_kinds[seed %% 6 + 1], p, width, n = c(30, 50, 70)[seed %% 3 + 1])
}

test_that("enumeration is what solve() says", {
  for (width in 1:2) {
    problem <- subset_problem(5, "correlated", 4, width)
    bits <- subset_bits(4)
    slow <- apply(bits, 1, function(s) {
      i <- which(rep(s, each = width))
      if (!length(i)) return(problem$c0)
      problem$c0 - sum(problem$b[i] * solve(problem$A[i, i], problem$b[i]))
    })
    fast <- enumerate_subsets(problem$A, problem$b, problem$c0, width)
    expect_equal(fast, slow, tolerance = 1e-12)
  }
})

test_that("a thousand problems: value, set and certificate are those of enumeration", {
  outcomes <- vapply(1:1000, function(seed) {
    problem <- seeded_problem(seed)
    bits <- subset_bits(length(problem$pen))
    value <- subset_values(problem, bits)
    found <- search_subset(problem, audit = TRUE)
    best <- which.min(value)
    scale <- problem$c0
    alone <- sum(value < value[best] + 1e-8 * scale) == 1
    c(
      status = found$status, stopped = found$stopped != "complete",
      error = abs(found$value - value[best]) / scale,
      gap = (found$value - found$bound) / scale,
      other_set = alone && !identical(found$`in`[, 1], bits[best, ]),
      alone = alone, audit = found$audit, nodes = found$nodes
    )
  }, numeric(8))
  expect_true(all(outcomes[c("status", "stopped"), ] == 0))
  expect_lt(max(outcomes["error", ]), 1e-9)
  expect_gte(min(outcomes["gap", ]), 0)
  expect_lt(max(outcomes["gap", ]), 1e-9)
  expect_equal(sum(outcomes["other_set", ]), 0)
  expect_lt(max(outcomes["audit", ]), 1e-6)
  # The problems are of the kind they are meant to be: most have one optimum, some branch.
  expect_gt(mean(outcomes["alone", ]), 0.7)
  expect_gt(mean(outcomes["nodes", ] > 1), 0.3)
})

test_that("the best subset of every size is that of enumeration", {
  for (seed in seq(3, 600, 4)) {
    problem <- seeded_problem(seed)
    p <- length(problem$pen)
    bits <- subset_bits(p)
    value <- subset_values(problem, bits, 0 * problem$pen)
    best <- as.vector(tapply(value, rowSums(bits), min))
    there <- is.finite(best)
    found <- search_subset(problem, sizes = c(0, p), audit = TRUE)
    error <- (found$value - best)[there] / problem$c0
    gap <- (found$value - found$bound)[there] / problem$c0
    good <- c(
      there = identical(is.nan(found$value), !there), value = all(abs(error) < 1e-9),
      bound = all(gap >= 0 & gap < 1e-9), complete = all(found$stopped == "complete"),
      size = all(colSums(found$`in`) == ifelse(there, 0:p, 0)),
      audit = !any(found$audit >= 1e-6, na.rm = TRUE)
    )
    expect_identical(names(which(!good)), character(), label = paste("problem", seed))
  }
  part <- search_subset(problem, sizes = c(2, 4))
  expect_equal(part$value, found$value[3:5], tolerance = 1e-12)
})

test_that("one domain: Cp and the set of every size are those of leaps", {
  skip_if_not_installed("leaps")
  for (kind in c("random", "correlated", "near", "rounded")) {
    with_seed(11, {
      x <- subset_columns(kind, 60, 14)
      y <- drop(x %*% rep(c(1, 0, -1, 0.5), length.out = 14)) + rnorm(60)
    })
    theirs <- leaps::leaps(x, y, method = "Cp", nbest = 1)
    x <- scale(x, scale = FALSE)
    y <- y - mean(y)
    problem <- list(A = unname(crossprod(x)), b = drop(crossprod(x, y)), c0 = sum(y^2),
                    pen = numeric(14), width = 1)
    ours <- search_subset(problem, sizes = c(1, 14))
    s2 <- ours$value[14] / (60 - 15)
    expect_equal(ours$value / s2 - 60 + 2 * 2:15, theirs$Cp, tolerance = 1e-7)
    expect_identical(ours$`in`, unname(t(theirs$which)))
  }
})

# ---- larger problems, by what must agree

test_that("criterion and sizes agree, and audits hold, where enumeration is out of reach", {
  for (kind in c("random", "correlated", "near")) {
    p <- if (kind == "near") 20 else 30
    problem <- subset_problem(21, kind, p, n = 90, noise = 4)
    whole <- search_subset(problem, audit = TRUE)
    sizes <- search_subset(problem, sizes = c(0, p))
    expect_equal(min(sizes$value + (0:p) * problem$pen[1]), whole$value, tolerance = 1e-10)
    expect_lt(whole$audit, 1e-6)
    expect_true(all(diff(sizes$value) <= 0))
    expect_identical(unique(sizes$stopped), "complete")
  }
})

test_that("the order of the features and the units do not matter", {
  for (seed in c(4, 8, 15, 16, 23)) {
    problem <- subset_problem(seed, "correlated", 10, 2, noise = 4)
    found <- search_subset(problem)
    order <- with_seed(seed, sample(10))
    coordinates <- as.vector(rbind(2 * order - 1, 2 * order))
    turned <- problem
    turned$A <- problem$A[coordinates, coordinates]
    turned$b <- problem$b[coordinates]
    turned$pen <- problem$pen[order]
    turned$force <- problem$force[order]
    again <- search_subset(turned)
    expect_identical(again$`in`[, 1], found$`in`[order, 1])
    expect_equal(again$value, found$value, tolerance = 1e-12)
    for (unit in c(1e-9, 3, 1e12)) {
      scaled <- problem
      scaled[c("A", "b", "c0", "pen")] <- lapply(problem[c("A", "b", "c0", "pen")], `*`, unit)
      again <- search_subset(scaled)
      expect_identical(again$`in`, found$`in`)
      expect_equal(again$value, found$value * unit, tolerance = 1e-12)
    }
    moved <- problem
    moved$c0 <- -3 * problem$c0
    again <- search_subset(moved)
    expect_identical(again$`in`, found$`in`)
    expect_equal(again$value, found$value - 4 * problem$c0, tolerance = 1e-12)
  }
})

test_that("of equal features the first is taken", {
  problem <- subset_problem(12, "random", 10, n = 60, noise = 1)
  twins <- c(6:10, 1:5)
  x <- problem$A
  A <- (x + x[twins, ] + x[, twins] + x[twins, twins]) / 4 + diag(0.1, 10)
  b <- (problem$b + problem$b[twins]) / 2
  found <- search_subset(list(A = A, b = b, c0 = problem$c0, pen = rep(8, 10), width = 1))
  expect_gt(sum(found$`in`), 0)
  expect_false(any(found$`in`[6:10] & !found$`in`[1:5]))
})

# ---- limits and the certificate

test_that("a limit gives the incumbent, a bound below the optimum and the reason", {
  problem <- subset_problem(3, "correlated", 40, n = 80, noise = 6)
  whole <- search_subset(problem)
  expect_identical(whole$stopped, "complete")
  expect_identical(whole$bound, whole$value)
  expect_gt(whole$nodes, 20)
  for (nodes in c(0, 1, 5, 20)) {
    found <- search_subset(problem, limits = c(nodes, Inf))
    expect_identical(found$stopped, "nodes")
    expect_identical(found$nodes, nodes)
    expect_lte(found$bound, whole$value)
    expect_gte(found$value, whole$value - 1e-9 * problem$c0)
    expect_lt(found$bound, found$value)
  }
  found <- search_subset(problem, limits = c(Inf, 0))
  expect_identical(found$stopped, "seconds")
  expect_lte(found$bound, whole$value)
  expect_gte(found$value, whole$value - 1e-9 * problem$c0)
  sizes <- search_subset(problem, sizes = c(0, 40))
  found <- search_subset(problem, sizes = c(0, 40), limits = c(41, Inf))
  expect_lte(sum(found$nodes), 41)
  expect_setequal(found$stopped, c("complete", "nodes"))
  expect_true(all(found$bound <= sizes$value))
  expect_true(all(found$value >= sizes$value - 1e-9 * problem$c0))
  expect_identical(colSums(found$`in`), as.double(0:40))
  found <- search_subset(problem, sizes = c(5, 35), limits = c(Inf, 0))
  expect_identical(unique(found$stopped), "seconds")
  expect_true(all(found$bound <= sizes$value[6:36]))
  expect_true(all(found$bound < found$value))
})

test_that("searches that stop after a few nodes are right about what is left: enumeration", {
  open <- 0
  for (kind in c("correlated", "near")) {
    for (seed in 1:40) {
      problem <- subset_problem(seed, kind, 12, n = 20, noise = 6)
      least <- min(subset_values(problem, subset_bits(12)))
      for (nodes in 1:6) {
        found <- search_subset(problem, limits = c(nodes, Inf))
        open <- open + (found$stopped == "nodes")
        expect_lte(found$bound, least + 1e-9 * problem$c0, label = paste(kind, seed, nodes))
        expect_gte(found$value, least - 1e-9 * problem$c0)
      }
    }
  }
  expect_gt(open, 200)
})

test_that("a fit that is almost exact is searched as finely as any other", {
  with_seed(9, {
    x <- matrix(rnorm(40 * 9), 40)
    y <- drop(x[, 1:4] %*% c(1, -1, 1, 1)) + 1e-4 * rnorm(40)
  })
  A <- crossprod(x)
  b <- drop(crossprod(x, y))
  bits <- subset_bits(9)
  fits <- apply(bits, 1, function(s) sum(qr.resid(qr(x[, s, drop = FALSE]), y)^2))
  problem <- list(A = A, b = b, c0 = sum(y^2), pen = rep(2e-8, 9), width = 1)
  best <- which.min(fits + 2e-8 * rowSums(bits))
  expect_lt(fits[best] / problem$c0, 1e-8)
  expect_identical(search_subset(problem)$`in`[, 1], bits[best, ])
  sizes <- search_subset(problem, sizes = c(1, 9))
  smallest <- vapply(1:9, function(k) min(fits[rowSums(bits) == k]), numeric(1))
  expect_equal(sizes$value, smallest, tolerance = 1e-6)
})

test_that("a nearly singular matrix gives an honest certificate or is refused", {
  for (apart in 10^-(2:8)) {
    with_seed(4, {
      x <- matrix(rnorm(60 * 12), 60)
      x[, 7:12] <- x[, 1:6] + apart * x[, 7:12]
      y <- rowSums(x[, 1:3]) + rnorm(60)
    })
    problem <- list(A = crossprod(x), b = drop(crossprod(x, y)), c0 = sum(y^2), pen = rep(2, 12),
                    width = 1)
    found <- search_subset(problem)
    if (found$status == 0) {
      fits <- apply(subset_bits(12)[-1, ], 1, function(s) {
        sum(qr.resid(qr(x[, s, drop = FALSE], tol = 1e-14), y)^2) + 2 * sum(s)
      })
      expect_lte(found$bound, min(fits))
      expect_gte(found$value, min(fits) - (found$value - found$bound) - 1e-9 * problem$c0)
      expect_lte(found$bound, found$value)
    } else {
      expect_lte(apart, 1e-6)
      expect_identical(found$status, 6L)
    }
  }
  problem$A[] <- 1
  expect_identical(search_subset(problem)$status, 6L)
  problem$A <- -diag(12)
  expect_identical(search_subset(problem)$status, 6L)
})

test_that("near-duplicates: no bound is above the optimum, no wide gap is called complete", {
  outcomes <- character()
  for (places in c(3, 9, 12, 14, 16, 18, 19, 20)) {
    for (width in 1:2) {
      for (seed in 1:6) {
        problem <- near_duplicates(seed, places, 2, width)
        problem$force <- with_seed(seed, switch(
          seed %% 3 + 1,
          integer(4), c(1L, 0L, 1L, 0L), sample(c(-1L, 0L, 1L), 4, replace = TRUE)
        ))
        faults <- certificate_faults(problem)
        expect_identical(setdiff(faults, c("numerics", "singular")), character(),
                         label = paste(places, width, seed))
        outcomes[paste(places, width, seed)] <- if (length(faults)) faults[1] else "complete"
      }
    }
  }
  # All three ends are met, each where it should be.
  places <- as.integer(sub(" .*", "", names(outcomes)))
  expect_true(all(outcomes[places <= 9] == "complete"))
  expect_gt(sum(outcomes[places %in% 14:18] == "numerics"), 20)
  expect_false(any(outcomes[places <= 16] == "singular"))
})

test_that("the smallest eigenvalue is found whichever columns are near-duplicates", {
  for (h in 3:5) {
    problem <- near_duplicates(h, 16, h, n = 24)
    problem$force <- integer(2 * h)
    expect_identical(certificate_faults(problem), "numerics")
  }
})

test_that("criterion and sizes refuse the same matrices", {
  states <- vapply(seq(10, 26, 0.25), function(places) {
    x <- with_seed(round(8 * places), matrix(rnorm(240), 40))
    x[, 4:6] <- x[, 1:3] + x[, 4:6] / 2^places
    problem <- list(A = crossprod(x), b = colSums(x), c0 = 40, pen = c(1, 1, 0, 1, 1, 0), width = 1)
    c(search_subset(problem)$status, search_subset(problem, sizes = c(0, 6))$status)
  }, integer(2))
  expect_identical(states[1, ], states[2, ])
  expect_setequal(states, c(0L, 6L))
})

test_that("a feature that is forced out may be anything", {
  problem <- subset_problem(3, "random", 6)
  without <- problem
  without[c("b", "pen")] <- lapply(problem[c("b", "pen")], `[`, -2)
  without$A <- problem$A[-2, -2]
  problem$force <- c(0L, -1L, 0L, 0L, 0L, 0L)
  expected <- search_subset(without)
  for (column in list(numeric(6), problem$A[, 1])) {
    problem$A[, 2] <- problem$A[2, ] <- column
    problem$A[2, 2] <- column[1]
    problem$b[2] <- if (column[1] == 0) 0 else problem$b[1]
    found <- search_subset(problem)
    expect_identical(found$`in`[-2, 1], expected$`in`[, 1])
    expect_equal(found[c("value", "bound")], expected[c("value", "bound")], tolerance = 1e-12)
  }
})

test_that("sizes of few sets are enumerated, whatever the limits", {
  for (width in 1:2) {
    problem <- subset_problem(3, "correlated", 24, width, n = 80, noise = 8)
    problem$force <- replace(integer(24), c(4, 9, 20), c(1L, -1L, 1L))
    found <- search_subset(problem, sizes = c(2, 23), limits = c(0, 0))
    few <- c(1:4, 19:22)
    expect_identical(found$stopped[few], rep("complete", 8))
    expect_identical(found$bound[few], found$value[few])
    expect_identical(found$nodes, numeric(22))
    expect_setequal(found$stopped[-few], "seconds")
    free <- which(problem$force == 0)
    value <- function(taken) {
      i <- as.vector(outer(seq_len(width), width * (c(4, 20, taken) - 1), `+`))
      problem$c0 - sum(problem$b[i] * solve(problem$A[i, i], problem$b[i]))
    }
    least <- vapply(1:2, function(k) {
      c(min(combn(free, k, value)), min(combn(free, 21 - k, value)))
    }, numeric(2))
    expect_equal(found$value[c(2, 21, 3, 20)], as.vector(least), tolerance = 1e-12)
    expect_equal(found$value[c(1, 22)], c(value(NULL), value(free)), tolerance = 1e-12)
  }
})

# ---- small, forced and broken problems

test_that("nothing to choose", {
  none <- list(A = matrix(0, 0, 0), b = numeric(), c0 = 3, pen = numeric(), width = 2)
  expect_identical(search_subset(none)[c("value", "bound")], list(value = 3, bound = 3))
  expect_identical(search_subset(none, sizes = c(0, 0))$value, 3)
  one <- list(A = matrix(2), b = 1, c0 = 3, pen = 0.1, width = 1)
  expect_equal(search_subset(one)[c("value", "bound")], list(value = 2.6, bound = 2.6))
  one$pen <- 0.6
  expect_identical(search_subset(one)$`in`[1, 1], FALSE)
  one$force <- 1L
  expect_equal(search_subset(one)$value, 3.1)
  forced <- subset_problem(1, "random", 5)
  forced$force <- c(1L, -1L, 1L, 1L, -1L)
  found <- search_subset(forced)
  expect_identical(found$`in`[, 1], forced$force == 1)
  expect_identical(found$bound, found$value)
  sizes <- search_subset(forced, sizes = c(2, 4))
  expect_identical(is.nan(sizes$value), c(TRUE, FALSE, TRUE))
})

test_that("no signal, no penalty, no constant", {
  problem <- subset_problem(3, "random", 8)
  flat <- problem
  flat$b[] <- 0
  expect_identical(sum(search_subset(flat)$`in`), 0L)
  expect_true(all(search_subset(flat, sizes = c(0, 8))$value == flat$c0))
  free <- problem
  free$pen[] <- 0
  expect_true(all(search_subset(free)$`in`))
  free$force <- rep(c(0L, -1L), 4)
  expect_identical(search_subset(free)$`in`[, 1], rep(c(TRUE, FALSE), 4))
  without <- problem
  without$c0 <- 0
  expect_equal(search_subset(without)$value, search_subset(problem)$value - problem$c0)
  expect_identical(search_subset(without)$`in`, search_subset(problem)$`in`)
})

test_that("numbers that are not finite are refused by status", {
  problem <- subset_problem(3, "random", 4)
  for (bad in c(NaN, NA, Inf, -Inf)) {
    for (part in c("A", "b", "c0", "pen")) {
      broken <- problem
      broken[[part]][1] <- bad
      expect_identical(search_subset(broken)$status, 1L)
    }
  }
  problem$pen[2] <- -1
  expect_identical(search_subset(problem)$status, 1L)
  expect_identical(search_subset(problem, sizes = c(0, 4))$status, 0L)
})

test_that("the entry refuses what it cannot take", {
  problem <- subset_problem(3, "random", 4)
  refused <- function(..., sizes = NULL, limits = c(1, 1), audit = FALSE) {
    search_subset(utils::modifyList(problem, list(...)), sizes, limits, audit)
  }
  expect_error(refused(A = diag(3)), "'A' \\[9\\] must be of length 16")
  expect_error(refused(b = 1:4), "'b' must be of type double")
  expect_error(refused(c0 = numeric()), "'c0'")
  expect_error(refused(width = 0), "'n_domains'")
  expect_error(refused(width = 1e4), "coordinates")
  expect_error(refused(force = c(1, 0, 0, 0)), "'force' must be of type integer")
  expect_error(refused(force = c(2L, 0L, 0L, 0L)), "out of range")
  expect_error(refused(sizes = c(2, 1)), "'sizes'")
  expect_error(refused(sizes = c(0, 5)), "'sizes'")
  expect_error(refused(limits = c(-1, 1)), "'max_nodes'")
  expect_error(refused(limits = c(1, NaN)), "'max_seconds'")
  expect_error(refused(audit = NA), "'audit'")
})

test_that("an interrupt keeps the incumbent and its bound", {
  skip_on_os("windows")
  helpers <- normalizePath(test_path(c("helper-data.R", "helper-subset.R")))
  lines <- c(
    "C_subset <- transelect:::C_subset",
    sprintf("for (file in c(%s)) source(file)",
            paste(shQuote(helpers, type = "sh"), collapse = ", ")),
    "problem <- subset_problem(3, 'correlated', 150, n = 300, noise = 20)",
    "small <- subset_problem(3, 'correlated', 10)",
    "before <- search_subset(small)$value",
    "ready()",
    "found <- search_subset(problem, limits = c(Inf, 60))",
    "ready()",
    "sizes <- search_subset(problem, sizes = c(60, 80), limits = c(Inf, 60))",
    "cat(found$stopped, found$bound < found$value, is.finite(found$bound), ",
    "    sizes$stopped[21] == 'interrupt', all(sizes$bound <= sizes$value),",
    "    identical(before, search_subset(small)$value))"
  )
  expect_identical(interrupted_session(lines, 0.5), "interrupt TRUE TRUE TRUE TRUE TRUE")
})

test_that("coefficients of given sets are least squares, and none where they do not exist", {
  for (T in 1:3) {
    p <- 4
    x <- with_seed(T, matrix(rnorm(40 * p * T), 40))
    y <- with_seed(9 + T, rnorm(40))
    sets <- as.matrix(expand.grid(rep(list(c(FALSE, TRUE)), p)))
    sets <- t(unname(sets))
    out <- .Call(C_subset_models, list(A = crossprod(x), b = drop(crossprod(x, y)), n_domains = T), sets, NULL)
    wanted <- apply(sets, 2, function(set) {
      w <- numeric(p * T)
      at <- rep(set, each = T)
      w[at] <- lm.fit(x[, at, drop = FALSE], y)$coefficients
      w
    })
    expect_identical(out$status, 0L)
    expect_equal(out$w, wanted)
  }
  singular <- list(A = matrix(1, 2, 2), b = c(1, 1), n_domains = 1L)
  expect_identical(.Call(C_subset_models, singular, cbind(c(TRUE, FALSE)), NULL)$status, 0L)
  expect_gt(.Call(C_subset_models, singular, cbind(c(TRUE, TRUE)), NULL)$status, 0)
})

test_that("where columns are nearly collinear a search stopped early has a bound that tells something and holds", {
  set.seed(6)
  z <- matrix(rnorm(120 * 6, 20), 120) # not centred, so that products are nearly sums of their factors
  d <- data.frame(z)
  d$y <- drop(z %*% c(2, -1, 1, 0, 0, 0)) + (z[, 1] - 20) * (z[, 2] - 20) + rnorm(120)
  all_of <- deviance(lm(y ~ .^2, d))
  full <- tlcp(y ~ .^2, d, sizes = FALSE)
  expect_true(full$certificate$complete)
  expect_equal(full$certificate$gap, 0)
  early <- suppressWarnings(tlcp(y ~ .^2, d, sizes = FALSE, control = tlcp_control(max_nodes = 1)))
  s2 <- all_of / (120 - 22)
  trivial <- all_of / s2
  expect_lte(early$certificate$bound, full$certificate$value + 1e-8)
  # some share of what is between the residual sum of squares of all columns and the best
  expect_gt(early$certificate$bound, trivial + .3 * (full$certificate$value - trivial))
  boston <- MASS::Boston[-c(4, 9)] # 66 columns
  expect_warning(fit <- tlcp(medv ~ .^2, boston, criterion = "AIC", sizes = FALSE,
                             control = tlcp_control(max_nodes = 30)), "no subset is better by .* % of the gain")
  expect_lt(fit$certificate$gap, .04 * (fit$steps$criterion[1] - fit$certificate$value))
  expect_output(print(fit), "no subset is better by more than")
})

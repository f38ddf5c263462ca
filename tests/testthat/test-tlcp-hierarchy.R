# Interactions with their main effects: the search among closed sets against enumeration.

test_that("the best closed set, those of every size and those near it are the enumerated ones", {
  for (seed in 1:24) {
    p <- 5 + seed %% 6
    width <- 1 + seed %% 2
    problem <- subset_problem(seed, subset_kinds[seed %% 6 + 1], p, width)
    problem$parents <- with_seed(seed, random_parents(p))
    if (seed %% 4) problem$force <- NULL # else some are forced, and may contradict
    bits <- subset_bits(p)
    values <- subset_values(problem, bits)
    for (g in which(problem$pen == 0)) values[!bits[, g]] <- Inf
    found <- search_subset(problem)
    if (all(values == Inf)) {
      expect_gt(found$status, 0)
      next
    }
    scale <- max(abs(problem$c0), abs(values[is.finite(values)]))
    expect_identical(found$stopped, "complete")
    expect_lt(abs(found$value - min(values)), 1e-8 * scale)
    expect_true(all(problem$parents %*% found$`in` == 0 | found$`in`))
    # of every size
    plain <- subset_values(problem, bits, numeric(p))
    of <- rowSums(bits)
    sizes <- range(of[is.finite(plain)])
    by_size <- search_subset(problem, as.double(sizes))
    expect_equal(by_size$value, as.vector(tapply(plain, of, min))[sizes[1]:sizes[2] + 1], tolerance = 1e-8)
    expect_true(all(problem$parents %*% by_size$`in` == 0 | by_size$`in`))
    # near the best; a group without a penalty would be in every set
    if (any(problem$pen == 0)) next
    limit <- min(values) + 3 * max(problem$pen)
    form <- list(A = problem$A, b = problem$b, c0 = problem$c0, n_domains = width, parents = problem$parents)
    near <- .Call(C_subset_within, form, as.double(problem$pen), problem$force, limit, 5000,
                  structure(list(max_nodes = Inf, max_seconds = Inf), class = "tlcp_settings"))
    expect_equal(sort(near$value), sort(values[values <= limit]), tolerance = 1e-6)
  }
})

test_that("hierarchy = TRUE chooses the best model whose interactions have their main effects", {
  interactions <- function(d) {
    X <- model.matrix(y ~ (a + b + c + k)^2, d)[, -1]
    pieces <- strsplit(colnames(X), ":", fixed = TRUE)
    bits <- subset_bits(ncol(X))
    closed <- apply(bits, 1, function(s) all(unlist(pieces[s]) %in% colnames(X)[s]))
    list(X = X, sets = bits[closed, ])
  }
  for (seed in 1:3) {
    d <- with_seed(seed, {
      d <- data.frame(a = rnorm(45), b = rnorm(45), c = rnorm(45), k = gl(2, 1, 45))
      d$y <- d$a * d$b * (seed %% 2) + .6 * d$c + (d$k == 2) * d$a * .8 + 1.5 * rnorm(45)
      d
    })
    all <- interactions(d)
    rss <- apply(all$sets, 1, function(s) sum(lm.fit(cbind(1, all$X[, s]), d$y)$residuals^2))
    size <- rowSums(all$sets)
    for (criterion in c("AIC", "BIC")) {
      fit <- tlcp(y ~ (a + b + c + k)^2, d, hierarchy = TRUE, criterion = criterion)
      value <- 45 * log(rss / 45) + size * if (criterion == "AIC") 2 else log(45)
      expect_setequal(fit$selected, colnames(all$X)[all$sets[which.min(value), ]])
      expect_equal(fit$steps$rss, as.vector(tapply(rss, size, min)), tolerance = 1e-8)
      expect_true(all(fit$steps$gap[-1] <= 1e-6))
    }
  }
})

test_that("with domains, groups and a likelihood the closed set is the best of the list of all sets", {
  d <- with_seed(1, {
    d <- data.frame(a = rnorm(120), b = rnorm(120), f = gl(3, 1, 120), where = rep(c("t", "u", "v"), each = 40))
    d$y <- d$a + d$a * d$b + rnorm(120)
    d$z <- rbinom(120, 1, plogis(d$a * d$b))
    d
  })
  pieces <- list(a = NULL, b = NULL, f = NULL, "a:b" = c("a", "b"), "a:f" = c("a", "f"), "b:f" = c("b", "f"))
  groups <- c("a", "b", "f", "f", "a:b", "a:f", "a:f", "b:f", "b:f")
  all <- tlcp(y ~ (a + b + f)^2, d, domain = where, target = "t", within = 500)
  fit <- tlcp(y ~ (a + b + f)^2, d, domain = where, target = "t", hierarchy = TRUE, within = 500)
  expect_identical(fit$certificate$stopped, "complete")
  closed <- function(set) {
    in_it <- unique(groups[match(set, all$blueprint$columns)])
    all(unlist(pieces[in_it]) %in% in_it)
  }
  expect_true(closed(fit$selected))
  kept <- apply(all$within$models, 1, function(set) closed(names(which(set))))
  expect_gt(sum(kept), 1)
  best <- min(all$within$criterion[kept])
  expect_equal(fit$within$criterion[1], best, tolerance = 1e-8)
  expect_equal(sum(fit$within$criterion <= best + 5), sum(all$within$criterion[kept] <= best + 5))
  odds <- tlcp(z ~ (a + b + f)^2, d, family = "binomial", hierarchy = TRUE)
  expect_true(closed(odds$selected))
})

test_that("hierarchy is refused where it says nothing, and keep and drop follow it", {
  expect_error(tlcp(mpg ~ wt + hp, mtcars, hierarchy = TRUE), "no interactions", class = "transelect_error_hierarchy")
  expect_error(tlcp(mtcars[-1], mtcars$mpg, hierarchy = TRUE), "formula", class = "transelect_error_hierarchy")
  expect_error(tlcp(mpg ~ wt * hp, mtcars, hierarchy = NA), class = "transelect_error_hierarchy")
  expect_error(tlcp(mpg ~ wt * hp, mtcars, hierarchy = TRUE, keep = "wt:hp", control = tlcp_control(drop = "wt")),
               class = "transelect_error_drop")
  kept <- tlcp(mpg ~ (wt + hp + qsec)^2, mtcars, hierarchy = TRUE, keep = "hp:qsec")
  expect_true(all(c("hp", "qsec", "hp:qsec") %in% kept$selected))
  without <- tlcp(mpg ~ (wt + hp + qsec)^2, mtcars, hierarchy = TRUE, control = tlcp_control(drop = "wt"))
  expect_false(any(grepl("wt", without$selected)))
})

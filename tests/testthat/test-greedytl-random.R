# The randomised variant: a few candidates a step.

test_that("n_candidates is the number of draws that reach a quantile", {
  expect_equal(n_candidates(), 59)
  expect_equal(n_candidates(0.95, 0.95), 59)
  expect_equal(n_candidates(0.9, 0.99), ceiling(log(0.01) / log(0.9)))
  expect_equal(n_candidates(0.5, 0.5), 1)
})

test_that("with as many candidates as columns nothing is random", {
  for (seed in 1:10) {
    d <- draw_case(seed, c("random", "correlated")[seed %% 2 + 1])
    rules <- list(
      list(rule = "transfer", ridge = c(10, 1), source_scale = "each"),
      list(rule = "transfer", ridge = c(10, 1), source_scale = "each", keep = c("x5", "h1", "x1")),
      list(rule = "paper", lambda = 0.1, keep = "x8"), list(rule = "paper", tol = 0)
    )
    for (rule in rules) {
      exact <- do.call(flat(greedytl), c(list(d$x, d$factor, d$h, max_steps = 6), rule))
      for (candidates in c(13, 100)) {
        rule$candidates <- candidates
        drawn <- with_seed(seed, {
          do.call(flat(greedytl), c(list(d$x, d$factor, d$h, max_steps = 6), rule))
        })
        expect_same_path(exact, drawn)
      }
    }
  }
})

test_that("one candidate a step is a random order, refitted as always", {
  d <- draw_case(3)
  fit <- with_seed(5, {
    greedytl(d$x, d$y, d$h, rule = "paper", control = greedytl_control(candidates = 1, tol = 0), max_steps = 13)
  })
  expect_setequal(entered(fit), colnames(d$z))
  order <- match(entered(fit), colnames(d$z))
  expect_twin(fit, naive_greedy_paper(d$z, d$y, 1, 13, 0, follow = order))
})

test_that("set.seed makes a randomised path reproducible", {
  d <- draw_case(4, p = 60, s = 40)
  run <- function(seed) {
    entered(with_seed(seed, greedytl(d$x, d$factor, d$h, control = greedytl_control(candidates = 5), max_steps = 8)))
  }
  expect_identical(run(1), run(1))
  expect_false(identical(run(1), run(2)))
})

test_that("the draws do not depend on the data", {
  after <- function(d, ...) {
    with_seed(7, {
      greedytl(d$x, d$factor, d$h, control = greedytl_control(candidates = 4, ...), max_steps = 6)
      runif(1)
    })
  }
  a <- after(draw_case(1, "random"))
  expect_identical(a, after(draw_case(2, "constant")))
  expect_identical(a, after(draw_case(3, "duplicated")))
  d <- draw_case(4)
  d$h <- -d$h
  expect_identical(a, after(d))
  expect_identical(a, after(d, tol = 10))
})

test_that("the exact path leaves the random numbers alone", {
  d <- draw_case(5)
  with_seed(8, {
    before <- globalenv()$.Random.seed
    greedytl(d$x, d$factor, d$h)
    greedytl(d$x, d$y, d$h, rule = "paper")
    expect_identical(globalenv()$.Random.seed, before)
  })
})

counting_sources <- function(n_sources) {
  counter <- new.env()
  counter$calls <- integer(n_sources)
  one <- function(j) {
    force(j)
    function(newdata) {
      counter$calls[j] <- counter$calls[j] + 1L
      newdata[, 1] * cos(j) + newdata[, 2] * sin(j)
    }
  }
  models <- lapply(seq_len(n_sources), one)
  names(models) <- paste0("m", seq_len(n_sources))
  list(models = models, counter = counter)
}

test_that("sources that are not drawn are not asked", {
  d <- draw_case(6)
  for (rule in c("transfer", "paper")) {
    s <- counting_sources(2000)
    fit <- with_seed(9, {
      greedytl(d$x, d$factor, s$models, rule = rule, control = greedytl_control(candidates = 10), max_steps = 4)
    })
    expect_lte(sum(s$counter$calls > 0), 40)
    expect_lte(length(fit$sources$models), 4)
    s$counter$calls[] <- 0L
    predict(fit, d$new$x)
    expect_lte(sum(s$counter$calls > 0), 4)
  }
})

test_that("the share of good picks is what n_candidates promises", {
  skip_on_cran()
  d <- draw_case(7, n = 15, p = 400, s = 1)
  exact <- abs(drop(cor(d$x, d$y)))
  good <- exact >= quantile(exact, 0.95)
  hits <- with_seed(10, vapply(1:200, function(i) {
    fit <- greedytl(d$x, d$y, rule = "paper", control = greedytl_control(candidates = 59, tol = 0), max_steps = 1)
    good[[entered(fit)]]
  }, logical(1)))
  expect_gt(mean(hits), 0.9)
})

test_that("all sources that fail among those drawn are one error", {
  d <- draw_case(6)
  works <- function(k) function(newdata) newdata[, 1] + k * newdata[, 2]
  breaks <- function(newdata) stop("no signal")
  old <- list(a = breaks, b = works(1), c = breaks, d = works(2), e = function(newdata) 1)
  failed <- function(...) {
    tryCatch(with_seed(1, flat(greedytl)(d$x, d$y, old, candidates = 18, max_steps = 3, ...)),
             transelect_error_sources = conditionMessage)
  }
  drawn <- failed()
  expect_match(drawn, "^Sources \"a\" and \"c\" could not predict: no signal.*Source \"e\" returned")
  expect_no_match(drawn, "\"[bd]\"")
  expect_match(failed(keep = "c"), "Source \"c\"")
})

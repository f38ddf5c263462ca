# What no method can fit is refused in words, by all of them alike.

d <- with_seed(1, data.frame(y = rnorm(30), x = rnorm(30), z = rnorm(30), k = 3, g = rep(c("a", "b", "c"), 10)))
fits <- list(
  greedytl = function(x, y, ...) greedytl(x, y), msplit = function(x, y, ...) msplit(x, y),
  tgreedy = function(x, y, g) tgreedy(x, y, g), tlcp = function(x, y, ...) tlcp(x, y),
  domains = function(x, y, g) tlcp(x, y, domain = g, target = "a"),
  cutoff = function(x, y, ...) tlcp(x, y, method = "cutoff"),
  likelihood = function(x, y, ...) tlcp(x, y > 0, family = "binomial"),
  shareboost = function(x, y, g) shareboost(x, factor(g)),
  dissimilarity = function(x, y, g) dissimilarity(x, y, g, target = "a", draws = 0),
  cv = function(x, y, ...) cv_path(x, y, nfolds = 3)
)

test_that("values that are infinite, or cannot be squared, are one error in all methods", {
  for (value in c(Inf, -Inf, 1e200)) {
    x <- as.matrix(d[c("x", "z")])
    x[3, 1] <- value
    said <- vapply(unlist(lapply(list(x, as.data.frame(x), Matrix::Matrix(x, sparse = TRUE)), function(x) {
      lapply(fits, function(fit) tryCatch(fit(x, d$y, d$g), transelect_error_x = identity))
    }), recursive = FALSE), conditionMessage, "")
    expect_length(unique(said), 1)
    expect_identical(grepl("Rescale", said[[1]]), is.finite(value))
  }
  x[3, 1] <- Inf
  for (m in list(quote(moments(x, d$y)), quote(moments(y ~ x, data.frame(y = d$y, x = x[, 1]))))) {
    said <- expect_error(eval(m), class = "transelect_error_moments")
    expect_no_match(conditionMessage(said), "Rescale")
  }
})

test_that("data without columns, or whose columns have no names, are refused", {
  nameless <- stats::setNames(d[c("x", "z")], NULL)
  for (fit in fits) {
    expect_error(fit(nameless, d$y, d$g), "2 columns and no names", class = "transelect_error_x")
    expect_error(fit(matrix(0, 30, 0), d$y, d$g), "no columns", class = "transelect_error_x")
  }
  for (make in list(stumps, pieces, products)) expect_error(make(nameless), "no names", class = "transelect_error_x")
  expect_error(moments(nameless, d$y), "no names", class = "transelect_error_x")
  for (fit in list(tlcp, moments)) {
    expect_error(fit(y ~ ., stats::setNames(d, NULL)), "no names", class = "transelect_error_data")
  }
  expect_error(dissimilarity(y ~ 1, d, domain = g, target = "a"), "no predictors", class = "transelect_error_formula")
  for (fit in list(tlcp, greedytl, msplit)) {
    expect_error(fit(y ~ 1, d), "no predictors", class = "transelect_error_formula")
  }
  m <- moments(y ~ x, d, fold = rep(1:10, 3))
  for (call in list(quote(cv_path(y = m)), quote(cv_path(y = d$y)), quote(tlcp(y = d$y)),
                    quote(selection_frequency(y = m)), quote(greedytl(y = d$y)))) {
    expect_error(eval(call), "is missing", class = "transelect_error_x")
  }
})

test_that("constant columns alone are refused whatever the scaling", {
  for (standardize in c(TRUE, FALSE)) {
    for (more in list(list(), list(select = FALSE), list(borrow = "pooled"), list(method = "cutoff"))) {
      for (data in list(list(d["k"], d$y, domain = d$g), list(moments(d["k"], d$y, domain = d$g)))) {
        expect_error(suppressMessages(do.call(tlcp, c(data, list(target = "a", standardize = standardize), more))),
                     "No column of `x` varies", class = "transelect_error_x")
      }
    }
  }
})

test_that("factors and groups are found whatever the name", {
  for (name in c("a b", "{a}", "}", "<a>", "`q`", "%s", "\\", "a'b\"", "TRUE")) {
    data <- d[c("y", "x")]
    form <- y ~ x
    form[[3]] <- call("+", quote(x), as.name(name))
    data[[name]] <- factor("one")
    for (sparse in c(FALSE, TRUE)) {
      expect_error(greedytl(form, data, sparse = sparse), "fewer than two levels", class = "transelect_error_x")
    }
    data[[name]] <- factor(d$g)
    plain <- data
    names(plain)[3] <- "g"
    expect_identical(tlcp(form, data, groups = NULL)$groups$of, tlcp(y ~ x + g, plain, groups = NULL)$groups$of)
    expect_equal(unname(coef(greedytl(form, data))), unname(coef(greedytl(y ~ x + g, plain))))
    expect_equal(unname(coef(greedytl(form, data, sparse = TRUE))), unname(coef(greedytl(y ~ x + g, plain))))
  }
})

test_that("a loss of the user's that fails says in which fold", {
  bad <- function(y, score, weights) if (d$y[9] %in% y) stop("no luck") else mean((y - score)^2)
  for (run in list(cv_path, function(...) compare_paths(..., fits = list(a = greedytl)))) {
    said <- expect_error(run(y ~ x + z, d, foldid = rep(1:3, each = 10), loss = bad), class = "transelect_error_loss")
    expect_match(conditionMessage(said), "In fold 1 `loss` failed: no luck", fixed = TRUE)
    expect_error(run(y ~ x + z, d, nfolds = 3, loss = function(y, score, weights) "a"), "In fold 1 `loss` returned",
                 class = "transelect_error_loss")
  }
})

test_that("a cluster that has stopped is told", {
  skip_on_cran()
  cluster <- parallel::makeCluster(1)
  parallel::stopCluster(cluster)
  expect_error(cv_path(y ~ x + z, d, parallel = cluster), class = "transelect_error_parallel")
})

test_that("arguments that name features, and numbers, are refused in words where they are something else", {
  d <- draw_similar_domains(3, 2, 3, n = 20)
  calls <- list(
    function(keep) greedytl(d$x, d$y, keep = keep),
    function(keep) tlcp(d$x, d$y, keep = keep),
    function(keep) tgreedy(d$x, d$y, d$domain, keep = keep),
    function(keep) msplit(d$x, d$y, keep = keep),
    function(keep) shareboost(d$x, d$y > 0, keep = keep)
  )
  for (call in calls) {
    for (odd in list(quote(x1), sum, globalenv(), survival::Surv(1:2))) {
      expect_error(call(odd), class = "transelect_error_keep")
    }
  }
  for (odd in list(quote(x1), sum, survival::Surv(1))) {
    expect_error(coef(greedytl(d$x, d$y), step = odd), class = "transelect_error_step")
  }
  expect_error(greedytl(d$x, d$y, lambda = survival::Surv(1)), class = "transelect_error_lambda")
  expect_error(dissimilarity(d$x, d$y, domain = d$domain, target = "a", draws = 1e300),
               class = "transelect_error_draws")
})

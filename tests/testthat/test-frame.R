# ---- what every method asks of classes, domains, names and weights

test_that("empty names of classes, domains and columns are refused", {
  d <- msplit_case(1, n = 30)
  class <- rep(c("", "b", "c"), 10)
  domain <- rep(c("", "b"), 15)
  two <- d$factor
  data <- data.frame(class, d$x)
  frame <- stats::setNames(as.data.frame(d$x), c("x1", "", paste0("x", 3:8)))
  expect_refused(
    greedytl(d$x, class), 'y: `y` ""',
    msplit(d$x, factor(class, c("b", "c", ""))), 'y: `y` ""',
    msplit(class ~ ., data), 'y: `y` ""',
    shareboost(d$x, class), 'y: `y` ""',
    shareboost(d$x, addNA(replace(class, class == "", NA))), "y: `y`",
    tlcp(d$x, d$y, domain = domain, target = "b"), 'domain: `domain` ""',
    tgreedy(d$x, two, domain = domain), 'domain: `domain` ""',
    greedytl(frame, d$y), 'x: `x` ""',
    greedytl(as.matrix(frame), d$y), 'x: `x` ""'
  )
})

weighted_fits <- function(d, weights) {
  domain <- rep(c("a", "b", "c"), length.out = length(d$y))
  list(
    greedytl = greedytl(d$x, d$y, weights = weights),
    tgreedy = tgreedy(d$x, d$factor, domain = domain, weights = weights),
    tlcp = tlcp(d$x, d$y, domain = domain, target = "a", weights = weights),
    msplit = msplit(d$x, d$y, weights = weights),
    lbi = msplit(d$x, d$y, weights = weights, method = "lbi", nu = 2),
    shareboost = shareboost(d$x, d$class, weights = weights)
  )
}

test_that("weights of any size fit the same models", {
  d <- msplit_case(2, n = 45)
  w <- rep_len(c(1, 3, 4, 2, 2), 45)
  ordinary <- weighted_fits(d, w)
  worth <- function(fit) c(deviance(fit), logLik(fit))
  for (power in c(-1060, -1000, 40, 1000, 1021)) { # the products with these weights are exact
    other <- weighted_fits(d, w * 2^(power %/% 2) * 2^(power - power %/% 2))
    for (name in names(other)) {
      expect_identical(coef(other[[name]]), coef(ordinary[[name]]))
      if (name %in% c("greedytl", "tlcp", "msplit")) {
        expect_identical(worth(other[[name]]), worth(ordinary[[name]]))
      }
    }
  }
})

test_that("methods take weights as far apart as is allowed, and refuse others in words", {
  d <- msplit_case(2, n = 45)
  for (size in c(1, 1e307)) {
    for (w in list(rep(c(1, 1e-299), c(30, 15)), rep_len(c(1e-299, 1, 1), 45))) {
      fits <- weighted_fits(d, size * w)
      for (fit in fits) expect_true(all(is.finite(unlist(coef(fit)))))
    }
  }
  far <- rep(c(1e300, 1e-300), c(22, 23))
  expect_refused(
    greedytl(d$x, d$y, weights = far), "weights: `weights` 1e-300 1e+300",
    tlcp(d$x, d$y, weights = far), "weights: `weights` 1e-300 1e+300",
    msplit(d$x, d$y, weights = far), "weights: `weights` 1e-300 1e+300",
    shareboost(d$x, d$class, weights = far), "weights: `weights` 1e-300 1e+300"
  )
})

test_that("ordinary weights are kept as they were given", {
  d <- msplit_case(2, n = 30)
  w <- rep_len(c(10, 20, 30), 30)
  expect_identical(sum(cv_path(d$x, d$y, weights = w, foldid = rep(1:3, 10))$folds$weight), 600)
})

test_that("more threads than the kernels take are refused in words", {
  d <- msplit_case(1)
  old <- options(transelect.threads = 2000)
  on.exit(options(old))
  expect_error(greedytl(d$x, d$y), "1024", class = "transelect_error_transelect.threads")
})

test_that("responses and columns whose squares are no numbers are refused by every fitter", {
  d <- msplit_case(4, n = 40)
  domain <- rep(1:2, 20)
  fits <- function(x, y) {
    list(
      function() greedytl(x, y), function() tgreedy(x, y, domain = domain), function() tlcp(x, y),
      function() tlcp(x, y, domain = domain, target = 1), function() msplit(x, y),
      function() msplit(x, y, method = "lbi"), function() cv_path(x, y, fit = tlcp)
    )
  }
  for (scale in c(1e155, 1e-170)) {
    what <- paste("too", if (scale > 1) "large" else "small", "to be squared")
    for (fit in fits(d$x, d$y * scale)) expect_error(fit(), what, class = "transelect_error_y")
    expect_error(msplit(d$x, cbind(a = d$y, b = d$y * scale)), "\"b\"",
                 class = "transelect_error_y")
  }
  x <- d$x
  x[, 2] <- x[, 2] * 1e-165
  for (x in list(x, as(x, "CsparseMatrix"))) {
    all <- c(fits(x, d$y), function() shareboost(x, d$class), function() moments(x, d$y))
    for (fit in all) expect_error(fit(), "x2.*too small", class = "transelect_error_x")
  }
  expect_error(greedytl(d$x[, 1:2], d$y, sources = cbind(one = d$x[, 3] * 1e-165)), "one.*too small",
               class = "transelect_error_sources")
  x <- cbind(d$x, none = 0, same = 1e-165)
  expect_setequal(variable.names(greedytl(x, d$y)), variable.names(greedytl(d$x, d$y)))
})

test_that("a child of a fork runs one thread, after threads in its parent", {
  skip_on_os("windows")
  old <- options(transelect.threads = 2)
  on.exit(options(old))
  data <- with_seed(1, {
    x <- matrix(rnorm(400 * 400), 400)
    list(x = x, y = x[, 1] + rnorm(400), class = factor(rep(1:4, 100)), domain = rep(1:4, 100))
  })
  fits <- function() {
    list(
      greedytl(data$x, data$y, max_steps = 3)$beta,
      tgreedy(data$x, data$y, domain = data$domain, max_steps = 3)$beta,
      shareboost(data$x, data$class, max_steps = 3)$beta
    )
  }
  here <- fits()
  child <- parallel::mcparallel(fits())
  said <- parallel::mccollect(child, wait = FALSE, timeout = 60)
  if (is.null(said)) { # it waits for threads that it does not have
    tools::pskill(child$pid, tools::SIGKILL)
    parallel::mccollect(child)
  }
  expect_identical(unname(said), list(here))
})

test_that("integers of 64 bits are the numbers that they stand for", {
  skip_if_not_installed("bit64")
  data <- data.frame(y = with_seed(1, rnorm(20)), x = with_seed(2, rnorm(20)), i = 1:20)
  long <- data
  long$i <- bit64::as.integer64(data$i)
  for (formula in list(y ~ x + i, y ~ .)) {
    expect_equal(coef(tlcp(formula, long)), coef(tlcp(formula, data)))
    expect_equal(predict(tlcp(formula, data), long), predict(tlcp(formula, data), data))
  }
  expect_equal(coef(greedytl(long[2:3], data$y)), coef(greedytl(data[2:3], data$y)))
})

test_that("factors of one level are named, and text with many values is told", {
  data <- data.frame(y = with_seed(1, rnorm(30)), x = with_seed(2, rnorm(30)), one = "a")
  for (formula in list(y ~ x + one, y ~ .)) {
    expect_error(greedytl(formula, data), "\"one\"", class = "transelect_error_x")
  }
  data$one <- NULL
  texts <- list(text = as.character(data$x), few = rep(as.character(1:15), 2), rows = paste0("id", 1:30),
                factor = factor(paste0("id", 1:30)))
  for (name in names(texts)) {
    data$given <- texts[[name]]
    for (formula in list(y ~ x + given, y ~ .)) {
      expect_message(greedytl(formula, data), "\"given\" is .* different values",
                     class = "transelect_message_text")
    }
  }
  data$given <- texts$text
  expect_length(coef(suppressMessages(greedytl(y ~ given, data))), 30) # of one number
  for (given in list(rep(letters[1:3], 10), factor(rep(1:6, 5)), rep(as.character(1:5), 6))) {
    data$given <- given
    expect_quiet(greedytl(y ~ ., data), class = "transelect_message_text")
  }
})

test_that("predict(offset = ) takes the place of the offset's column", {
  data <- data.frame(n = with_seed(1, rpois(40, 3)), x = with_seed(2, rnorm(40)), time = 1:40 / 10)
  fit <- tlcp(n ~ x + offset(log(time)), data, family = "poisson", select = FALSE)
  expect_equal(predict(fit, data["x"], offset = log(data$time)), predict(fit, data))
  expect_error(predict(fit, data["x"]), "time")
})

test_that("types of predictions are told with what they give, and sources by their names", {
  fit <- greedytl(Species ~ ., iris)
  expect_error(predict(fit, iris, type = "lp"), "\"link\" \\(score\\)", class = "transelect_error_type")
  expect_error(greedytl(iris[1:3], iris[[4]], sources = list(a = 1:3)), "\"a\"", class = "transelect_error_sources")
})

test_that("a response, weights, folds, domains or an offset in a data frame of one column are those of the column", {
  d <- with_seed(3, data.frame(x1 = rnorm(60), x2 = rnorm(60), d = rep(c("a", "b", "c"), 20), w = runif(60) + .5,
                               o = rnorm(60) / 3, f = rep(1:5, 12)))
  d$y <- d$x1 + with_seed(4, rnorm(60))
  d$b <- factor(d$y > 0, labels = c("no", "yes"))
  d$n <- with_seed(5, rpois(60, exp(d$y / 3)))
  x <- as.matrix(d[1:2])
  same <- function(a, b) expect_equal(coef(a), coef(b))
  same(greedytl(x, d["y"], weights = d["w"]), greedytl(x, d$y, weights = d$w))
  same(msplit(x, d["b"]), msplit(x, d$b))
  same(shareboost(x, d["b"]), shareboost(x, d$b))
  same(tgreedy(x, d["y"], d["d"]), tgreedy(x, d$y, d$d))
  same(tlcp(x, d["y"], domain = d["d"], target = "a"), tlcp(x, d$y, domain = d$d, target = "a"))
  counts <- tlcp(x, d$n, family = "poisson", offset = d$o)
  same(tlcp(x, d["n"], family = "poisson", offset = d["o"]), counts)
  expect_equal(predict(counts, x, offset = d["o"]), predict(counts, x, offset = d$o))
  cv <- function(y, foldid) cv_path(x, y, foldid = foldid)$cvm
  expect_equal(cv(d["y"], d["f"]), cv(d$y, d$f))
  expect_equal(cv(d["y"], as.matrix(d["f"])), cv(d$y, d$f))
  expect_equal(moments(x, d["y"], domain = d["d"], fold = d["f"], weights = d["w"])$n,
               moments(x, d$y, domain = d$d, fold = d$f, weights = d$w)$n)
  of <- function(y, ...) assess(plogis(d$y), y, ...)$measures
  expect_equal(of(d["b"], weights = d["w"], cluster = d["f"]), of(d$b, weights = d$w, cluster = d$f))
  expect_equal(assess(d$x1, d["y"])$measures, assess(d$x1, d$y)$measures)
  expect_equal(unclass(confusion(greedytl(x, d$b), x, d["b"])), unclass(confusion(greedytl(x, d$b), x, d$b)))
  expect_equal(with_seed(1, make_folds(d["b"], 4, d["d"])), with_seed(1, make_folds(d$b, 4, d$d)))
  skip_if_not_installed("survival")
  d$s <- survival::Surv(exp(d$y), rep(1, 60))
  same(greedytl(x, d["s"]), greedytl(x, d$s))
  same(tgreedy(x, d["s"], d$d), tgreedy(x, d$s, d$d))
})

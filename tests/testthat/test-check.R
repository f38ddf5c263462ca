# Arguments by their names, the same for all fitters and verbs.

argument_cases <- function() {
  set.seed(1)
  list(
    greedytl = greedytl(mpg ~ wt + hp + qsec, mtcars),
    tgreedy = tgreedy(mpg ~ wt + hp + qsec, mtcars, domain = cyl),
    tlcp = tlcp(mpg ~ wt + hp + qsec, mtcars),
    msplit = msplit(mpg ~ wt + hp + qsec, mtcars, nu = 5),
    shareboost = shareboost(Species ~ ., iris, max_steps = 2),
    cv = cv_path(mpg ~ wt + hp + qsec, mtcars, nfolds = 3)
  )
}

test_that("names of arguments are not completed, and the error suggests the argument that was meant", {
  for (fit in argument_cases()) {
    for (verb in list(coef, variable.names, function(...) predict(..., newdata = mtcars))) {
      expect_error(verb(fit, s = 1), "There is no argument `s`.*Did you mean `step`",
                   class = "transelect_error_argument")
    }
    expect_error(predict(fit, newx = mtcars), "newx.*Did you mean `newdata`")
    expect_error(predict(fit, newd = mtcars), "newd.*Did you mean `newdata`")
    expect_error(print(fit, bogus = 1), "There is no argument `bogus`")
    expect_error(print(fit, dig = 3), "Did you mean `digits`")
  }
  fit <- argument_cases()$greedytl
  for (verb in list(deviance, logLik, sigma, df.residual, summary, tidy)) {
    expect_error(verb(fit, s = 1), "Did you mean `step`")
    expect_error(verb(fit, st = 1), "Did you mean `step`")
  }
  expect_error(plot(fit, labe = FALSE), "Did you mean `label`")
  expect_error(plot(fit, lambda = function(x) x), "a function", class = "transelect_error_lambda")
})

test_that("names that come through `...` or do.call() are looked at too", {
  fit <- argument_cases()$greedytl
  through <- function(...) coef(fit, ...)
  expect_error(through(s = 2), "Did you mean `step`")
  expect_identical(through(step = 2), coef(fit, step = 2))
  expect_error(lapply(list(fit), coef, s = 2), "Did you mean `step`")
  expect_error(do.call(coef, list(fit, s = 2)), "Did you mean `step`")
  expect_identical(sapply(1:2, coef, object = fit), cbind(coef(fit, 1), coef(fit, 2)))
})

test_that("mistyped arguments of every fitter are answered with the one that was meant", {
  expect_error(tlcp(mpg ~ wt, mtcars, criterio = "BIC"), "Did you mean `criterion`")
  expect_error(tlcp(mpg ~ wt, mtcars, Criterium = "BIC"), "Did you mean `criterion`")
  expect_error(tlcp(mtcars[-1], mtcars$mpg, domian = mtcars$cyl), "Did you mean `domain`")
  expect_error(greedytl(mpg ~ wt, mtcars, max.steps = 1), "Did you mean `max_steps`")
  expect_error(greedytl(mpg ~ wt, mtcars, weigths = wt), "Did you mean `weights`")
  expect_error(tgreedy(mpg ~ wt, mtcars, domain = cyl, rules = "t"), "Did you mean `rule`")
  expect_error(msplit(mpg ~ wt, mtcars, methods = "iss"), "Did you mean `method`")
  expect_error(shareboost(Species ~ ., iris, rigde = 1), "Did you mean `ridge`")
  expect_error(dissimilarity(mpg ~ wt, mtcars, domain = cyl, traget = "4"), "Did you mean `target`")
  expect_error(moments(mpg ~ wt, mtcars, domian = "cyl"), "Did you mean `domain`")
  expect_error(tlcp(moments(mpg ~ wt, mtcars), criterio = "BIC"), "Did you mean `criterion`")
  expect_error(cv_path(mpg ~ wt, mtcars, nfold = 3), "Did you mean `nfolds`")
  expect_error(cv_path(mpg ~ wt, mtcars, fit = tlcp, criterio = 2), "Did you mean `criterion`")
  expect_error(greedytl(mpg ~ wt, mtcars, zzz = 1), "Give one of `formula`")
  expect_error(greedytl(mpg ~ wt, mtcars, NULL, 3), "without a name: `3`")
})

test_that("an argument stands in one usage, and a formula takes those of the first form", {
  for (fitter in c("greedytl", "tgreedy", "tlcp", "msplit", "shareboost", "dissimilarity")) {
    shown <- lapply(c("default", "formula", "transfer_frame"), function(kind) {
      formals(get(paste0(fitter, ".", kind), envir = asNamespace("transelect")))
    })
    both <- intersect(names(shown[[1]]), names(shown[[3]])[-1])
    expect_identical(shown[[1]][both], shown[[3]][both], info = fitter)
    twice <- intersect(names(shown[[1]]), names(shown[[2]]))
    expect_true(all(twice %in% c("domain", "target", "sources", "...", "weights", "offset")), info = fitter)
    expect_lte(max(lengths(shown[1:2])), 18)
  }
  x <- as.matrix(mtcars[c("wt", "hp", "qsec")])
  by_formula <- tlcp(mpg ~ wt + hp + qsec, mtcars, sizes = FALSE, criterion = "BIC", method = "cutoff", keep = "qsec")
  of_data <- tlcp(x, mtcars$mpg, sizes = FALSE, criterion = "BIC", method = "cutoff", keep = "qsec")
  expect_equal(by_formula$beta, of_data$beta)
  expect_identical(by_formula$settings$given, of_data$settings$given)
  # a function that hands on what it may not have been given itself
  hands_on <- function(formula, data, criterion, sizes) tlcp(formula, data, criterion = criterion, sizes = sizes)
  expect_identical(hands_on(mpg ~ wt + hp, mtcars)$settings$given, tlcp(mpg ~ wt + hp, mtcars)$settings$given)
  expect_identical(hands_on(mpg ~ wt + hp, mtcars, "BIC")$settings$given$criterion, "BIC")
  expect_error(tlcp(x, mtcars$mpg, hierarchi = TRUE), "Did you mean `hierarchy`")
  expect_error(tlcp(mpg ~ wt, mtcars, crit = "BIC"), "Did you mean `criterion`")
  expect_error(tlcp(mpg ~ wt, mtcars, unit = "own"), "tlcp_control(units = )", fixed = TRUE)
  expect_error(tlcp_control(within = 2), "argument of `tlcp()` itself", fixed = TRUE)
})

test_that("arguments not given stay not given, and are evaluated once where they are", {
  count <- 0
  rule <- function() {
    count <<- count + 1
    "paper"
  }
  fit <- greedytl(mpg ~ wt + hp, mtcars, rule = rule(), control = greedytl_control(ridge = 2))
  expect_identical(count, 1)
  error <- tryCatch(greedytl(mpg ~ wt, mtcars, rule = "none"), error = identity)
  expect_identical(as.character(conditionCall(error)[[1]]), "greedytl")
  expect_identical(fit$rule, "paper")
  expect_identical(greedytl(mtcars[c("wt", "hp")], mtcars$mpg, rule = "paper",
                            control = greedytl_control(ridge = 2))$beta,
                   fit$beta)
})

test_that("integers, also of 64 bits, are numbers", {
  d <- data.frame(a = c(1, 4, 2, 8, 5, 7, 3, 6), b = c(2, 1, 5, 3, 9, 4, 4, 8))
  x <- as.matrix(d)
  y <- c(1, 3, 2, 7, 4, 6, 3, 5)
  same <- function(a, b) {
    a$call <- b$call <- a$settings$given <- b$settings$given <- NULL # as they were written
    a$certificate$seconds <- b$certificate$seconds <- NULL
    expect_identical(unsealed(a), unsealed(b))
  }
  same(greedytl(x, y, lambda = 1L), greedytl(x, y, lambda = 1))
  same(greedytl(x, y, lambda = 1:2), greedytl(x, y, lambda = c(1, 2)))
  same(greedytl(x, y, control = greedytl_control(ridge = c(1L, 2L))),
       greedytl(x, y, control = greedytl_control(ridge = c(1, 2))))
  same(greedytl(x, y, control = greedytl_control(ridge = 1L)), greedytl(x, y, control = greedytl_control(ridge = 1)))
  same(greedytl(x, y, control = greedytl_control(tol = 0L), max_steps = 1L),
       greedytl(x, y, control = greedytl_control(tol = 0), max_steps = 1))
  same(tgreedy(x, y, rep(1:2, 4), nu = 1L), tgreedy(x, y, rep(1:2, 4), nu = 1))
  same(tlcp(x, y, criterion = 2L, control = tlcp_control(max_nodes = 50L)),
       tlcp(x, y, criterion = 2, control = tlcp_control(max_nodes = 50)))
  same(msplit(x, y, nu = 5L, control = msplit_control(t_ratio = 10L, nt = 20L)),
       msplit(x, y, nu = 5, control = msplit_control(t_ratio = 10, nt = 20)))
  same(msplit(x, y, nu = 5L, method = "lbi", control = msplit_control(kappa = 5L)),
       msplit(x, y, nu = 5, method = "lbi", control = msplit_control(kappa = 5)))
  y2 <- factor(rep(c("u", "v"), 4))
  same(shareboost(x, y2, ridge = 1L, control = shareboost_control(margin = 1L, sharpness = 2L), penalty = "l1"),
       shareboost(x, y2, ridge = 1, control = shareboost_control(margin = 1, sharpness = 2), penalty = "l1"))
  skip_if_not_installed("bit64")
  big <- bit64::as.integer64
  same(greedytl(x, y, lambda = big(1), weights = big(1:8)), greedytl(x, y, lambda = 1, weights = 1:8))
  same(tgreedy(x, big(y), big(rep(1:2, 4)), max_steps = big(1)),
       tgreedy(x, y, rep(1:2, 4), max_steps = 1))
})

test_that("AIC() and BIC() take a step, and update() names the arguments whose values the call does not have", {
  fit <- greedytl(mpg ~ wt + hp, mtcars)
  for (step in 0:2) {
    value <- logLik(fit, step = step)
    expect_equal(AIC(fit, step = step), AIC(value))
    expect_equal(BIC(fit, step = step), BIC(value))
  }
  expect_error(AIC(fit, s = 1), "Did you mean `step`")
  expect_error(AIC(fit, step = 99), class = "transelect_error_step")
  expect_identical(AIC(fit, k = 3), 3 * attr(logLik(fit), "df") - 2 * c(logLik(fit)))
  other <- greedytl(mpg ~ wt, mtcars)
  expect_identical(dim(AIC(fit, other)), c(2L, 2L))
  done <- do.call(greedytl, list(mpg ~ wt + hp, mtcars))
  expect_error(update(done, rule = "paper"), "no name for `data`", class = "transelect_error_object")
  expect_error(update(done, rule = "paper"), "refit(fit, data)", fixed = TRUE)
  expect_identical(update(done, data = mtcars, rule = "paper")$rule, "paper")
  lost <- list(
    "`some`.*Give `data` again" = (function(some) greedytl(mpg ~ wt, some))(mtcars),
    "`..1`.*Give `data` again" = (function(...) greedytl(mpg ~ wt, ..1, weights = hp))(mtcars),
    "`a` and `b`.*Give `x` and `y` again" = (function(a, b) greedytl(a, b))(as.matrix(mtcars["wt"]), mtcars$mpg),
    "`right`.*Give `formula` again" = (function(right) greedytl(right, mtcars))(mpg ~ wt)
  )
  for (said in names(lost)) {
    error <- tryCatch(update(lost[[said]], rule = "paper"), transelect_error_object = conditionMessage)
    expect_match(gsub("\\s+", " ", error), said)
    expect_match(error, "refit(fit, data)", fixed = TRUE)
  }
  cvs <- (function(some) cv_path(mpg ~ wt, some))(mtcars)
  expect_error(update(cvs), "Give `data` again", class = "transelect_error_object")
  expect_identical(update(cvs, data = mtcars)$fit$nobs, 32L)
  # names of columns, and of arguments of functions in a call, are not reported as lost
  own <- greedytl(mpg ~ wt, mtcars, sources = list(s = function(newdata) newdata$hp))
  expect_error(update(own, max_steps = nothing), "nothing", class = "simpleError")
  expect_error(update(own, max_steps = stop("mine")), "mine", class = "simpleError")
  expect_error(update(own, . ~ . + nothing), "nothing", class = "transelect_error_formula")
  expect_identical(update(lost[[1]], data = mtcars)$nobs, 32L)
  expect_error(update(other, . ~ . + nothing), "nothing", class = "transelect_error_formula")
  of_domains <- (function(some) tgreedy(mpg ~ wt + hp, data = some, domain = gear))(mtcars) # gear is a column of some
  expect_error(update(of_domains, . ~ . - hp), "Give `data` again", class = "transelect_error_object")
  expect_error(update(other, max_steps = nothing), "nothing", class = "simpleError")
  expect_error(update(other, max_steps = -1), class = "transelect_error_max_steps")
  expect_error(print(fit, digits = -1), class = "transelect_error_digits")
  cvs <- cv_path(mpg ~ wt + hp, mtcars, domain = cyl, fit = tgreedy)
  expect_error(print(compare_paths(a = cvs, b = cvs), sizes = numeric(0)),
               class = "transelect_error_sizes")
  expect_error(greedytl(mpg ~ wt, mtcars, rule = mean), "`rule` is a function",
               class = "transelect_error_rule")
  expect_error(tlcp(mpg ~ wt, mtcars, criterion = quote(a)), "`criterion` is a symbol",
               class = "transelect_error_criterion")
  expect_error(greedytl(mpg ~ wt, mtcars, lambda = as.raw(1)), "raw",
               class = "transelect_error_lambda")
})

test_that("a misspelt variable of a formula is an error that says where it was looked for", {
  d <- data.frame(time = 1:6, a = c(2, 1, 4, 3, 6, 5), b = c(1, 0, 0, 1, 1, 0), g = rep(1:2, 3))
  away <- new.env(parent = topenv()) # where Surv() is not attached
  of <- function(text) stats::as.formula(text, away)
  fits <- list(
    greedytl = greedytl, tlcp = tlcp, shareboost = shareboost, msplit = msplit, cv_path = cv_path,
    tgreedy = function(...) tgreedy(..., domain = g), compare_paths = compare_paths
  )
  for (fit in fits) {
    expect_refused(
      fit(of("tme ~ ."), data = d), "formula: `formula` \"tme\" `data`",
      fit(of("Surv(tme, b) ~ ."), data = d), "formula: `formula` \"tme\" `data`",
      fit(of("log(tme) ~ a + zz"), data = d), "formula: `formula` \"tme\" \"zz\" `data`"
    )
  }
  expect_error(greedytl(of("tme ~ a"), d), "Did you mean \"time\"", fixed = TRUE)
  d$time <- NULL # R finds the function time()
  expect_refused(
    greedytl(of("time ~ ."), d), "formula: `formula` \"time\" `data`",
    greedytl(of("a ~ time"), d), "formula: `formula` \"time\" `data`",
    greedytl(of("yy ~ zz")), "formula: `formula` \"yy\" \"zz\" `data`",
    greedytl(of("a ~ b"), d, weights = 1 / zz), "weights: `weights` \"zz\" `data`",
    compare_paths(of("Surv(a, b) ~ g"), d), "y: `y` <Surv>"
  )
})

test_that("errors of na.action, weights, subset and domain beside a formula say what to give", {
  d <- data.frame(y = c(1, 3, 2, 5, 4, 6), a = c(2, 1, 4, 3, 6, 5), f = factor(rep(1:2, 3)), w = 1:6)
  refused <- function(code, argument, said) {
    expect_error(code, said, class = paste0("transelect_error_", argument))
  }
  for (formula in list(y ~ a, y ~ .)) {
    for (action in list(1.5, list(na.omit), "no such function", quote(na.omit))) {
      refused(greedytl(formula, d, na.action = action), "na.action", "Give a function")
    }
    refused(greedytl(formula, d, na.action = function(d) 1), "na.action", "returned")
    # a function's own warning comes once, with the fit; where the function is refused it would hide why
    expect_warning(greedytl(formula, d, na.action = function(d) { warning("row 1 is odd"); d }), "row 1 is odd")
    expect_no_warning(try(greedytl(formula, d, na.action = function(d) { warning("odd"); 1 }), silent = TRUE))
    expect_equal(coef(greedytl(formula, d, na.action = "na.omit")), coef(greedytl(formula, d)))
    refused(greedytl(formula, d, weights = as.list(w)), "weights", "is a list")
    refused(greedytl(formula, d, weights = quote(f(x))), "weights", "is a call")
    refused(greedytl(formula, df), "data", "takes a function of this name")
    refused(tgreedy(formula, d, domain = mean), "domain", "is a function")
    refused(tgreedy(formula, d, domain = Matrix::Diagonal(2)), "domain", "is a <ddiMatrix>")
    refused(msplit(formula, d, subset = Matrix::Diagonal(2) > 0), "subset", "is a <")
    refused(msplit(formula, d, subset = mean), "subset", "is a function")
    for (rows in list(FALSE, 1, c(1, NA))) refused(msplit(formula, d, subset = rows), "x", "left to fit")
  }
  refused(greedytl(y ~ f, d, subset = 1), "x", "1 row is left")
  one <- moments(matrix(rnorm(3), 1), 1)
  refused(greedytl(one), "x", "1 row is left")
})

test_that("verbs keep the class of their errors", {
  fit <- greedytl(mpg ~ wt + hp, mtcars)
  expect_error(variable.names(fit, step = 99), class = "transelect_error_step")
  expect_error(variable.names(tlcp(mpg ~ wt, mtcars), lambda = 1), class = "transelect_error_lambda")
  expect_error(confusion(fit, mtcars, mtcars$mpg), "no classes", class = "transelect_error_object")
  cv <- cv_path(mpg ~ wt + hp, mtcars)
  expect_error(print(compare_paths(cv, cv), digits = numeric()), class = "transelect_error_digits")
  d <- dissimilarity(mpg ~ wt, mtcars, domain = cyl, target = "4")
  expect_error(sort(d, decreasing = NA), class = "transelect_error_decreasing")
  m <- moments(mtcars["wt"], mtcars$mpg, fold = rep_len(1:4, 32))
  expect_error(cv_path(m, fit = lm), "`fit` failed", class = "transelect_error_fit")
})

test_that("of a step and a lambda that are both wrong, each is refused in words", {
  fit <- tgreedy(mpg ~ ., data = mtcars[c("mpg", "wt", "hp", "cyl")], domain = cyl)
  expect_error(predict(fit, mtcars, step = "average"), class = "transelect_error_step")
  expect_error(predict(fit, mtcars, step = "average", lambda = .1), class = "transelect_error_lambda")
})

test_that("functions without `...` have the same errors for unknown and abbreviated arguments", {
  expect_error(make_folds(1:10, nfold = 2), "There is no argument `nfold`.*Did you mean `nfolds`",
               class = "transelect_error_argument")
  expect_error(simulate_domains(nn = 3), "no argument `nn`.*Did you mean `n`",
               class = "transelect_error_argument")
  expect_error(cp_mse(1, 20, foo = 1), "no argument `foo`.*Give one of `beta`",
               class = "transelect_error_argument")
  expect_error(cp_selection(1, 20, sig = 2), "Did you mean `sigma`")
  expect_error(cp_required_n(1, pow = .5), "Did you mean `power`")
  expect_error(tlcp_mse(1, 20, 20, detla = 1), "Did you mean `delta`")
  expect_error(tlcp_selection(1, 20, 20, 0, c(1, 1), 2, c(1, 1), 4, 2, 5), "without a name: `5`")
  expect_error(sources(diag(3), ttype = "link"), "no argument `ttype`.*Give one of `x`",
               class = "transelect_error_argument")
  expect_error(n_candidates(confidance = .9), "Did you mean `confidence`")
  expect_error(similarity_pairs(diag(3), 1:3, pairs = 2), "Did you mean `n_pairs`")
})

test_that("a word is suggested where about a third of the letters differ, not more", {
  expect_null(arguments_nearest("typo", c("top_n", "type", "step")[c(1, 3)]))
  expect_identical(arguments_nearest("typo", c("top_n", "type")), "type")
  expect_identical(arguments_nearest("rigde", c("rule", "ridge")), "ridge")
  expect_identical(arguments_nearest("weigths", c("heights", "weights")), "weights")
  expect_null(arguments_nearest("foo", c("beta", "n", "sigma")))
  expect_null(arguments_nearest("bogus", c("domain", "loss")))
})

test_that("formulas, calls, lists and empty strings are refused where a vector is wanted", {
  d <- data.frame(y = c(1, 3, 2, 5, 4, 6), x = c(2, 1, 4, 3, 6, 5), h = rep(c("a", "b"), each = 3))
  x <- as.matrix(d["x"])
  refused <- function(code, argument, says) {
    expect_error(code, says, class = paste0("transelect_error_", argument))
  }
  refused(tlcp(y ~ x, d, domain = ""), "domain", "is an empty string")
  refused(tlcp(y ~ x, d, offset = list(1, "a")), "offset", "is a list")
  refused(tlcp(y ~ x, d, offset = quote(f(x))), "offset", "is a call")
  refused(greedytl(x, y = y ~ x), "y", "is a <formula>")
  refused(similarity_pairs(x, class = quote(a)), "class", "is a symbol")
  refused(moments(y ~ x, d[1:2, ], domain = matrix(1, 2, 2)), "domain", "is a double matrix")
  refused(sigma(greedytl(y ~ x, d), lambda = mean), "lambda", "is a function")
})

test_that("an empty string as na.action is refused", {
  expect_error(greedytl(mpg ~ wt, mtcars, na.action = ""), class = "transelect_error_na.action")
})

test_that("values of another kind are refused by name in the verbs", {
  x <- matrix(sin(1:72), 12, dimnames = list(NULL, paste0("x", 1:6)))
  y <- cos(1:12)
  path <- msplit(x, y)
  pair <- msplit(x, cbind(a = y, b = rev(y)))
  expect_refused(
    AIC(greedytl(x, y), k = a ~ b), "k: `k` <formula>",
    path_model(path, report = expression(a)), "report: `report`",
    plot(pair, response = expression(a)), "response: `response`",
    simulate_domains(1e300), "n_domains: `n_domains` 1e+300 `n` 50 `p` 20 2 31",
    update(path, evaluate = c(FALSE, NA)), "evaluate: `evaluate`",
    refit(path, x[1:6, ], y, strata = c(NA, NA)), "y: `y` 12 `data` 6",
    greedytl(x, y, keep = quote(f(x))), "keep: `keep`",
    msplit(x, y, control = msplit_control(t_ratio = 2e300)), "t_ratio: `t_ratio` 2e+300",
    tgreedy(t(pieces(matrix(sin(1:192), 12), 3, 2)), y, domain = rep(c("a", "b"), 6)), "x: `x` `pieces()`"
  )
  expect_s3_class(moments(y ~ ., I(data.frame(y, x))), "moments")
  expect_identical(greedytl(moments(x, y), keep = numeric(0))$beta, greedytl(moments(x, y))$beta)
  expect_identical(summary(path, t = t(1))$worth, summary(path, t = 1)$worth)
})

test_that("stacked() puts columns of one name below each other, in the widest of their types", {
  a <- list(n = 1:2, x = c(1.5, NA), s = c("a", NA), t = NA, none = NULL, some = NULL)
  b <- list(n = 3L, x = 7L, s = NA, t = "b", none = NULL, some = 2)
  empty <- list(n = integer(), x = numeric(), s = character(), t = logical(), none = NULL, some = numeric())
  expect_identical(table_stacked(list(a, empty, b)),
                   list(n = 1:3, x = c(1.5, NA, 7), s = c("a", NA, NA), t = c(NA, "b"),
                        none = NULL, some = 2))
  expect_identical(table_stacked(list(a)), a)
  expect_identical(table_stacked(list(empty, empty)), empty)
  expect_identical(table_stacked(rep(list(list(x = 1:3, y = TRUE)), 4)), list(x = rep(1:3, 4), y = rep(TRUE, 4)))
  expect_error(table_stacked(list(a, b[1:3])), "table 2")
  expect_error(table_stacked(list(a, replace(b, "t", list(list(1))))), "column 4 of 'tables' is a list")
  expect_error(.Call(C_stacked, list()), "at least one|list of tables")
  expect_error(table_stacked(list(list(a = factor("u")), list(a = factor("v")))), "column 1 of 'tables' has a class")
})

test_that("an empty argument is left out, whether it has a name or not", {
  set.seed(1)
  x <- matrix(rnorm(60), 20)
  y <- x[, 1] + rnorm(20)
  fit <- msplit(x, y)
  expect_equal(msplit(x, y, )$beta, fit$beta)
  expect_equal(msplit(x, y, nu = )$beta, fit$beta)
  expect_equal(tlcp(y ~ ., data.frame(x, y), )$beta, tlcp(y ~ ., data.frame(x, y))$beta)
  inside <- function(x, y, nu) msplit(x, y, nu = nu)
  expect_equal(inside(x, y)$beta, fit$beta)
  expect_equal(inside(x, y, 3)$lambda, 3)
  folds <- rep_len(1:3, 20)
  expect_equal(cv_path(x, y, fit = function(f) msplit(f, nu = ), foldid = folds)$loss,
               cv_path(x, y, fit = msplit, foldid = folds)$loss)
})

test_that("no rows with no weights are an error in words", {
  expect_error(msplit(matrix(0, 0, 2), numeric(), weights = numeric()), "`weights` are all zero",
               class = "transelect_error")
})

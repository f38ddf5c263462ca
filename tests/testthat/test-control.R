# Settings in `control`: constructors, plain lists, errors about settings in the wrong place, and every way to a fit.

control_case <- function() {
  d <- list(x = with_seed(1, matrix(rnorm(45 * 4), 45, dimnames = list(NULL, letters[1:4]))),
            domain = rep(c("u", "v", "w"), 15))
  d$y <- with_seed(2, drop(d$x %*% c(1, -1, 0, .5)) + rnorm(45))
  d$class <- factor(ifelse(d$y > 0, "yes", "no"))
  d
}

# A fit of each method with a setting that changes it, directly or otherwise given.
control_fits <- function(d, controls) {
  quiet <- suppressMessages
  list(
    greedytl = quiet(greedytl(d$x, d$y, control = controls$greedytl)),
    tgreedy = quiet(tgreedy(d$x, d$y, d$domain, control = controls$tgreedy)),
    tlcp = quiet(tlcp(d$x, d$y, domain = d$domain, target = "u", control = controls$tlcp)),
    shareboost = quiet(shareboost(d$x, d$class, control = controls$shareboost)),
    msplit = quiet(msplit(d$x, d$y, control = controls$msplit))
  )
}

settings <- list(
  greedytl = list(ridge = c(10, 1)), tgreedy = list(update = "refit", stop = "none"),
  tlcp = list(units = "own", guard = FALSE), shareboost = list(margin = 0), msplit = list(t_ratio = 5)
)
controls <- list(
  greedytl = greedytl_control(ridge = c(10, 1)), tgreedy = tgreedy_control(update = "refit", stop = "none"),
  tlcp = tlcp_control(units = "own", guard = FALSE), shareboost = shareboost_control(margin = 0),
  msplit = msplit_control(t_ratio = 5)
)

test_that("a plain list is what the constructor makes of it, and changes the fit", {
  d <- control_case()
  made <- control_fits(d, controls)
  listed <- control_fits(d, settings)
  plain <- control_fits(d, lapply(settings, function(given) list()))
  for (name in names(made)) {
    expect_s3_class(controls[[name]], c(paste0(name, "_control"), "transfer_control"), exact = TRUE)
    expect_identical(listed[[name]]$beta, made[[name]]$beta, info = name)
    expect_identical(made[[name]]$settings$given$control, controls[[name]])
    expect_false(isTRUE(all.equal(plain[[name]]$beta, made[[name]]$beta)), info = name)
  }
})

test_that("a setting given directly says where it belongs, in every method and through cv_path() and refit()", {
  d <- control_case()
  expect_error(tlcp(d$x, d$y, units = "common"), class = "transelect_error_units",
               '`units` belongs to `control`: give `control = tlcp_control(units = "common")`', fixed = TRUE)
  expect_error(greedytl(d$x, d$y, tol = 1), "greedytl_control(tol = 1)", fixed = TRUE, class = "transelect_error_tol")
  expect_error(tgreedy(y ~ a, data.frame(d$x, y = d$y, g = d$domain), domain = g, stop = "cv"),
               'tgreedy_control(stop = "cv")', fixed = TRUE, class = "transelect_error_stop")
  expect_error(shareboost(d$x, d$class, margin = 0), "shareboost_control", class = "transelect_error_margin")
  expect_error(msplit(d$x, d$y, nt = 3), "msplit_control", class = "transelect_error_nt")
  expect_error(cv_path(d$x, d$y, fit = tlcp, units = "own"), "tlcp_control", class = "transelect_error_units")
  fit <- tlcp(d$x, d$y)
  expect_error(refit(fit, d$x, d$y, units = "own"), "tlcp_control", class = "transelect_error_units")
  expect_error(update(fit, units = "own"), "tlcp_control", class = "transelect_error_units")
})

test_that("settings of another method, typing errors and arguments of the fit are told apart", {
  d <- control_case()
  expect_error(tlcp(d$x, d$y, nt = 5), "setting of `msplit()`, not of `tlcp()`", fixed = TRUE,
               class = "transelect_error_nt")
  expect_error(tlcp_control(nt = 5), "setting of `msplit()`, not of `tlcp()`", fixed = TRUE,
               class = "transelect_error_nt")
  expect_error(shareboost(d$x, d$class, control = list(kappa = 5)), "msplit", class = "transelect_error_kappa")
  expect_error(tlcp_control(criterion = "BIC"), "argument of `tlcp()` itself", fixed = TRUE,
               class = "transelect_error_criterion")
  expect_error(tlcp_control(unit = "own"), "Did you mean `units`", class = "transelect_error_argument")
  expect_error(tlcp(d$x, d$y, control = list(unit = "own")), "Did you mean `units`",
               class = "transelect_error_argument")
  expect_error(tlcp(d$x, d$y, unit = "own"), "tlcp_control(units = )", fixed = TRUE,
               class = "transelect_error_argument")
  expect_error(tlcp(d$x, d$y, control = msplit_control()), "made by `msplit_control()`", fixed = TRUE,
               class = "transelect_error_control")
  for (wrong in list(list("own"), list(units = "own", units = "own"), tlcp_control, 5, NULL)) {
    expect_error(tlcp(d$x, d$y, control = wrong), class = "transelect_error_control")
  }
})

test_that("constructors check what has nothing to do with the data", {
  expect_error(tlcp_control(units = "mine"), class = "transelect_error_units")
  expect_error(tlcp_control(support = "all"), class = "transelect_error_support")
  expect_error(tlcp_control(sigma2 = -1), class = "transelect_error_sigma2")
  expect_error(tlcp_control(dispersion = "much"), class = "transelect_error_dispersion")
  expect_error(tlcp_control(drop = TRUE), class = "transelect_error_drop")
  expect_error(greedytl_control(ridge = 1:3), class = "transelect_error_ridge")
  expect_error(greedytl_control(source_sign = "minus"), class = "transelect_error_source_sign")
  expect_error(tgreedy_control(update = "refit", repeats = TRUE), class = "transelect_error_repeats")
  expect_error(tgreedy_control(alpha = 1), class = "transelect_error_alpha")
  expect_error(shareboost_control(margin = -1), class = "transelect_error_margin")
  expect_error(msplit_control(t_ratio = 1), class = "transelect_error_t_ratio")
  expect_error(msplit_control(alpha = 0), class = "transelect_error_alpha")
})

test_that("a control object is checked where it is changed, and printed in a line", {
  control <- tlcp_control(sigma2 = 2)
  expect_error(control$max_nodes <- 0, class = "transelect_error_max_nodes")
  expect_error(control[["unit"]] <- "own", class = "transelect_error_argument")
  control$units <- "own"
  control["sigma2"] <- list(NULL)
  expect_identical(control, tlcp_control(units = "own"))
  expect_output(print(control), 'Settings of tlcp(): units = "own"; the others are the defaults.', fixed = TRUE)
  expect_output(print(msplit_control()), "all are the defaults")
})

test_that("settings go through refit(), update(), cv_path(), selection_frequency() and calls without names", {
  d <- control_case()
  made <- control_fits(d, controls)
  half <- 1:30
  again <- suppressMessages(refit(made$tlcp, d$x[half, ], d$y[half], domain = d$domain[half]))
  same <- suppressMessages(tlcp(d$x[half, ], d$y[half], domain = d$domain[half], target = "u", control = controls$tlcp))
  expect_equal(again$beta, same$beta)
  expect_equal(refit(made$msplit, d$x, d$y, control = msplit_control())$beta, msplit(d$x, d$y)$beta)
  data <- data.frame(d$x, y = d$y)
  fit <- greedytl(y ~ ., data, control = greedytl_control(ridge = 1))
  expect_equal(update(fit, control = list(ridge = 4))$beta, greedytl(y ~ ., data, lambda = 4)$beta)
  fold <- rep_len(1:3, 45)
  direct <- cv_path(d$x, d$y, fit = msplit, control = msplit_control(t_ratio = 5), foldid = fold)
  own <- cv_path(d$x, d$y, fit = function(x, ...) msplit(x, control = list(t_ratio = 5), ...), foldid = fold)
  expect_equal(direct$cvm, own$cvm)
  # the call of a function without a name is that of the method
  expect_identical(own$fit$call$control, quote(msplit_control(t_ratio = 5)))
  expect_equal(update(own$fit)$beta, direct$fit$beta)
  done <- do.call(tlcp, list(quote(d$x), quote(d$y), control = tlcp_control(drop = "a")))
  expect_identical(done$call$control, quote(tlcp_control(drop = "a")))
  expect_false("a" %in% suppressMessages(update(done, criterion = 0))$selected)
  often <- with_seed(1, selection_frequency(d$x, d$y, fit = tlcp, control = list(drop = "a"), pairs = 4))
  expect_identical(as.data.frame(often)$frequency[as.data.frame(often)$term == "a"], 0)
})

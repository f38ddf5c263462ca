# Pictures are tested by the data behind them; drawing is tested to run and to tidy up.

# Four domains, six features; numbers, two classes or three.
domains_fit <- function(response = "numeric", ...) {
  case <- domains_rows(response)
  tgreedy(case$x, case$y, case$domain, ...)
}

domains_rows <- function(response = "numeric") {
  with_seed(8, {
    case <- simulate_domains(4, n = 20, p = 6, spread = .3)
    cuts <- switch(response, two = c(0, 1), three = c(-.8, .8))
    if (response == "two") case$y <- factor(case$y > 0, c(FALSE, TRUE), c("no", "yes"))
    if (response == "three") {
      case$y <- cut(case$y, c(-Inf, cuts, Inf), labels = c("low", "mid", "high"))
    }
    case
  })
}

rule_cv <- function(rule, response = "numeric", loss = NULL, ...) {
  case <- domains_rows(response)
  cv_path(case$x, case$y, domain = case$domain, fit = tgreedy, rule = rule, loss = loss, ...)
}

test_that("T data are the table of steps, with Bonferroni's line", {
  fit <- domains_fit()
  picture <- picture_of(plot(fit, "t"))
  picked <- fit$steps[fit$steps$step > 0, ]
  expect_true(anyDuplicated(picked$entered) > 0)
  points <- described_marks(picture, "point")
  expect_equal(points$x, seq_len(nrow(picked)))
  expect_identical(points$y, abs(picked$t))
  expect_identical(points$pch == 21, picked$t < 0)
  expect_identical(picture$panels[[1]]$x$labels, picked$entered)
  again <- duplicated(picked$entered)
  expect_identical(length(intersect(points$col[again], points$col[!again])), 0L)
  line <- function(alpha) described_marks(picture_of(plot(fit, "t", alpha = alpha)), "rule")$at
  for (alpha in c(.05, .5)) expect_equal(line(alpha), stats::qt(1 - alpha / 12, 3))
})

test_that("stop = \"bonferroni\" ends below the line", {
  case <- with_seed(3, simulate_domains(12, n = 30, p = 6, spread = .1))
  fit <- tgreedy(case$x, case$y, case$domain, rule = "t")
  picture <- picture_of(plot(fit, "t"))
  above <- cumprod(described_marks(picture, "point")$y >= described_marks(picture, "rule")$at)
  expect_identical(range(above), c(0, 1))
  stopped <- tgreedy(case$x, case$y, case$domain, rule = "t", control = tgreedy_control(stop = "bonferroni"))
  expect_equal(max(stopped$steps$step), sum(above))
})

test_that("long paths show every feature once", {
  fit <- domains_fit(rule = "t")
  picture <- picture_of(plot(fit, "t"))
  expect_gt(nrow(fit$steps), 41L)
  expect_identical(nrow(described_marks(picture, "point")), max(fit$steps$size))
  expect_identical(picture$panels[[1]]$x$labels, unique(fit$steps$entered[-1]))
  expect_match(picture$title, "first picked", fixed = TRUE)
})

test_that("the line is in the picture where there is room", {
  fit <- domains_fit(max_steps = 3)
  fit$steps$t[fit$steps$step > 0] <- c(-4, 3, NA, 1, 1)
  fit <- unsealed(fit)
  limits <- function(line) { # alpha whose line is there: of 6 features, with 3 degrees of freedom
    picture_of(plot(fit, "t", alpha = 12 * stats::pt(line, 3, lower.tail = FALSE)))$panels[[1]]$y$limits
  }
  expect_equal(limits(11), c(0, 1.06 * 11))
  expect_equal(limits(13), c(0, 1.06 * 4))
})

test_that("domain data are the losses of the last step of each size, with their mean", {
  fit <- domains_fit()
  picture <- picture_of(plot(fit, "domains", top_n = 1))
  lines <- lapply(picture$panels[[1]]$layers, `[[`, "data")
  last <- !duplicated(fit$steps$size, fromLast = TRUE)
  for (domain in fit$domains) {
    own <- lines[[1]][lines[[1]]$group == domain, ]
    expect_equal(own$x, fit$steps$size[last])
    expect_identical(own$y, unname(fit$domain_loss[last, domain]))
  }
  expect_equal(lines[[2]]$y, fit$steps$loss[last])
  expect_error(plot(fit, "domains", measure = "auroc"), "which this fit does not have",
               class = "transelect_error_measure")
  kept <- domains_fit("two", keep = 1)
  expect_error(plot(kept, "domains", measure = "auroc"), "need two classes, rows and no `keep`",
               class = "transelect_error_measure")
  far <- picture$panels[[1]]$ends$label[1]
  at_end <- fit$domain_loss[nrow(fit$domain_loss), ]
  expect_identical(far, names(which.max(abs(at_end - mean(at_end)))))
})

test_that("classes have areas, and one class of several is shown", {
  fit <- domains_fit("two")
  panel <- picture_of(plot(fit, "domains", measure = "auroc"))$panels[[1]]
  each <- panel$layers[[1]]$data
  expect_identical(each$y[each$x == 0], rep(.5, 4))
  expect_match(panel$y$label, "ROC")

  fit <- domains_fit("three")
  picture <- picture_of(plot(fit, "domains", class = "high"))
  each <- picture$panels[[1]]$layers[[1]]$data
  expect_identical(each$y[each$group == "d2"][1], fit$domain_loss$high[1, "d2"])
  expect_match(picture$title, "class high")
  expect_identical(picture_of(plot(fit, "t")), picture_of(plot(fit, "t", class = "low")))
})

test_that("every picture of every kind of fit is drawn", {
  draw(for (response in c("numeric", "two", "three")) {
    fit <- domains_fit(response)
    for (what in c("path", "t", "domains")) {
      expect_identical(plot(fit, what), fit)
      expect_invisible(plot(fit, what, label = FALSE))
    }
    if (response != "numeric") expect_identical(plot(fit, "domains", measure = "auroc"), fit)
  })
  fits <- list(
    none = domains_fit(max_steps = 0), long = domains_fit(rule = "greedy"),
    signed = domains_fit(rule = "t", control = tgreedy_control(signed = TRUE, repeats = FALSE))
  )
  draw(for (fit in fits) {
    for (what in c("t", "domains")) expect_warning(plot(fit, what), NA)
  })
})

test_that("bad arguments are named", {
  fit <- domains_fit()
  expect_error(plot(fit, "loo"), "domains", class = "transelect_error_what")
  expect_error(plot(fit, "t", alpha = 2), class = "transelect_error_alpha")
  expect_error(plot(fit, "t", class = "a"), class = "transelect_error_class")
  expect_error(plot(domains_fit("three"), "t", class = c("low", "mid")),
               class = "transelect_error_class")
  expect_error(plot(fit, "domains", measure = "mae"), class = "transelect_error_measure")
  expect_error(draw(plot(fit, "t", typo = 1)), "typo", class = "transelect_error_dots")
  case <- domains_rows()
  one <- tgreedy(case$x, case$y, rep("d", 80))
  expect_error(plot(one, "t"), "one domain", class = "transelect_error_what")
  expect_identical(draw(plot(one, "domains")), one)
})

test_that("par and random numbers are left alone", {
  fit <- domains_fit()
  cv <- rule_cv("gain")
  set.seed(1)
  before <- .Random.seed
  draw({
    graphics::par(mfrow = c(1, 3), mar = c(3, 3, 2, 1))
    plot(fit, "t")
    plot(fit, "domains")
    plot(compare_paths(cv))
    expect_identical(graphics::par("mar"), c(3, 3, 2, 1))
    expect_identical(graphics::par("mfg")[1:2], c(1L, 3L))
  })
  expect_identical(.Random.seed, before)
})

test_that("a comparison holds what each cross-validation says", {
  gain <- rule_cv("gain")
  t <- rule_cv("t")
  both <- compare_paths(gain = gain, paper = t)
  expect_s3_class(both, c("transfer_table", "path_comparison", "data.frame"), exact = TRUE)
  expect_named(both, c("rule", "step", "size", "held_in", "held_out", "se", "se_within", "difference", "difference_se",
                       "difference_corrected"))
  expect_identical(levels(both$rule), c("gain", "paper"))
  one <- both[both$rule == "paper", ]
  expect_identical(one$step, t$points$step)
  expect_identical(one$size, t$nzero)
  expect_identical(one$held_in, t$fit$steps$loss)
  expect_identical(one$held_out, t$cvm)
  expect_identical(one$se, t$cvsd)
  expect_identical(levels(compare_paths(gain, gain, t)$rule), c("gain", "gain.1", "t"))
})

test_that("areas are held in by their mean over domains, classes by the mean over classes", {
  cv <- rule_cv("gain", "two", "auroc")
  expect_equal(compare_paths(cv)$held_in, unname(rowMeans(cv$fit$domain_auroc)))
  cv <- rule_cv("gain", "two")
  expect_identical(compare_paths(cv)$held_in, rep(NA_real_, length(cv$cvm)))

  cv <- rule_cv("gain", "three", "mse")
  held <- compare_paths(cv)$held_in
  ends <- tapply(cv$fit$steps$loss, cv$fit$steps$class, function(loss) loss[length(loss)])
  expect_equal(held[length(held)], mean(ends))
  starts <- cv$fit$steps$loss[cv$fit$steps$step == 0]
  expect_equal(held[1], mean(starts))
  cv <- rule_cv("gain", "three", "auroc")
  held <- compare_paths(cv)$held_in
  ends <- vapply(cv$fit$domain_auroc, function(area) mean(area[nrow(area), ]), 0)
  expect_equal(held[length(held)], mean(ends))
})

test_that("any method can be compared, at its chosen lambda", {
  case <- domains_rows()
  run <- function(...) cv_path(case$x, case$y, foldid = rep_len(1:4, 80), ...)
  two <- run(rule = "paper", lambda = c(.1, 1), max_steps = 3)
  own <- compare_paths(greedytl = run(max_steps = 3), paper = two)
  expect_identical(nrow(own), 8L)
  chosen <- two$points$lambda == two$lambda
  expect_identical(own$held_out[own$rule == "paper"], two$cvm[chosen])
  expect_equal(own$held_in[own$rule == "paper"],
               two$fit$steps$loss[two$fit$steps$lambda == two$lambda])
})

test_that("comparisons of different things are refused", {
  gain <- rule_cv("gain")
  expect_error(compare_paths(), class = "transelect_error_dots")
  expect_error(compare_paths(gain, gain$fit), "tgreedy", class = "transelect_error_dots")
  expect_error(compare_paths(gain, rule_cv("t", loss = "mae")), "losses",
               class = "transelect_error_dots")
  other <- rule_cv("t", foldid = rep_len(1:4, 80))
  expect_error(compare_paths(gain, other), "folds", class = "transelect_error_dots")
  # without rows, as from moments, folds are told apart by name and size
  bare <- gain
  bare["foldid"] <- list(NULL)
  expect_identical(levels(compare_paths(rows = gain, moments = bare)$rule), c("rows", "moments"))
  bare$folds$rows[1] <- 19L
  expect_error(compare_paths(gain, bare), "folds", class = "transelect_error_dots")
})

test_that("comparison pictures take the last step of each size and the best held out", {
  both <- compare_paths(rule_cv("gain"), rule_cv("t"))
  shown <- function(made) { # held-out curves and the points on them
    picture <- picture_of(plot(made))
    lines <- described_marks(picture, "line")
    list(lines = lines[lines$lty == 1, ], best = described_marks(picture, "point"),
         limits = picture$panels[[1]]$y$limits)
  }
  drawn <- shown(both)
  expect_identical(anyDuplicated(drawn$lines[c("group", "x")]), 0L)
  gain <- both[both$rule == "gain", ]
  last <- !duplicated(gain$size, fromLast = TRUE)
  expect_identical(drawn$lines$y[drawn$lines$group == "gain"], gain$held_out[last])
  for (rule in c("gain", "t")) {
    expect_identical(drawn$best$y[drawn$best$group == rule], min(drawn$lines$y[drawn$lines$group == rule]))
  }
  expect_true(all(drawn$lines$y >= drawn$limits[1] & drawn$lines$y <= drawn$limits[2]))

  areas <- shown(compare_paths(rule_cv("gain", "two", "auroc"), rule_cv("t", "two", "auroc")))
  expect_identical(max(areas$best$y), max(areas$lines$y))
})

test_that("comparisons print and draw", {
  both <- compare_paths(rule_cv("gain"), rule_cv("t"))
  out <- capture.output(expect_identical(print(both), both))
  expect_match(out[1], "2 rules, 4 folds; mean squared error (smaller is better)", fixed = TRUE)
  expect_identical(sum(grepl("^ +(gain|t) ", out)), 2L)
  expect_length(capture.output(print(both, sizes = c(0, 3))), 11L)
  expect_output(print(both[1:2, 1:3]), "rule step size")
  four <- compare_paths(rule_cv("gain"), rule_cv("t"), rule_cv("modt"), rule_cv("greedy"))
  no_held_in <- compare_paths(rule_cv("gain", "two"))
  draw({
    expect_identical(plot(both), both)
    expect_identical(plot(both, label = FALSE, col = c("black", "grey"), main = "Mine"), both)
    plot(four)
    plot(no_held_in)
    plot(compare_paths(rule_cv("gain", max_steps = 0)))
    expect_error(plot(both, typo = 1), class = "transelect_error_dots")
  })
})

test_that("autoplot draws the same data", {
  skip_if_not_installed("ggplot2")
  fit <- domains_fit()
  points <- gg_marks(ggplot2::autoplot(fit, "t"), "GeomPoint")
  expect_equal(points$y[!is.na(points$y)], described_marks(picture_of(plot(fit, "t")), "point")$y)
  both <- compare_paths(rule_cv("gain"), rule_cv("t"))
  expect_same_lines <- function(drawn, described) {
    expect_equal(sort(gg_marks(drawn, "GeomLine")$y), sort(described_marks(described, "line")$y))
  }
  expect_same_lines(ggplot2::autoplot(fit, "domains"), picture_of(plot(fit, "domains")))
  expect_same_lines(ggplot2::autoplot(both), picture_of(plot(both)))
  four <- compare_paths(rule_cv("gain"), rule_cv("t"), rule_cv("modt"), rule_cv("greedy"))
  draw({
    for (fit in list(fit, domains_fit("three"), domains_fit(max_steps = 0))) {
      for (what in c("path", "t", "domains")) {
        for (label in c(TRUE, FALSE)) {
          picture <- ggplot2::autoplot(fit, what, label = label)
          # lines of one point, where nothing was picked, have a message
          expect_warning(suppressMessages(print(picture)), NA)
        }
      }
    }
    for (picture in list(both, four, compare_paths(rule_cv("gain", "two")))) {
      expect_warning(print(ggplot2::autoplot(picture)), NA)
    }
  })
  expect_error(ggplot2::autoplot(fit, "t", typo = 1), class = "transelect_error_argument")
})

test_that("a model of all features has points, and no line through sizes that it does not have", {
  fold <- rep_len(1:4, 32)
  small <- mtcars[c("mpg", "wt", "hp", "qsec", "drat")]
  run <- function(...) cv_path(mpg ~ ., data = small, fit = tlcp, foldid = fold, ...)
  picture <- picture_of(plot(compare_paths(some = run(), all = run(select = FALSE))))
  layers <- picture$panels[[1]]$layers
  of <- function(kind) Filter(function(layer) identical(layer$kind, kind), layers)
  groups <- function(layer) unique(as.character(layer$data$group))
  expect_false(any(vapply(c(of("line"), of("band")), function(layer) "all" %in% groups(layer), NA)))
  dots <- of("point")[[1]]$data
  expect_setequal(dots$x[dots$group == "all"], c(0, 4))
  expect_match(picture$title, "by number of features")
  expect_true(all(of("band")[[1]]$data$low >= picture$panels[[1]]$y$limits[1]))
})

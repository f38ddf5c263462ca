# Pictures are tested by the data behind them; drawing is tested to run and to tidy up.

tlcp_plot_fit <- function(n_domains = 3, p = 6, ...) {
  d <- draw_similar_domains(7, n_domains, p)
  if (n_domains == 1) return(tlcp(d$x, d$y, ...))
  tlcp(d$x, d$y, domain = d$domain, target = d$target, ...)
}

dissimilarity_case <- function(n_domains = 4, ...) {
  d <- draw_similar_domains(5, n_domains, 4, n = 25)
  dissimilarity(d$x, d$y, domain = d$domain, target = "b", draws = 0, ...)
}

# A search that has to stop: 60 columns, none of which matters, and one node.
early_fit <- function(sizes = TRUE) {
  x <- with_seed(2, named_columns(rnorm(80 * 60), 80, "x"))
  y <- with_seed(3, rnorm(80))
  suppressWarnings(tlcp(x, y, sizes = sizes, control = tlcp_control(max_nodes = 1)),
                   classes = "transelect_warning_incomplete")
}

test_that("the criterion is Cp where nothing is borrowed and a feature costs 2", {
  fit <- tlcp_plot_fit(1)
  data <- tlcp_plot_data(fit, "criterion")
  expect_identical(data$value, fit$steps$cp)
  expect_identical(attr(data, "label"), "Cp")
  expect_identical(attr(data, "best"), fit$steps$size[fit$best + 1])
  expect_true(all(data$proven))
  expect_null(attr(data, "bound"))
  expect_identical(data$low, data$value)
  expect_identical(tlcp_plot_criterion_title(fit), "Best subset of every size")

  bic <- tlcp_plot_fit(1, criterion = "BIC")
  data <- tlcp_plot_data(bic, "criterion")
  expect_identical(data$value, bic$steps$criterion)
  expect_identical(attr(data, "label"), "BIC")
  fixed <- tlcp_plot_data(tlcp_plot_fit(1, criterion = "Cp_BIC"), "criterion")
  expect_identical(attr(fixed, "label"), "Cp_BIC")
  fit <- tlcp_plot_fit(3)
  data <- tlcp_plot_data(fit, "criterion")
  expect_identical(data$value, fit$steps$criterion)
  expect_identical(which.min(data$value), which(data$size == attr(data, "best")))
  expect_match(tlcp_plot_criterion_title(fit), "target b")
})

test_that("a search that stopped shows its gap and its bound", {
  fit <- early_fit()
  data <- tlcp_plot_data(fit, "criterion")
  open <- fit$steps$complete %in% FALSE
  expect_identical(data$proven, !open)
  proof <- fit$certificate
  expect_false(proof$complete)
  bound <- attr(data, "bound")
  expect_equal(min(data$value) - bound, proof$gap)
  expect_true(all(data$low[open] < data$value[open]))
  expect_true(all(data$low >= bound))
  # the bound of each size is that of its own search or, if larger, the bound on all sizes
  own <- fit$steps$cp - fit$steps$gap
  expect_equal(data$low[open], pmax(own, bound)[open])
  limits <- tlcp_plot_criterion_limits(data)
  expect_lte(limits[1], bound)
  expect_identical(tlcp_plot_criterion_keys(data)$label[2:3],
                   c("not proven", "how much better a set might be"))

  one <- tlcp_plot_data(early_fit(sizes = FALSE), "criterion")
  expect_identical(nrow(one), 2L)
  expect_equal(one$low[2], attr(one, "bound"))
})

test_that("models far above the others are off the picture, which says so", {
  data <- data.frame(size = 0:5, value = c(130, 11, 1, 0, 2, 4), low = c(130, 11, 1, 0, 2, 4))
  attr(data, "best") <- 3
  limits <- tlcp_plot_criterion_limits(data)
  expect_equal(limits, c(-.04, 1.1) * 12)
  expect_identical(tlcp_plot_criterion_off_picture(data, limits), "off the picture: size 0 at 130")
  expect_identical(tlcp_plot_criterion_off_picture(data, c(0, 3)), "off the picture: sizes 0, 1, 5")
  expect_identical(tlcp_plot_criterion_off_picture(data, c(0, .5)), "off the picture: sizes 0, 1, 2, 4, 5")
  expect_identical(tlcp_plot_criterion_off_picture(data[1:3, ], c(0, .5)), "off the picture: sizes 0 to 2")
  expect_null(tlcp_plot_criterion_off_picture(data, c(0, 130)))
  flat <- structure(data[c(4, 4), ], best = 3)
  expect_lt(tlcp_plot_criterion_limits(flat)[1], tlcp_plot_criterion_limits(flat)[2])
})

test_that("models near the top are on the picture, also where the limits are far below", {
  shown <- function(first) {
    value <- c(first, 12, 1, 0, 2, 4)
    data <- structure(data.frame(size = 0:5, value = value, low = value), best = 3)
    limits <- tlcp_plot_criterion_limits(data)
    off <- data$value > limits[2]
    # points are neither in the margin nor cut at the edge
    expect_identical(any(off), !is.null(tlcp_plot_criterion_off_picture(data, limits)))
    expect_lt(max(value[!off]), limits[2] - .08 * diff(limits))
    if (any(off)) expect_gt(min(value[off]), limits[2] + .03 * diff(limits))
    !off[1]
  }
  expect_identical(vapply(c(12.5, 13.1, 13.3, 14, 20, 130), shown, NA),
                   c(TRUE, TRUE, TRUE, FALSE, FALSE, FALSE))
})

test_that("both pictures of the criterion show the same and say what they do not", {
  with_seed(1, {
    x <- matrix(rnorm(4000), 100, dimnames = list(NULL, paste0("x", 1:40)))
    noise <- rnorm(100)
  })
  fits <- list(
    near = tlcp(x, x[, 1] + x[, 2] + noise, sizes = TRUE),
    far = tlcp(x, 5 * x[, 1] + 3 * x[, 2] + noise, sizes = TRUE), stopped = early_fit()
  )
  said <- lapply(fits, function(fit) {
    data <- tlcp_plot_data(fit, "criterion")
    limits <- tlcp_plot_criterion_limits(data)
    draw({
      plot(fit)
      expect_equal(graphics::par("usr")[3:4], limits)
    })
    if (rlang::is_installed("ggplot2")) {
      drawn <- ggplot2::autoplot(fit)
      panel <- ggplot2::ggplot_build(drawn)$layout$panel_params[[1]]
      expect_equal(panel$y.range, limits)
      expect_identical(drawn$labels$subtitle, tlcp_plot_criterion_off_picture(data, limits))
    }
    tlcp_plot_criterion_off_picture(data, limits)
  })
  expect_identical(said, list(near = NULL, far = "off the picture: sizes 0, 1", stopped = NULL))
})

test_that("cutoff and unselected models are not called the best of their size", {
  cutoff <- tlcp_plot_fit(1, method = "cutoff")
  data <- tlcp_plot_data(cutoff, "criterion")
  expect_false(any(data$proven))
  expect_match(attr(data, "title"), "Nested models")
  expect_identical(tlcp_plot_criterion_keys(data)$label, "chosen")
  all <- tlcp_plot_data(tlcp_plot_fit(3, select = FALSE), "criterion")
  expect_identical(all$size, c(0L, 6L))
  expect_match(attr(all, "title"), "against none")
})

test_that("the path is that of every fit, by size", {
  fit <- tlcp_plot_fit(3)
  data <- tlcp_plot_data(fit, "path")
  plain <- path_plot_data(fit, "path")
  expect_identical(data$estimate, plain$estimate)
  expect_identical(attr(data, "xlab"), paste0("features (dotted: the chosen, ", fit$best, ")"))
  kept <- tlcp_plot_fit(3, keep = 1:3)
  expect_match(attr(tlcp_plot_data(kept, "path"), "xlab"), "^step")
})

test_that("what was borrowed is the table of the fit, times the scale of the columns", {
  for (fit in list(tlcp_plot_fit(3), tlcp_plot_fit(2, borrow = "plugin", control = tlcp_control(guard = FALSE)))) {
    table <- fit$borrowed
    for (scaled in c(TRUE, FALSE)) {
      data <- tlcp_plot_data(fit, "borrowed", scaled)
      unit <- if (scaled) fit$scale[table$term] else 1
      own <- data[data$kind == "own", ]
      expect_equal(own$estimate, unname(table$target_only * unit))
      expect_equal(data$estimate[data$kind == "borrowed"], unname(table$borrowed * unit))
      expect_equal(data$estimate[data$domain %in% "a"], unname(table$a * unit))
      expect_identical(attr(data, "others"), setdiff(names(fit$models), "b"))
      order <- order(-abs(table$borrowed * unit))
      expect_identical(attr(data, "terms"), table$term[order])
      expect_identical(attr(data, "weight"), table$weight[order])
      expect_true(all(is.finite(attr(data, "limits"))))
    }
  }
})

test_that("a domain far from the others does not rule the picture", {
  data <- data.frame(estimate = c(1, .5, -.2, 40), kind = c("own", "borrowed", "other", "other"))
  expect_equal(tlcp_plot_borrowed_limits(data), c(-.2, 1.75))
  expect_identical(tlcp_plot_borrowed_limits(data[0, ]), c(-1, 1))
  data$estimate <- c(0, 0, -3, 2)
  expect_identical(tlcp_plot_borrowed_limits(data), c(-3, 2))
})

test_that("domains may bear the names of columns", {
  d <- draw_similar_domains(7, 3, 5)
  domain <- c(b = "term", a = "weight", c = "borrowed")[d$domain]
  fit <- tlcp(d$x, d$y, domain = domain, target = "term", control = tlcp_control(guard = FALSE))
  plain <- tlcp(d$x, d$y, domain = c(b = "1", a = "3", c = "2")[d$domain], target = "1",
                control = tlcp_control(guard = FALSE))
  data <- tlcp_plot_data(fit, "borrowed")
  expect_identical(attr(data, "others"), c("borrowed", "weight"))
  expect_identical(data$estimate, tlcp_plot_data(plain, "borrowed")$estimate)
})

test_that("fits that borrowed nothing have no such picture", {
  fits <- list(
    one = tlcp_plot_fit(1), cutoff = tlcp_plot_fit(2, method = "cutoff"),
    none = tlcp_plot_fit(3, borrow = "none"), aggregate = tlcp_plot_fit(3, borrow = "aggregate")
  )
  for (fit in fits) {
    expect_error(draw(plot(fit, "borrowed")), "no table", class = "transelect_error_what")
  }
})

test_that("bad arguments are named", {
  fit <- tlcp_plot_fit(2)
  expect_error(plot(fit, "loo"), "criterion", class = "transelect_error_what")
  expect_error(plot(fit, c("path", "borrowed")), class = "transelect_error_what")
  expect_error(plot(fit, "path", scaled = NA), class = "transelect_error_scaled")
  expect_error(plot(fit, "path", top_n = -1), class = "transelect_error_top_n")
  expect_error(plot(fit, typo = 1), "typo", class = "transelect_error_dots")
  table <- dissimilarity_case()
  expect_s3_class(table[1:3], "data.frame", exact = TRUE)
  expect_error(plot(table[0, ]), "no rows", class = "transelect_error_x")
  expect_error(plot(table, typo = 1), class = "transelect_error_dots")
})

test_that("every picture of every kind of fit is drawn, large and small", {
  fits <- list(
    one = tlcp_plot_fit(1), two = tlcp_plot_fit(2), six = tlcp_plot_fit(6), early = early_fit(),
    chosen = tlcp_plot_fit(3, sizes = FALSE), all = tlcp_plot_fit(3, select = FALSE),
    shared = tlcp_plot_fit(3,
                           control = tlcp_control(support = "shared")), cutoff = tlcp_plot_fit(2, method = "cutoff"),
    none = tlcp_plot_fit(3, criterion = 1e6)
  )
  for (side in c(4, 7)) {
    draw(for (fit in fits) {
      expect_warning(expect_identical(plot(fit), fit), NA)
      expect_warning(plot(fit, "path", label = FALSE), NA)
      if (!is.null(fit$borrowed)) expect_warning(plot(fit, "borrowed", main = "Mine"), NA)
    }, side, side)
  }
  expect_identical(fits$none$selected, character(0))
})

test_that("many features: the largest that can be read are shown", {
  fit <- tlcp_plot_fit(2, p = 30, select = FALSE)
  expect_identical(tlcp_plot_borrowed(tlcp_plot_borrowed_data(fit, TRUE, NULL))$panels[[1]]$y$cut, "the largest")
  expect_identical(draw(plot(fit, "borrowed"), 4, 3), fit)
})

test_that("dissimilarity data are the table, the errors relative to own", {
  table <- dissimilarity_case()
  data <- dissimilarity_plot_data(table)
  value <- function(kind) data$value[data$kind == kind]
  joint <- attr(table, "joint")
  expect_identical(value("lr"), c(table$log_bf, joint$log_bf))
  expect_equal(value("pooled"), table$pooled / table$own)
  expect_equal(value("borrowed"), c(table$borrowed, joint$borrowed) / table$own[1])
  lines <- log(c(own = 1, shrunk = table$shrunk[1] / table$own[1]))
  expect_equal(dissimilarity_plot_target_alone(data), lines)
  limits <- dissimilarity_plot_loo_limits(data)
  expect_true(all(lines > limits[1] & lines < limits[2]))
  expect_identical(attr(data, "domains"), c("a", "c", "d", "all together"))
  expect_identical(data$similar, data$domain == "all together" & joint$lr > 1.35 |
                     data$domain %in% table$domain[table$evidence == "for"])
  sorted <- sort(table, by = "lr", decreasing = TRUE)
  expect_identical(attr(dissimilarity_plot_data(sorted), "domains"), c(sorted$domain, "all together"))
  # with one other domain there is no row of all domains together
  expect_identical(attr(dissimilarity_plot_data(dissimilarity_case(2)), "domains"), "a")
})

test_that("likelihood ratios are drawn at their roots, all together at the edge if far off", {
  data <- data.frame(panel = "lr", domain = c("a", "b", "all together"), value = c(4, 1, 400))
  expect_equal(dissimilarity_plot_lr_limit(data), 3)
  data$value[3] <- 5
  expect_equal(dissimilarity_plot_lr_limit(data), sqrt(5))
  expect_equal(dissimilarity_plot_lr_place(c(-4, 0, 9)), c(-2, 0, 3))
  for (top in c(2, 30, 700)) {
    for (low in c(0, -1, -top)) {
      ticks <- dissimilarity_plot_lr_ticks(dissimilarity_plot_lr_place(c(low, top)))
      expect_true(0 %in% ticks)
      expect_gte(length(ticks), 3)
      expect_lte(length(ticks), 7)
      expect_true(low > -top || any(ticks < 0)) # the axis has numbers on both sides of 0
    }
  }
  expect_true(all(exp(dissimilarity_plot_loo_ticks(log(c(.9, 1.1)), TRUE)) > .8))
  expect_true(1 %in% exp(dissimilarity_plot_loo_ticks(log(c(.1, 20)), TRUE)))
})

test_that("without errors, or without those of the target alone, there is what there is", {
  d <- draw_similar_domains(5, 3, 4, n = 25)
  sums <- moments(d$x, d$y, domain = d$domain)
  table <- dissimilarity(sums, target = "b", draws = 0)
  expect_identical(unique(dissimilarity_plot_data(table)$panel), "lr")
  expect_false(any(grepl("own|shrunk", dissimilarity_plot_keys(dissimilarity_plot_data(table), 1:2)$label)))
  few <- which(d$domain != "b" | cumsum(d$domain == "b") <= 4)
  small <- dissimilarity(d$x[few, ], d$y[few], domain = d$domain[few], target = "b", draws = 0)
  data <- dissimilarity_plot_data(small)
  expect_false(attr(data, "relative"))
  expect_equal(data$value[data$kind == "borrowed"][1:2], small$borrowed)
  expect_equal(dissimilarity_plot_target_alone(data), c(shrunk = small$shrunk[1]))
  draw(for (one in list(table, small, dissimilarity_case(2), dissimilarity_case(6))) {
    expect_warning(expect_identical(plot(one), one), NA)
    expect_warning(plot(one, main = "Mine", col = c("black", "grey"), cex.axis = .6), NA)
  }, 4, 4)
})

test_that("par and random numbers are left alone", {
  fit <- tlcp_plot_fit(3)
  table <- dissimilarity_case()
  set.seed(1)
  before <- .Random.seed
  draw({
    graphics::par(mfrow = c(2, 2), mar = c(3, 3, 2, 1))
    for (what in c("criterion", "path", "borrowed")) plot(fit, what)
    plot(table)
    expect_identical(graphics::par("mar"), c(3, 3, 2, 1))
    expect_identical(graphics::par("mfg")[1:2], c(2L, 2L))
  })
  expect_identical(.Random.seed, before)
})

test_that("autoplot draws the same data", {
  skip_if_not_installed("ggplot2")
  fit <- tlcp_plot_fit(3)
  data <- tlcp_plot_data(fit, "criterion")
  points <- gg_marks(ggplot2::autoplot(fit), "GeomPoint")
  expect_equal(points$y[!is.na(points$y)], data$value)
  data <- tlcp_plot_data(fit, "borrowed")
  points <- gg_marks(ggplot2::autoplot(fit, "borrowed"), "GeomPoint")
  limits <- attr(data, "limits")
  inside <- data$estimate >= limits[1] & data$estimate <= limits[2]
  expect_equal(sort(points$x), sort(data$estimate[inside | data$kind != "other"]))
  table <- dissimilarity_case()
  points <- gg_marks(ggplot2::autoplot(table), "GeomPoint")
  expect_equal(sum(points$x > 4, na.rm = TRUE), 7L) # of the panel at the right
  fits <- list(
    fit, tlcp_plot_fit(1), tlcp_plot_fit(6), early_fit(), tlcp_plot_fit(3, sizes = FALSE),
    tlcp_plot_fit(2, method = "cutoff"), tlcp_plot_fit(3, criterion = 1e6)
  )
  draw({
    for (fit in fits) {
      for (what in c("criterion", "path", if (!is.null(fit$borrowed)) "borrowed")) {
        # lines of one point, where nothing was picked, have a message
        expect_warning(suppressMessages(print(ggplot2::autoplot(fit, what))), NA)
      }
    }
    for (one in list(table, table[1:2, ], dissimilarity_case(2))) {
      expect_warning(print(ggplot2::autoplot(one)), NA)
    }
  })
  expect_error(ggplot2::autoplot(fits[[1]], "borrowed", typo = 1), class = "transelect_error_argument")
  expect_error(ggplot2::autoplot(fits[[2]], "borrowed"), class = "transelect_error_what")
  expect_error(ggplot2::autoplot(table, typo = 1), class = "transelect_error_argument")
})

test_that("steps of groups are joined by a line, and colours of a map have a unit", {
  fit <- tlcp(mpg ~ factor(gear) + factor(carb) + wt, mtcars)
  lines <- function(fit) {
    layers <- tlcp_plot_criterion(tlcp_plot_criterion_data(fit))$panels[[1]]$layers
    unlist(lapply(Filter(function(layer) layer$kind == "line", layers), function(layer) layer$data$x))
  }
  expect_equal(lines(fit), sort(fit$steps$size))
  kept <- tlcp(mpg ~ wt + hp + qsec + drat, mtcars, keep = c("wt", "hp", "qsec"))
  expect_equal(lines(kept), 3:4)
  expect_length(lines(tlcp(mpg ~ wt + hp, mtcars, select = FALSE)), 0)
  data <- data.frame(row = c("a", "b"), class = "u", weight = c(1, -1))
  map <- picture_map(data, c("a", "b"), "u", c("class", "source"), "", NULL, "weight x scale")
  expect_identical(map$panels[[1]]$layers[[1]]$data$unit, rep("weight x scale", 2))
})

test_that("of many domains the extremes are named, and what is borrowed lies above the points of others", {
  d <- with_seed(4, {
    x <- matrix(rnorm(34 * 12 * 2), ncol = 2, dimnames = list(NULL, c("u", "v")))
    list(x = x, y = x[, 1] + rnorm(nrow(x)), domain = rep(paste0("d", 1:34), each = 12))
  })
  table <- suppressMessages(dissimilarity(d$x, d$y, domain = d$domain, target = d$domain[1], draws = 0))
  data <- dissimilarity_plot_data(table)
  rows <- attr(data, "domains")
  expect_length(rows, 2 * 12 + 2)
  bf <- stats::setNames(table$log_bf, table$domain)
  expect_identical(rows[c(1:12, 14:25)], names(sort(bf, decreasing = TRUE))[c(1:12, nrow(table) - 11:0)])
  between <- sort(data$value[data$panel == "lr" & data$domain == rows[13]])
  expect_equal(between, unname(sort(bf[setdiff(names(bf), rows)])))
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = d$domain[1], select = FALSE))
  layers <- tlcp_plot_borrowed(tlcp_plot_borrowed_data(fit, TRUE))$panels[[1]]$layers
  points <- which(vapply(layers, function(layer) layer$kind == "point", NA))
  expect_length(points, 3)
  expect_gt(nrow(layers[[points[1]]]$data), nrow(layers[[points[2]]]$data))
})

test_that("without a search the picture is of coefficients, not of subsets", {
  aq <- na.omit(airquality)
  fit <- suppressMessages(tlcp(Ozone ~ Wind + Temp, aq, domain = Month, target = "5", select = FALSE))
  expect_identical(tlcp_plot_picture(fit, c("criterion", "path", "borrowed", "intervals"), TRUE, 10, TRUE),
                   tlcp_plot_picture(fit, "borrowed", TRUE, 10, TRUE))
})

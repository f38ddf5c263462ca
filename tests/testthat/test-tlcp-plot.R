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

# The picture of the criterion of a fit whose models have these values of it, by size.
criterion_picture <- function(value, best) {
  fit <- tlcp_plot_fit(1, p = length(value) - 1, criterion = "HQ")
  fit$steps$criterion <- value
  fit$best <- best
  picture_of(plot(fit))
}

test_that("the criterion is Cp where nothing is borrowed and a feature costs 2", {
  fit <- tlcp_plot_fit(1)
  picture <- picture_of(plot(fit))
  points <- described_marks(picture, "point")
  expect_identical(points$y, fit$steps$cp)
  expect_identical(picture$panels[[1]]$y$label, "Cp")
  expect_identical(described_marks(picture, "rule")$at, fit$steps$size[fit$best + 1])
  expect_true(all(points$pch == 19)) # proven
  expect_null(described_marks(picture, "segment"))
  expect_identical(picture$title, "Best subset of every size")

  bic <- tlcp_plot_fit(1, criterion = "BIC")
  picture <- picture_of(plot(bic))
  expect_identical(described_marks(picture, "point")$y, bic$steps$criterion)
  expect_identical(picture$panels[[1]]$y$label, "BIC")
  expect_identical(picture_of(plot(tlcp_plot_fit(1, criterion = "Cp_BIC")))$panels[[1]]$y$label, "Cp_BIC")
  fit <- tlcp_plot_fit(3)
  picture <- picture_of(plot(fit))
  points <- described_marks(picture, "point")
  expect_identical(points$y, fit$steps$criterion)
  expect_equal(points$x[which.min(points$y)], described_marks(picture, "rule")$at)
  expect_match(picture$title, "target b")
})

test_that("a search that stopped shows its gap and its bound", {
  fit <- early_fit()
  picture <- picture_of(plot(fit))
  points <- described_marks(picture, "point")
  open <- fit$steps$complete %in% FALSE
  expect_identical(points$pch == 21, open)
  proof <- fit$certificate
  expect_false(proof$complete)
  rules <- described_marks(picture, "rule")
  bound <- rules$at[rules$side == "y"]
  expect_equal(min(points$y) - bound, proof$gap)
  bars <- described_marks(picture, "segment")
  expect_equal(bars$yend, fit$steps$cp[open])
  # the bound of each size is that of its own search or, if larger, the bound on all sizes
  own <- fit$steps$cp - fit$steps$gap
  expect_equal(bars$y, pmax(own, bound)[open])
  expect_true(all(bars$y >= bound & bars$y < bars$yend))
  expect_lte(picture$panels[[1]]$y$limits[1], bound)
  expect_identical(picture$keys$label[2:3], c("not proven", "how much better a subset might be"))

  one <- early_fit(sizes = FALSE)
  picture <- picture_of(plot(one))
  expect_identical(nrow(described_marks(picture, "point")), 2L)
  expect_equal(described_marks(picture, "segment")$y, one$steps$cp[2] - one$certificate$gap)
})

test_that("models far above the others are off the picture, which says so", {
  picture <- criterion_picture(c(130, 11, 1, 0, 2, 4), 3)
  expect_equal(picture$panels[[1]]$y$limits, c(-.04, 1.1) * 12)
  expect_identical(picture$note, "off the picture: size 0 at 130")
  rest <- c(1, 0, 2, 4, 3, 4, 3, 4, 3, 4)
  expect_identical(criterion_picture(c(130, 120, 11, rest), 4)$note, "off the picture: sizes 0, 1")
  expect_identical(criterion_picture(c(130, 120, 110, rest), 4)$note, "off the picture: sizes 0 to 2")
  expect_null(criterion_picture(c(12, 11, 1, 0, 2, 4), 3)$note)
  flat <- criterion_picture(rep(1, 4), 0)$panels[[1]]$y$limits
  expect_lt(flat[1], flat[2])
})

test_that("models near the top are on the picture, also where the limits are far below", {
  shown <- function(first) {
    value <- c(first, 12, 1, 0, 2, 4)
    picture <- criterion_picture(value, 3)
    limits <- picture$panels[[1]]$y$limits
    off <- value > limits[2]
    # points are neither in the margin nor cut at the edge
    expect_identical(any(off), !is.null(picture$note))
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
    picture <- picture_of(plot(fit))
    limits <- picture$panels[[1]]$y$limits
    draw({
      plot(fit)
      expect_equal(graphics::par("usr")[3:4], limits)
    })
    if (rlang::is_installed("ggplot2")) {
      drawn <- ggplot2::autoplot(fit)
      panel <- ggplot2::ggplot_build(drawn)$layout$panel_params[[1]]
      expect_equal(panel$y.range, limits)
      expect_identical(drawn$labels$subtitle, picture$note)
    }
    picture$note
  })
  expect_identical(said, list(near = NULL, far = "off the picture: sizes 0, 1", stopped = NULL))
})

test_that("cutoff and unselected models are not called the best of their size", {
  picture <- picture_of(plot(tlcp_plot_fit(1, method = "cutoff")))
  points <- described_marks(picture, "point")
  expect_identical(sum(points$pch == 19), 1L) # the chosen
  expect_match(picture$title, "Nested models")
  expect_identical(picture$keys$label, "chosen")
  all <- picture_of(plot(tlcp_plot_fit(3, select = FALSE), "criterion"))
  expect_equal(described_marks(all, "point")$x, c(0, 6))
  expect_match(all$title, "against none")
})

test_that("the path is that of every fit, by size", {
  fit <- tlcp_plot_fit(3)
  picture <- picture_of(plot(fit, "path"))
  lines <- described_marks(picture, "line")
  for (step in unique(lines$x)) {
    own <- lines[lines$x == step, ]
    expect_equal(own$y, unname((coef(fit, step = step)[-1] * fit$scale)[own$group]))
  }
  expect_identical(picture$panels[[1]]$x$label, paste0("features (dotted: the chosen, ", fit$best, ")"))
  kept <- tlcp_plot_fit(3, keep = 1:3)
  expect_match(picture_of(plot(kept, "path"))$panels[[1]]$x$label, "^step")
})

# Points of the picture of what was borrowed: `pch` 21 for the target alone, 19 for what was borrowed, 20 for others.
borrowed_points <- function(picture, pch) {
  panel <- picture$panels[[1]]
  layers <- Filter(function(layer) layer$kind == "point" && all(layer$data$pch == pch), panel$layers)
  points <- layers[[1]]$data
  points$term <- panel$y$labels[match(points$y, panel$y$at)]
  points
}

test_that("what was borrowed is the table of the fit, times the scale of the columns", {
  for (fit in list(tlcp_plot_fit(3), tlcp_plot_fit(2, borrow = "plugin", control = tlcp_control(guard = FALSE)))) {
    table <- summary(fit)$borrowed
    percent <- function(share) paste(round(100 * share), "%")
    for (scaled in c(TRUE, FALSE)) {
      picture <- picture_of(plot(fit, "borrowed", scaled = scaled))
      unit <- if (scaled) fit$scale[table$term] else 1
      order <- order(-abs(table$borrowed * unit))
      panel <- picture$panels[[1]]
      expect_identical(panel$y$labels, table$term[order])
      of <- function(pch) borrowed_points(picture, pch)
      expect_equal(of(21)$x, unname(table$target_only * unit)[match(of(21)$term, table$term)])
      expect_equal(of(19)$x, unname(table$borrowed * unit)[match(of(19)$term, table$term)])
      others <- of(20)
      expect_setequal(others$group, setdiff(names(fit$models), "b"))
      one <- others[others$group == "a", ]
      expect_equal(one$x, unname(table$a * unit)[match(one$term, table$term)])
      expect_identical(panel$right$label, paste0(percent(table$weight), " / ", percent(table$shrinkage))[order])
      expect_true(all(is.finite(panel$x$limits)))
    }
  }
})

test_that("a domain far from the others does not rule the picture", {
  fit <- tlcp_plot_fit(2)
  limits <- function(own, borrowed, other) {
    table <- fit$borrowed[1:2, ]
    table[c("target_only", "a", "borrowed")] <- list(own, other, borrowed)
    fit$borrowed <- table
    picture_of(plot(unsealed(fit), "borrowed", scaled = FALSE))$panels[[1]]$x$limits
  }
  expect_equal(limits(c(1, .5), c(.5, .2), c(-.2, 40)), c(-.2, 1.75) + c(-1, 1) * .07 * 1.95)
  expect_equal(limits(c(0, 0), c(0, 0), c(-3, 2)), c(-3, 2) + c(-1, 1) * .03 * 5)
  expect_equal(limits(c(0, 0), c(0, 0), c(0, 0)), c(-1, 1) * 1.06)
})

test_that("domains may bear the names of columns", {
  d <- draw_similar_domains(7, 3, 5)
  shown <- function(names, target) {
    fit <- tlcp(d$x, d$y, domain = names[d$domain], target = target, control = tlcp_control(guard = FALSE))
    picture_of(plot(fit, "borrowed"))
  }
  named <- shown(c(b = "term", a = "weight", c = "borrowed"), "term")
  plain <- shown(c(b = "1", a = "3", c = "2"), "1")
  expect_setequal(borrowed_points(named, 20)$group, c("borrowed", "weight"))
  for (pch in 19:21) expect_identical(borrowed_points(named, pch)$x, borrowed_points(plain, pch)$x)
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
  expect_s3_class(table[0, ], "data.frame", exact = TRUE)
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
  expect_identical(picture_of(plot(fit, "borrowed"))$panels[[1]]$y$cut, "the largest")
  expect_identical(draw(plot(fit, "borrowed"), 4, 3), fit)
})

test_that("the picture of dissimilarity is its table, the errors relative to own", {
  table <- dissimilarity_case()
  picture <- picture_of(plot(table))
  joint <- attr(table, "joint")
  place <- function(log_bf) sign(log_bf) * sqrt(abs(log_bf))
  factors <- described_marks(picture, "point", 1)
  expect_equal(factors$x, place(c(table$log_bf, joint$log_bf)))
  errors <- described_marks(picture, "point", 2)
  expect_equal(errors$x[errors$pch == 21], log(table$pooled / table$own))
  expect_equal(errors$x[errors$pch == 19], log(c(table$borrowed, joint$borrowed) / table$own[1]))
  upright <- function(panel) {
    rules <- described_marks(picture, "rule", panel)
    rules$at[rules$side == "x"]
  }
  expect_equal(upright(1), sqrt(1.35))
  expect_equal(upright(2), log(c(1, table$shrunk[1] / table$own[1])))
  limits <- picture$panels[[2]]$x$limits
  expect_true(all(upright(2) > limits[1] & upright(2) < limits[2]))
  rows <- function(table) picture_of(plot(table))$panels[[1]]$y$labels
  expect_identical(rows(table), c("a", "c", "d", "all together"))
  for_it <- picture$keys$col[picture$keys$label == "evidence for related coefficients"]
  expect_identical(factors$col %in% for_it, c(table$evidence == "for", joint$evidence == "for"))
  # with points of one colour the kinds of points have that colour in the legend
  table <- table_with(table, evidence = "none")
  attr(table, "joint")$evidence <- "open"
  keys <- picture_of(plot(table, col = c("black", "red")))$keys
  expect_setequal(keys$col[keys$label %in% c("no evidence for related coefficients", "borrowed", "pooled")], "red")
  table <- dissimilarity_case()
  sorted <- sort(table, by = "lr", decreasing = TRUE)
  expect_identical(rows(sorted), c(sorted$domain, "all together"))
  # with one other domain there is no row of all domains together
  expect_identical(rows(dissimilarity_case(2)), "a")
})

test_that("Bayes factors are drawn at their roots, all together at the edge if far off", {
  table <- dissimilarity_case(3)
  drawn <- function(log_bf, joint) {
    table <- table_with(table, log_bf = log_bf)
    attr(table, "joint")$log_bf <- joint
    picture_of(plot(table))
  }
  far <- drawn(c(4, 1), 400)
  expect_equal(far$panels[[1]]$x$limits, c(0, 3) + c(-.04, .06) * 3)
  expect_equal(described_marks(far, "point", 1)$x, c(2, 1))
  expect_true("400 >" %in% described_marks(far, "text", 1)$label)
  near <- drawn(c(4, -4), 5)
  expect_equal(near$panels[[1]]$x$limits, c(-2, sqrt(5)) + c(-.04, .06) * (2 + sqrt(5)))
  expect_equal(described_marks(near, "point", 1)$x, c(2, -2, sqrt(5)))
  for (top in c(2, 30, 700)) {
    for (low in c(0, -1, -top)) {
      axis <- drawn(c(low, top), 0)$panels[[1]]$x
      expect_true("0" %in% axis$labels)
      expect_gte(length(axis$at), 3)
      expect_lte(length(axis$at), 7)
      expect_true(low > -top || any(axis$at < 0)) # the axis has numbers on both sides of 0
    }
  }
  ticks <- function(errors) {
    table <- table_with(table, own = 1, shrunk = 1, pooled = errors, borrowed = 1)
    attr(table, "joint")$borrowed <- 1
    as.numeric(picture_of(plot(table))$panels[[2]]$x$labels)
  }
  expect_true(all(ticks(c(.9, 1.1)) > .8))
  expect_true(1 %in% ticks(c(.1, 20)))
})

test_that("without errors, or without those of the target alone, there is what there is", {
  d <- draw_similar_domains(5, 3, 4, n = 25)
  sums <- moments(d$x, d$y, domain = d$domain)
  table <- dissimilarity(sums, target = "b", draws = 0)
  picture <- picture_of(plot(table))
  expect_length(picture$panels, 1)
  expect_false(any(grepl("own|shrunk", picture$keys$label)))
  few <- which(d$domain != "b" | cumsum(d$domain == "b") <= 4)
  small <- dissimilarity(d$x[few, ], d$y[few], domain = d$domain[few], target = "b", draws = 0)
  picture <- picture_of(plot(small))
  expect_no_match(picture$panels[[2]]$x$label, "own")
  points <- described_marks(picture, "point", 2)
  expect_equal(points$x[points$pch == 19][1:2], small$borrowed)
  rules <- described_marks(picture, "rule", 2)
  expect_equal(rules$at[rules$side == "x"], small$shrunk[1])
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
  for (what in c("criterion", "borrowed")) {
    points <- gg_marks(ggplot2::autoplot(fit, what), "GeomPoint")
    drawn <- points[!is.na(points$y), ]
    described <- described_marks(picture_of(plot(fit, what)), "point")
    expect_equal(drawn[order(drawn$x, drawn$y), c("x", "y")], described[order(described$x, described$y), c("x", "y")],
                 ignore_attr = TRUE)
  }
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
    for (one in list(table, dissimilarity_case(2))) {
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
    described_marks(picture_of(plot(fit, "criterion")), "line")$x
  }
  expect_equal(lines(fit), sort(fit$steps$size))
  kept <- tlcp(mpg ~ wt + hp + qsec + drat, mtcars, keep = c("wt", "hp", "qsec"))
  expect_equal(lines(kept), 3:4)
  expect_length(lines(tlcp(mpg ~ wt + hp, mtcars, select = FALSE)), 0)
  # the title of the colour scale
  case <- draw_case(11, n = 24, p = 6, s = 4)
  sources <- greedytl(case$x, factor(rep_len(c("a", "b", "c"), 24)), sources = case$h)
  expect_identical(unique(described_marks(picture_of(plot(sources, "sources")), "tile")$unit), "standardised weight")
})

test_that("of many domains the extremes are named, and what is borrowed lies above the points of others", {
  d <- with_seed(4, {
    x <- matrix(rnorm(34 * 12 * 2), ncol = 2, dimnames = list(NULL, c("u", "v")))
    list(x = x, y = x[, 1] + rnorm(nrow(x)), domain = rep(paste0("d", 1:34), each = 12))
  })
  table <- suppressMessages(dissimilarity(d$x, d$y, domain = d$domain, target = d$domain[1], draws = 0))
  picture <- picture_of(plot(table))
  rows <- picture$panels[[1]]$y$labels
  expect_length(rows, 2 * 12 + 2)
  bf <- stats::setNames(table$log_bf, table$domain)
  expect_identical(rows[c(1:12, 14:25)], names(sort(bf, decreasing = TRUE))[c(1:12, nrow(table) - 11:0)])
  points <- described_marks(picture, "point", 1)
  between <- sort(points$x[points$y == 26 - 12]) # the 13th from the top
  expect_equal(sign(between) * between^2, unname(sort(bf[setdiff(names(bf), rows)])))
  fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = d$domain[1], select = FALSE))
  layers <- picture_of(plot(fit, "borrowed"))$panels[[1]]$layers
  points <- which(vapply(layers, function(layer) layer$kind == "point", NA))
  expect_length(points, 3)
  expect_gt(nrow(layers[[points[1]]]$data), nrow(layers[[points[2]]]$data))
})

test_that("without a search the picture is of coefficients, not of subsets", {
  aq <- na.omit(airquality)
  fit <- suppressMessages(tlcp(Ozone ~ Wind + Temp, aq, domain = Month, target = "5", select = FALSE))
  expect_identical(picture_of(plot(fit)), picture_of(plot(fit, "borrowed")))
})

test_that("pictures of residuals are those of lm() and glm(), after a search of the chosen columns", {
  points_of <- function(fit, what) {
    layers <- tlcp_plot_picture(fit, what, TRUE, 10, TRUE)$panels[[1]]$layers
    layers[[length(layers)]]$data[c("x", "y")]
  }
  same <- function(fit, like) {
    expect_equal(points_of(fit, "residuals")$y, unname(rstandard(like)), tolerance = 1e-6)
    expect_equal(points_of(fit, "leverage")$x, unname(hatvalues(like)), tolerance = 1e-6)
    expect_equal(points_of(fit, "qq"), as.data.frame(lapply(qqnorm(sort(rstandard(like)), plot.it = FALSE), unname)),
                 tolerance = 1e-6, ignore_attr = TRUE)
  }
  same(tlcp(mpg ~ wt + hp, mtcars, select = FALSE), lm(mpg ~ wt + hp, mtcars))
  same(tlcp(am ~ wt + hp, mtcars, family = "binomial", select = FALSE), glm(am ~ wt + hp, binomial, mtcars))
  chosen <- tlcp(mpg ~ wt + hp + qsec + drat + am, mtcars)
  same(chosen, lm(reformulate(chosen$selected, "mpg"), mtcars))
  expect_match(tlcp_plot_picture(chosen, "qq", TRUE, 10, TRUE)$note, "as if they had been chosen beforehand")
  borrowed <- tlcp(mpg ~ wt + hp, mtcars, domain = cyl, target = "4", select = FALSE)
  expect_error(plot(borrowed, "residuals"), "borrow", class = "transelect_error_model")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  for (what in c("residuals", "qq", "leverage")) {
    expect_no_error(plot(chosen, what))
    skip_if_not_installed("ggplot2")
    expect_no_error(print(ggplot2::autoplot(chosen, what)))
  }
})

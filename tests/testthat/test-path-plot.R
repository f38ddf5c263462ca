# Pictures are tested by the data behind them; drawing is tested to run and to tidy up.

plot_case <- function(response = "numeric", ...) {
  case <- draw_case(11, n = 24, p = 6, s = 4)
  y <- switch(response,
    numeric = case$y,
    two = case$factor,
    three = factor(rep_len(c("a", "b", "c"), 24))
  )
  greedytl(case$x, y, sources = case$h, ...)
}

test_that("the second axis has each number of columns once, and is not there where it would repeat the steps", {
  second <- function(fit) picture_of(plot(fit))$panels[[1]]$x$second
  rows <- with_seed(1, data.frame(y = rnorm(40), a = rnorm(40), f = factor(rep_len(1:4, 40)), b = rnorm(40)))
  rows$y <- rows$y + c(0, 2, 4, 6)[rows$f] + rows$a
  axis <- second(greedytl(y ~ a + f + b, rows)) # a factor enters with three columns
  expect_equal(axis[c("at", "labels")], list(at = 0:3, labels = c(0, 3, 4, 5)))
  columns <- greedytl(mpg ~ wt + hp + qsec, mtcars)
  expect_null(second(columns))
  columns$steps$size <- c(0, 1, 1, 2)
  expect_equal(second(columns)[c("at", "labels")], list(at = c(0, 1, 3), labels = c(0, 1, 2)))
  expect_error(coef(greedytl(mpg ~ wt + hp, mtcars), step = "1se"), "cv_path")
})

test_that("the path data are the coefficients times the scale of their columns", {
  fit <- plot_case()
  expect_true("average" %in% fit$best)
  beta <- as.matrix(fit$beta)
  for (scaled in c(FALSE, TRUE)) {
    picture <- picture_of(plot(fit, scaled = scaled))
    unit <- function(term) if (scaled) unname(fit$scale[term]) else 1
    lines <- described_marks(picture, "line")
    expect_setequal(lines$x, fit$points$step[fit$points$step <= max(fit$steps$step)])
    expect_equal(lines$y, beta[cbind(match(lines$group, rownames(beta)), lines$x + 1L)] * unit(lines$group))
    # the average stands at the end, sources have other points
    ends <- described_marks(picture, "point")
    expect_setequal(ends$group, lines$group)
    expect_equal(ends$y, unname(coef_matrix(fit)[ends$group, 1]) * unit(ends$group))
    expect_identical(ends$pch == 18, startsWith(ends$group, "h"))
  }
})

test_that("a path without average has a mark at its default step instead", {
  picture <- picture_of(plot(plot_case(rule = "paper", max_steps = 4)))
  expect_null(described_marks(picture, "point"))
  expect_identical(picture$panels[[1]]$x$label, "step (dotted: the default, 4)")
  expect_true(4 %in% described_marks(picture, "rule")$at)
})

test_that("one lambda of several is drawn, the first by default", {
  fit <- plot_case(rule = "paper", lambda = c(.1, 1), max_steps = 3)
  expect_identical(picture_of(plot(fit)), picture_of(plot(fit, lambda = .1)))
  lines <- described_marks(picture_of(plot(fit, lambda = 1, scaled = FALSE)), "line")
  last <- lines[lines$x == 3, ]
  expect_equal(last$y, unname(coef(fit, step = 3, lambda = 1)[last$group]))
  expect_error(plot(fit, lambda = c(.1, 1)), class = "transelect_error_lambda")
  expect_error(plot(fit, lambda = 7), class = "transelect_error_lambda")
  loo <- described_marks(picture_of(plot(fit, "loo")), "line")
  expect_identical(unique(loo$group), c("lambda 0.1", "lambda 1"))
  expect_equal(loo$y, fit$steps$loo)
})

test_that("leave-one-out data are the table of steps", {
  fit <- plot_case("two")
  picture <- picture_of(plot(fit, "loo"))
  whole <- picture_of(plot(fit, "loo", log = "y")) # else the first step is at the edge, as it is far from the others
  expect_equal(described_marks(whole, "line", 1)$y, fit$steps$loo)
  expect_equal(described_marks(picture, "line", 1)$y, fit$steps$loo[-1])
  expect_equal(described_marks(picture, "line", 2)$y, fit$steps$loo_accuracy)
  expect_match(picture$title, "given the selected columns", fixed = TRUE)

  fit <- plot_case("three")
  error <- described_marks(picture_of(plot(fit, "loo")), "line", 1)
  expect_setequal(error$group, c("a", "b", "c", "mean"))
  steps <- 0:max(fit$steps$step)
  # a class whose path ends early stays at its last model
  by_class <- vapply(c("a", "b", "c"), function(class) {
    own <- fit$steps$loo[fit$steps$class == class]
    own[pmin(steps + 1L, length(own))]
  }, numeric(length(steps)))
  expect_equal(error$y[error$group == "mean"], unname(rowMeans(by_class)))
  expect_equal(described_marks(picture_of(plot(fit, "loo", class = "b")), "line", 1)$y, unname(by_class[, "b"]))
})

test_that("the map of sources has a cell for each source and class", {
  fit <- plot_case("three")
  picture <- picture_of(plot(fit, "sources", scaled = FALSE, step = 3))
  tiles <- described_marks(picture, "tile")
  expect_identical(nrow(tiles), 12L)
  panel <- picture$panels[[1]]
  for (class in c("a", "b", "c")) {
    one <- tiles[tiles$x == match(class, panel$x$labels), ]
    source <- panel$y$labels[match(one$y, panel$y$at)]
    expect_equal(one$value, unname(as.matrix(fit$beta[[class]])[source, 4]))
  }
})

test_that("source dots are the sources with weight, by weight", {
  fit <- plot_case()
  picture <- picture_of(plot(fit, "sources", scaled = FALSE))
  dots <- described_marks(picture, "point")
  expect_false(is.unsorted(dots$x[order(dots$y)]))
  names <- picture$panels[[1]]$y
  expect_equal(dots$x, unname(coef_matrix(fit)[names$labels[match(dots$y, names$at)], 1]))
  expect_identical(picture_of(plot(fit, "sources", step = 0))$panels[[1]]$empty, "no source has weight")
})

test_that("lines with names have distinct colours, others are pale, and the common weight of sources is marked", {
  fit <- plot_case()
  panel <- picture_of(plot(fit, top_n = 2))$panels[[1]]
  lines <- Filter(function(layer) layer$kind == "line", panel$layers)[[1]]$data
  named <- unique(lines$col[lines$group %in% panel$ends$label])
  expect_length(named, 2)
  expect_true(all(lines$col[!lines$group %in% panel$ends$label] %in% picture_colours$behind))
  expect_identical(path_plot_sources_common(c(.5, .1, .1, .1, .2), 5), .1)
  expect_length(path_plot_sources_common(c(.5, .1, .1, .3, .2), 5), 0)
  expect_length(path_plot_sources_common(c(.5, .1, .1, .1, .2), 20), 0)
})

test_that("only the heaviest of many sources are shown", {
  x <- with_seed(5, matrix(rnorm(150 * 2), 150, dimnames = list(NULL, c("a", "b"))))
  h <- with_seed(6, matrix(rnorm(150 * 80), 150, dimnames = list(NULL, paste0("s", 1:80))))
  y <- drop(h %*% seq(-2, 2, length.out = 80)) + x[, 1]
  fit <- greedytl(x, y, sources = h, max_steps = 60)
  dots <- picture_of(plot(fit, "sources", scaled = FALSE, step = 60))
  weight <- coef(fit, step = 60)[colnames(h)]
  heaviest <- names(sort(weight[rank(-abs(weight)) <= 40], decreasing = TRUE))
  expect_identical(dots$panels[[1]]$y$labels, heaviest)
  expect_match(dots$note, "40 heaviest of [0-9]+ sources")
  # a map of classes has 60, in their own order
  classes <- suppressWarnings(greedytl(x, cut(y, 3, labels = c("u", "v", "w")), sources = h, max_steps = 60))
  map <- picture_of(plot(classes, "sources", step = 60))$panels[[1]]$y$labels
  size <- do.call(pmax, lapply(names(classes$beta), function(class) {
    abs(as.matrix(classes$beta[[class]])[colnames(h), 61]) * classes$scale[colnames(h), class]
  }))
  expect_identical(map, colnames(h)[rank(-size) <= 60])
})

test_that("labels keep apart, move little and stay inside", {
  expect_identical(picture_spread_labels(numeric(0), 1, c(0, 1)), numeric(0))
  expect_identical(picture_spread_labels(c(5, 1), 1, c(0, 9)), c(5, 1))
  at <- picture_spread_labels(c(2, 2, 2, 8), 1, c(0, 9))
  expect_equal(sort(at), c(1, 2, 3, 8))
  at <- picture_spread_labels(rep(0, 5), 1, c(0, 9))
  expect_equal(sort(at), 0:4)
  crowded <- picture_spread_labels(stats::rnorm(50), 1, c(0, 9))
  expect_true(min(crowded) >= -1e-9 && max(crowded) <= 9 + 1e-9)
})

test_that("long names are cut in the middle", {
  expect_identical(labels_shorten(c("short", "systolic_pressure_day_2"), 12L), c("short", "systo..day_2"))
  expect_identical(nchar(c(labels_shorten(strrep("x", 50), 7L), labels_shorten(strrep("x", 50), 8L))), 7:8)
  expect_identical(labels_shorten(character(0), 9L), character(0))
})

test_that("every picture of every kind of fit is drawn", {
  for (fit in list(plot_case(), plot_case("two"), plot_case("three"))) {
    for (what in c("path", "loo", "sources")) {
      expect_identical(draw(plot(fit, what)), fit)
      expect_invisible(draw(plot(fit, what, label = FALSE)))
    }
  }
  fit <- plot_case("three")
  draw({
    plot(fit, class = "b")
    plot(fit, "sources", class = c("a", "c"))
    plot(fit, "loo", class = "b", top_n = 0)
    plot(plot_case(rule = "paper", lambda = c(.1, 1)), "loo")
    plot(plot_case("three", rule = "paper", lambda = c(.1, 1)), "loo")
    expect_warning(plot(fit, "sources", step = 0), NA)
    expect_warning(plot(plot_case(), "sources", step = 0), NA)
  })
})

test_that("paths of odd shapes are drawn", {
  case <- draw_case(3, n = 20, p = 3, s = 1)
  fits <- list(
    one_step = greedytl(case$x, case$y, sources = case$h, max_steps = 1),
    features = greedytl(case$x, case$y),
    one_column = greedytl(case$x[, 1, drop = FALSE], case$y),
    none = greedytl(case$x, case$y, rule = "paper", control = greedytl_control(tol = 1e6)),
    unnamed = greedytl(unname(case$x), case$y)
  )
  for (fit in fits) {
    expect_identical(draw(plot(fit)), fit)
    expect_identical(draw(plot(fit, "loo")), fit)
  }
})

test_that("the user's settings replace the defaults", {
  limits <- draw({
    plot(plot_case(), ylim = c(-7, 9), xlab = "steps", col = "black", lty = 2, main = "Mine")
    graphics::par("usr")[3:4]
  })
  expect_true(limits[1] == -7 && limits[2] == 9)
})

test_that("par and the user's layout are restored, also after an error", {
  draw({
    graphics::par(mfrow = c(2, 2), mar = c(3, 3, 2, 1))
    moving <- c("usr", "xaxp", "yaxp", "mfg", "fig", "page", "new")
    still <- function() {
      now <- graphics::par(no.readonly = TRUE)
      now[setdiff(names(now), moving)]
    }
    graphics::plot.new()
    before <- still()
    plot(plot_case())
    plot(plot_case("two"), "loo")
    plot(plot_case("three"), "sources")
    expect_equal(still(), before)
    expect_identical(graphics::par("mfg")[1:2], c(2L, 2L))
  })
  draw(width = 1, height = 1, {
    before <- graphics::par("mar")
    expect_error(plot(plot_case()), class = "transelect_error_device")
    expect_identical(graphics::par("mar"), before)
  })
})

test_that("plots leave the random numbers alone", {
  fit <- plot_case("three")
  set.seed(1)
  before <- .Random.seed
  draw(for (what in c("path", "loo", "sources")) plot(fit, what))
  expect_identical(.Random.seed, before)
})

test_that("bad arguments are named", {
  fit <- plot_case()
  expect_error(plot(fit, "bar"), "what.*bar", class = "transelect_error_what")
  expect_error(plot(fit, 3), class = "transelect_error_what")
  expect_error(plot(fit, class = "a"), class = "transelect_error_class")
  expect_error(plot(plot_case("three"), class = "d"), "\"d\"", class = "transelect_error_class")
  expect_error(plot(fit, label = NA), class = "transelect_error_label")
  expect_error(plot(fit, top_n = -1), class = "transelect_error_top_n")
  expect_error(plot(fit, scaled = 2), class = "transelect_error_scaled")
  expect_error(plot(fit, "sources", step = 99), "99", class = "transelect_error_step")
  expect_error(plot(fit, "sources", step = 1:2), class = "transelect_error_step")
  expect_error(draw(plot(fit, typo = 1)), "typo", class = "transelect_error_dots")
  expect_error(draw(plot(fit, type = "loo")), "type", class = "transelect_error_dots")
  expect_error(draw(plot(fit, "path", NULL, NULL, TRUE, 1, TRUE, NULL, 1)),
               class = "transelect_error_dots")
  case <- draw_case(3)
  expect_error(plot(greedytl(case$x, case$y), "sources"), "no sources",
               class = "transelect_error_what")
})

test_that("autoplot draws the same data", {
  skip_if_not_installed("ggplot2")
  fit <- plot_case("three")
  picture <- ggplot2::autoplot(fit)
  expect_s3_class(picture, "ggplot")
  for (what in c("path", "loo")) {
    expect_equal(sort(gg_marks(ggplot2::autoplot(fit, what), "GeomLine")$y),
                 sort(described_marks(picture_of(plot(fit, what)), "line")$y))
  }
  tiles <- described_marks(picture_of(plot(fit, "sources")), "tile")
  expect_identical(nrow(gg_marks(ggplot2::autoplot(fit, "sources"), "GeomTile")), nrow(tiles))
  draw({
    for (fit in list(plot_case(), plot_case("two"), fit)) {
      for (what in c("path", "loo", "sources")) {
        expect_warning(print(ggplot2::autoplot(fit, what)), NA)
      }
    }
  })
  expect_error(ggplot2::autoplot(fit, "bar"), class = "transelect_error_what")
  expect_error(ggplot2::autoplot(fit, typo = 1), class = "transelect_error_argument")
})

test_that("a map without weight is drawn, whatever the number of sources", {
  case <- draw_case(4, n = 12, p = 2)
  many <- lapply(1:61, function(k) function(x) x[, 1] * k)
  fit <- greedytl(case$x, factor(rep_len(c("a", "b", "c"), 12)), sources = many, max_steps = 2)
  expect_identical(picture_of(plot(fit, "sources", step = 0))$panels[[1]]$empty, "no source has weight")
  draw(expect_warning(plot(fit, "sources", step = 0), NA))
  skip_if_not_installed("ggplot2")
  draw(expect_warning(print(ggplot2::autoplot(fit, "sources", step = 0)), NA))
})

test_that("autoplot draws paths without sources, steps or weight", {
  skip_if_not_installed("ggplot2")
  case <- draw_case(3, n = 20, p = 3, s = 1)
  none <- greedytl(case$x, case$y, rule = "paper", control = greedytl_control(tol = 1e6))
  draw({
    expect_warning(print(ggplot2::autoplot(none)), NA)
    expect_warning(print(ggplot2::autoplot(greedytl(case$x, case$y), label = FALSE)), NA)
    expect_warning(print(ggplot2::autoplot(plot_case(), "sources", step = 0)), NA)
  })
})

test_that("long names of classes are shortened over their panels", {
  d <- draw_classes(1, 12, n = 240)
  long <- paste("a rather long class name, number", 1:12)
  fit <- shareboost(d$x, factor(long[as.integer(d$y)]), max_steps = 3)
  drawn <- function(picture) {
    file <- tempfile(fileext = ".pdf")
    on.exit(unlink(file))
    grDevices::pdf(file, compress = FALSE, useKerning = FALSE)
    picture()
    grDevices::dev.off()
    paste(readLines(file, warn = FALSE), collapse = "\n")
  }
  skip_if_not_installed("ggplot2")
  by_grid <- function() print(ggplot2::autoplot(fit, "path"))
  for (picture in list(function() plot(fit, "path"), by_grid)) {
    text <- suppressWarnings(drawn(picture))
    expect_false(grepl(long[12], text, fixed = TRUE, useBytes = TRUE))
    expect_match(text, "a rat[^)]*[.][.][^)]*12", useBytes = TRUE)
  }
})

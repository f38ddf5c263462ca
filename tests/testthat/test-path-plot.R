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
  axis <- path_plot_counts_axis(c(0, 2, 4, 6), c(0, 2, 2, 3), "columns")
  expect_equal(axis[c("at", "labels")], list(at = c(0, 2, 6), labels = c(0, 2, 3)))
  expect_equal(path_plot_counts_axis(0:2, c(NA, 1, 1), "columns")$at, 1)
  expect_null(path_plot_counts_axis(0:3, 0:3, "columns"))
  expect_error(coef(greedytl(mpg ~ wt + hp, mtcars), step = "1se"), "cv_path")
})

test_that("the path data are the coefficients times the scale of their columns", {
  fit <- plot_case()
  plain <- path_plot_data(fit, "path", scaled = FALSE)
  steps <- path_step_table(fit)
  expect_identical(attr(plain, "steps"), steps)
  expect_true("average" %in% fit$best)
  expect_identical(sum(is.na(plain$step)), length(unique(plain$term)))
  expect_identical(unique(plain$type[startsWith(plain$term, "h")]), "source")
  expect_identical(unique(plain$type[startsWith(plain$term, "x")]), "feature")
  beta <- as.matrix(fit$beta)
  shown <- !is.na(plain$step)
  cell <- cbind(match(plain$term[shown], rownames(beta)), plain$step[shown] + 1L)
  expect_equal(plain$estimate[shown], beta[cell])
  average <- plain[!shown, ]
  expect_equal(average$estimate, unname(coef_matrix(fit)[average$term, 1]))

  scaled <- path_plot_data(fit, "path")
  expect_equal(scaled$estimate, plain$estimate * unname(fit$scale[plain$term]))
  expect_identical(attr(scaled, "size"), fit$steps$size)
})

test_that("a path without average has a mark at its default step instead", {
  data <- path_plot_data(plot_case(rule = "paper", max_steps = 4), "path")
  expect_false(anyNA(data$step))
  expect_identical(path_plot_data_xlab(data), "step (dotted: the default, 4)")
})

test_that("one lambda of several is drawn, the first by default", {
  fit <- plot_case(rule = "paper", lambda = c(.1, 1), max_steps = 3)
  expect_identical(path_plot_data(fit, "path"), path_plot_data(fit, "path", lambda = .1))
  expect_identical(unique(path_plot_data(fit, "path", lambda = 1)$lambda), 1)
  expect_error(plot(fit, lambda = c(.1, 1)), class = "transelect_error_lambda")
  expect_error(plot(fit, lambda = 7), class = "transelect_error_lambda")
  loo <- path_plot_data(fit, "loo")
  expect_identical(unique(loo$line), c("lambda 0.1", "lambda 1"))
  expect_equal(loo$value, fit$steps$loo)
})

test_that("leave-one-out data are the table of steps", {
  fit <- plot_case("two")
  loo <- path_plot_data(fit, "loo")
  expect_equal(loo$value[loo$measure == "error"], fit$steps$loo)
  expect_equal(loo$value[loo$measure == "accuracy"], fit$steps$loo_accuracy)
  expect_match(path_plot_loo(loo, 10)$title, "given the selected columns", fixed = TRUE)

  fit <- plot_case("three")
  loo <- path_plot_data(fit, "loo")
  expect_setequal(loo$line, c("a", "b", "c", "mean"))
  error <- loo[loo$measure == "error" & loo$main, ]
  # a class whose path ends early stays at its last model
  by_class <- vapply(c("a", "b", "c"), function(class) {
    own <- fit$steps$loo[fit$steps$class == class]
    own[pmin(path_step_table(fit) + 1L, length(own))]
  }, numeric(length(path_step_table(fit))))
  expect_equal(error$value, unname(rowMeans(by_class)))
  one <- path_plot_data(fit, "loo", class = "b")
  expect_equal(one$value[one$measure == "error"], unname(by_class[, "b"]))
})

test_that("the map of sources has a cell for each source and class", {
  fit <- plot_case("three")
  data <- path_plot_data(fit, "sources", scaled = FALSE, step = 3)
  expect_identical(nrow(data), 12L)
  for (class in c("a", "b", "c")) {
    one <- data[data$class == class, ]
    expect_equal(one$weight, unname(as.matrix(fit$beta[[class]])[one$row, 4]))
  }
})

test_that("source dots are the sources with weight, by weight", {
  fit <- plot_case()
  data <- path_plot_data(fit, "sources", scaled = FALSE)
  expect_false(is.unsorted(data$weight))
  expect_equal(data$weight, unname(coef_matrix(fit)[data$row, 1]))
  none <- path_plot_data(fit, "sources", step = 0)
  expect_identical(nrow(none), 0L)
  expect_identical(path_plot_sources_count(none), "no source has weight")
})

test_that("only the heaviest of many sources are shown", {
  long <- data.frame(term = paste0("s", 1:100), estimate = c(-(1:50), 1:50))
  long$row <- 11:110
  dots <- path_plot_sources_heaviest(long, map = FALSE)
  expect_identical(length(dots), 40L)
  expect_identical(dots[c(1, 40)], c("s50", "s100"))
  map <- path_plot_sources_heaviest(long[100:1, ], map = TRUE)
  expect_identical(map, paste0("s", c(21:50, 71:100)))
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
  data <- path_plot_data(fit, "path")
  expect_equal(sort(gg_marks(picture, "GeomLine")$y), sort(data$estimate[!is.na(data$step)]))
  tiles <- described_marks(path_plot_sources(path_plot_data(fit, "sources"), TRUE), "tile")
  expect_equal(tiles$value, path_plot_data(fit, "sources")$weight)
  expect_identical(nrow(gg_marks(ggplot2::autoplot(fit, "sources"), "GeomTile")), nrow(tiles))
  loo <- path_plot_data(fit, "loo")
  expect_equal(sort(gg_marks(ggplot2::autoplot(fit, "loo"), "GeomLine")$y), sort(loo$value))
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
  expect_identical(nrow(path_plot_data(fit, "sources", step = 0)), 0L)
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

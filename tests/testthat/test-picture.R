# A picture is described once; both renderers draw what the description says.

# A path whose columns have these names; all of them enter.
path_of_columns <- function(names, n = 60) {
  x <- with_seed(1, matrix(rnorm(n * length(names)), n, dimnames = list(NULL, names)))
  y <- with_seed(2, drop(x %*% rep_len(c(1, -1, .5), ncol(x))) + rnorm(n, sd = .1))
  greedytl(x, y, rule = "paper")
}

# A fit that borrows, of p features and two other domains.
borrowing_fit <- function(p) {
  x <- with_seed(1, matrix(rnorm(90 * p), 90, dimnames = list(NULL, paste0("x", seq_len(p)))))
  y <- with_seed(2, drop(x %*% seq(1, -1, length.out = p)) + rnorm(90))
  suppressMessages(tlcp(x, y, domain = gl(3, 30, labels = c("a", "b", "c")), target = "a", select = FALSE))
}

air <- function() {
  dissimilarity(Ozone ~ Solar.R + Wind + Temp, data = na.omit(airquality), domain = Month, target = "5", draws = 0)
}

test_that("ggplot2 draws the marks of the description", {
  skip_if_not_installed("ggplot2")
  sorted <- function(marks, columns) unname(as.matrix(marks[do.call(order, marks[columns]), columns]))
  fit <- greedytl(mpg ~ wt + hp + qsec, mtcars, rule = "paper")
  picture <- picture_of(plot(fit))
  drawn <- ggplot2::autoplot(fit)
  expect_equal(sorted(gg_marks(drawn, "GeomLine"), c("x", "y")), sorted(described_marks(picture, "line"), c("x", "y")))
  expect_equal(gg_marks(drawn, "GeomVline")$xintercept, fit$best)
  draw(expect_warning(print(drawn), NA))
  tests <- tgreedy(mpg ~ wt + hp + qsec, mtcars, domain = gear)
  points <- gg_marks(ggplot2::autoplot(tests, "t"), "GeomPoint")
  expect_equal(sorted(points[!is.na(points$y), ], c("x", "y")),
               sorted(described_marks(picture_of(plot(tests, "t")), "point"), c("x", "y")))
})

test_that("base graphics take the user's settings", {
  fit <- greedytl(mpg ~ wt + hp + qsec, mtcars)
  shown <- drawn_by({
    plot(fit, ylim = c(-10, 200), col = "blue", main = "Mine")
    expect_equal(graphics::par("usr")[3:4], c(-10, 200))
  })
  expect_true("Mine" %in% shown$text$label)
  looks <- picture_of(plot(fit, col = "blue", lwd = 5, lty = 1:3))$panels[[1]]
  lines <- Filter(function(layer) layer$kind == "line", looks$layers)[[1]]$data
  expect_identical(unique(lines[c("col", "lwd")]), data.frame(col = "blue", lwd = 5), ignore_attr = TRUE)
  expect_setequal(tapply(lines$lty, lines$group, unique), 1:3) # a line a column
  expect_identical(unique(looks$ends$col), "blue") # a name has the colour of its line
  rules <- Filter(function(layer) layer$kind == "rule", looks$layers)
  expect_false(any(vapply(rules, function(layer) "blue" %in% layer$data$col, NA))) # not the user's to set here
})

test_that("panels of one picture are placed in rows and columns, and need room", {
  x <- with_seed(1, matrix(rnorm(240), 80))
  classes <- greedytl(x, gl(8, 10), max_steps = 1)
  boxes <- drawn_by(plot(classes), 8, 4)$panels[1:8, ]
  expect_length(unique(boxes[, 1]), 4)
  expect_length(unique(boxes[, 3]), 2)
  expect_true(all(abs(boxes[, 2] - boxes[, 1] - (boxes[1, 2] - boxes[1, 1])) < 1e-9))
  expect_gt(boxes[2, 1], boxes[1, 2])
  expect_gt(boxes[1, 3], boxes[5, 4]) # the first row is above the second
  beside <- drawn_by(plot(air()))$panels
  expect_identical(beside[1, 3:4], beside[2, 3:4])
  expect_gt(beside[2, 1], beside[1, 2])
  draw(expect_error(plot(classes), class = "transelect_error_device"), 1.5, 1.5)
})

test_that("rows that are too small to read are left out where the axis says how the others are called", {
  fit <- borrowing_fit(30)
  names_of <- function(height) {
    shown <- drawn_by(plot(fit, "borrowed"), height = height)
    list(names = shown$axis[shown$axis$side == 2, ], said = grep("^the largest", shown$text$label, value = TRUE))
  }
  tall <- names_of(9)
  expect_identical(nrow(tall$names), 30L)
  expect_length(tall$said, 0)
  low <- names_of(2.5)
  expect_lt(nrow(low$names), 20)
  expect_identical(low$said, paste("the largest", nrow(low$names), "of 30"))
  expect_gte(min(low$names$cex), .45)
})

test_that("small pictures leave names out rather than write them over each other", {
  x <- with_seed(1, matrix(rnorm(120), 40))
  sources <- with_seed(2, matrix(rnorm(1600), 40, dimnames = list(NULL, paste("rule", 1:40))))
  fit <- greedytl(x, with_seed(3, rnorm(40)) + sources[, 1], sources)
  shown <- drawn_by(plot(fit, "sources"), height = 2.5)
  names <- shown$axis[shown$axis$side == 2, ]
  expect_lt(nrow(names), 40)
  inch <- 2.5 * diff(shown$panels[1, 3:4]) / 40.2 # of a row
  expect_gte(min(diff(sort(names$at))) * inch, .6 * names$cex[1] * .2) # a line of letters is .2 inches
  # names below a panel stand upright where they have no room beside each other
  tests <- tgreedy(mpg ~ wt + hp + qsec, mtcars, domain = gear)
  upright <- function(width) unique(with(drawn_by(plot(tests, "t"), width)$axis, las[side == 1]))
  expect_identical(upright(7), 1)
  long <- tgreedy(stats::setNames(mtcars[c("wt", "hp", "qsec")], paste("a column with a name of its own", 1:3)),
                  mtcars$mpg, domain = mtcars$gear)
  expect_identical(unique(with(drawn_by(plot(long, "t"), 3, 6)$axis, las[side == 1])), 2)
  # and names of lines are left out where there is no room for seven letters
  lines <- path_of_columns(c("systolic_pressure", "heart_rate_index"))
  expect_false(any(grepl("sys", drawn_by(plot(lines, ylab = ""), 1.2, 4)$text$label)))
})

test_that("keys follow each other and go to the next row where there is no room", {
  labels <- c("evidence for related coefficients", "no evidence", "borrowed", "pooled", "own: least squares",
              "shrunk: by itself")
  keys <- function(width) {
    text <- drawn_by(plot(air()), width)$text
    text[match(labels, text$label), ]
  }
  expect_length(unique(keys(9)$y), 1)
  expect_true(all(diff(keys(9)$x) > 0))
  rows <- split(keys(4)$x, -keys(4)$y)
  expect_gt(length(rows), 1)
  for (row in rows) expect_false(is.unsorted(row, strictly = TRUE))
})

test_that("an axis that the user wants logarithmic keeps the lines of a cross-validation", {
  case <- cv_case()
  cvf <- cv_path(case$x, case$y, max_steps = 5, foldid = case$foldid)
  draw({
    plot(cvf, log = "y")
    expect_true(graphics::par("ylog"))
    inside <- 10^graphics::par("usr")[3:4]
    expect_true(all(cvf$cvm >= inside[1] & cvf$cvm <= inside[2]))
  })
})

test_that("log = works where there are positive values, and is refused in words where not", {
  set.seed(3)
  x <- matrix(rnorm(450), 90, dimnames = list(NULL, paste0("x", 1:5)))
  y <- 3 * x[, 1] - 3 * x[, 2] + rnorm(90)
  fold <- rep(1:5, 18)
  cvf <- cv_path(x, y, foldid = fold)
  paths <- list(greedytl(x, y), tlcp(x, y), tgreedy(x, y, domain = rep(1:3, 30)), msplit(x, y), cvf,
                compare_paths(cvf, t = cv_path(x, y, fit = tlcp, foldid = fold)))
  draw({
    for (path in paths) {
      plot(path, log = "x")
      expect_true(graphics::par("xlog"))
    }
    for (path in paths[c(2, 5, 6)]) plot(path, log = "xy")
    for (path in paths[c(1, 3, 4)]) expect_error(plot(path, log = "y"), "log.*negative", class = "transelect_error_log")
    # coefficients that are all positive are shown, without those that are 0
    plot(greedytl(x[, 1, drop = FALSE], y), log = "y")
    expect_true(graphics::par("ylog"))
    expect_error(plot(dissimilarity(x, y, domain = rep(1:3, 30), target = 1), log = "y"), "names",
                 class = "transelect_error_log")
  })
  # what is at step 0 is left out, also of the second axis; ticks are whole numbers, and a word stays at the end
  rows <- with_seed(1, data.frame(y = rnorm(60), a = rnorm(60), f = factor(rep_len(1:4, 60)),
                                  matrix(rnorm(60 * 12), 60)))
  rows$y <- rows$y + c(0, 2, 4, 6)[rows$f] + rows$a
  drawn <- function(...) picture_of(plot(greedytl(y ~ ., rows, ...), log = "x"))$panels[[1]]
  long <- drawn(rule = "paper")
  expect_equal(long$x[c("at", "labels")], list(at = c(1, 2, 5, 10), labels = c(1, 2, 5, 10)))
  expect_true(all(long$x$second$at > 0))
  lines <- Filter(function(layer) layer$kind == "line", long$layers)[[1]]$data
  expect_equal(range(lines$x), c(1, 14))
  averaged <- drawn()
  expect_identical(averaged$x$labels, c("1", "2", "5", "10", "average"))
  expect_gt(averaged$x$at[5], 14)
})

test_that("autoplot() takes log = as plot() does", {
  skip_if_not_installed("ggplot2")
  set.seed(3)
  x <- matrix(rnorm(450), 90, dimnames = list(NULL, paste0("x", 1:5)))
  y <- 3 * x[, 1] - 3 * x[, 2] + rnorm(90)
  fold <- rep(1:5, 18)
  cvf <- cv_path(x, y, foldid = fold)
  both <- compare_paths(cvf, t = cv_path(x, y, fit = tlcp, foldid = fold))
  logarithmic <- function(p) {
    draw(expect_warning(built <- ggplot2::ggplot_build(p), NA))
    draw(expect_warning(print(p), NA))
    vapply(c("x", "y"), function(side) {
      scale <- built$plot$scales$get_scales(side)
      identical((scale$trans %||% scale$transformation)$name, "log-10")
    }, NA)
  }
  for (path in list(greedytl(x, y), tlcp(x, y), tgreedy(x, y, domain = rep(1:3, 30)), msplit(x, y), cvf, both)) {
    expect_identical(logarithmic(ggplot2::autoplot(path, log = "x")), c(x = TRUE, y = FALSE))
  }
  for (path in list(cvf, both)) {
    expect_identical(logarithmic(ggplot2::autoplot(path, log = "xy")), c(x = TRUE, y = TRUE))
  }
  marks <- gg_marks(ggplot2::autoplot(cvf, log = "y"), "GeomLine")
  expect_equal(sort(10^marks$y), sort(cvf$cvm[cvf$cvm > 0]))
  expect_error(ggplot2::autoplot(greedytl(x, y), log = "y"), "negative", class = "transelect_error_log")
  expect_error(ggplot2::autoplot(cvf, log = "z"), class = "transelect_error_log")
  expect_error(draw(plot(cvf, log = TRUE)), class = "transelect_error_log")
  expect_error(ggplot2::autoplot(cvf, main = "a"), class = "transelect_error_argument")
})

test_that("a logarithmic axis is the same one in panels of one kind, and a rule at 0 is left out", {
  fit <- greedytl(Species ~ ., iris, rule = "paper", max_steps = 4)
  fit$best <- 0L
  upright <- function(panel) {
    rules <- Filter(function(layer) layer$kind == "rule", panel$layers)
    unlist(lapply(rules, function(layer) layer$data$at[layer$data$side == "x"]))
  }
  plain <- picture_of(plot(fit))$panels
  panels <- picture_of(plot(fit, log = "x"))$panels
  expect_length(panels, 3)
  for (k in 1:3) {
    expect_identical(panels[[k]]$x$limits, panels[[1]]$x$limits)
    expect_equal(upright(plain[[k]]), 0)
    expect_length(upright(panels[[k]]), 0)
  }
})

test_that("names of lines are not cut where they have room", {
  names <- c("systolic_blood_pressure", "heart_rate_variability_index")
  fit <- path_of_columns(names)
  written <- function(width) setdiff(drawn_by(plot(fit), width)$text$label, "Coefficients along the path")
  expect_setequal(written(9), names)
  short <- written(3)
  expect_length(unique(short), 2)
  expect_true(all(nchar(short) < nchar(names[1]) & grepl("..", short, fixed = TRUE)))
  skip_if_not_installed("ggplot2")
  shown <- function(fit) unlist(lapply(gg_right(ggplot2::autoplot(fit)), `[[`, "label"))
  draw(expect_setequal(shown(fit), names))
  draw(expect_lt(max(nchar(shown(fit))), max(nchar(names))), width = 4)
  x <- with_seed(1, matrix(rnorm(160), 80, dimnames = list(NULL, names)))
  draw(expect_lte(max(text_inches(shown(greedytl(x, gl(4, 20))), 7)), .4 * 7 / 2))
})

test_that("names at the right of a ggplot have room for the longest, as it is drawn", {
  skip_if_not_installed("ggplot2")
  margin <- function(p) grid::convertWidth(p$theme$plot.margin[2], "inches", valueOnly = TRUE)
  lines <- ggplot2::autoplot(path_of_columns(c("iiiiiiiiiiiiiiiiiiiiii", "WWWWWWWWWWW")))
  draw(expect_equal(margin(lines), 20 / 72 + text_inches("WWWWWWWWWWW", 8.5), tolerance = .06)) # in whole points
  numbers <- ggplot2::autoplot(borrowing_fit(2), "borrowed")
  label <- gg_right(numbers)[[1]]$label
  draw(expect_equal(margin(numbers), 14 / 72 + max(text_inches(label, 9)), tolerance = .01))
  # the numbers begin at one place
  grobs <- Filter(Negate(is.null), lapply(numbers$layers, function(layer) layer$geom_params$grob))
  expect_equal(grobs[[1]]$hjust, 0)
  expect_length(grobs[[1]]$x, 1)
})

test_that("distinct names stay distinct where they are cut", {
  pressure <- c("blood_pressure_systolic_mean", "blood_pressure_diastolic_mean")
  expect_identical(labels_shorten(pressure, 22), c("blood_p..systolic_mean", "blood_p..diastolic_mea"))
  within <- c(paste0(strrep("x", 15), 1:3, strrep("y", 15)), pressure, "age")
  for (keep in 4:22) expect_identical(anyDuplicated(labels_shorten(within, keep)), 0L)
  expect_identical(labels_shorten(rep(pressure[1], 2), 22), rep("blood_pres..tolic_mean", 2))
  skip_if_not_installed("ggplot2")
  x <- with_seed(1, matrix(rnorm(120), 60))
  sources <- with_seed(2, matrix(rnorm(120), 60, dimnames = list(NULL, pressure)))
  fit <- greedytl(x, sources[, 1] + with_seed(3, rnorm(60)), sources)
  shown <- function() ggplot2::autoplot(fit, "sources")$scales$get_scales("y")$labels
  short <- draw(shown(), width = 5)
  expect_lte(max(text_inches(short, 9)), 5 / 3)
  expect_identical(anyDuplicated(short), 0L)
  expect_setequal(draw(shown(), width = 9), pressure)
})

test_that("a title of an axis that takes two lines has room for them", {
  fit <- path_of_columns(c("a", "b"))
  long <- "a title that is longer than the panel is wide and longer than it is tall"
  one <- drawn_by(plot(fit, xlab = "loss", ylab = "loss"), 3, 3)
  two <- drawn_by(plot(fit, xlab = long, ylab = long), 3, 3)
  expect_identical(one$title, c("loss", "loss"))
  expect_identical(two$title, rep(sub("panel is ", "panel\nis ", long), 2)) # at the space nearest to the middle
  expect_true(all(two$panels[1, c(1, 3)] > one$panels[1, c(1, 3)]))
  skip_if_not_installed("ggplot2")
  draw(width = 4, {
    labels <- ggplot2::autoplot(air())$facet$params$labeller
    below <- labels(data.frame(panel = c("loss", "log likelihood ratio (square root scale)")))
  })
  expect_identical(unlist(below, use.names = FALSE), c("loss", "log likelihood ratio\n(square root scale)"))
})

test_that("a word at the end of an axis is written, and numbers that would meet it are not", {
  fit <- greedytl(mpg ~ ., mtcars)
  labels <- function(width) with(drawn_by(plot(fit), width)$axis, label[side == 1])
  whole <- labels(8)
  expect_false(anyNA(whole))
  small <- labels(2.5)
  expect_identical(tail(small, 1), "average")
  expect_true(anyNA(small))
  expect_identical(small[!is.na(small)], whole[!is.na(small)])
  expect_false(is.unsorted(is.na(small[-length(small)]))) # those next to the word are left out
})

test_that("panels beside each other keep their own axes", {
  skip_if_not_installed("ggplot2")
  described <- picture_of(plot(air()))
  points <- unlist(lapply(1:2, function(k) {
    limits <- described$panels[[k]]$x$limits
    2 * k + (described_marks(described, "point", k)$x - limits[1]) / diff(limits)
  }))
  drawn <- ggplot2::autoplot(air())
  x <- gg_marks(drawn, "GeomPoint")$x
  expect_equal(sort(x), sort(points))
  ticks <- unlist(lapply(described$panels, function(panel) panel$x$labels))
  expect_identical(drawn$scales$get_scales("x")$labels, ticks)
  draw(expect_warning(print(drawn), NA))
})

test_that("names at the right of a ggplot keep apart in a small picture", {
  skip_if_not_installed("ggplot2")
  p <- ggplot2::autoplot(greedytl(mpg ~ ., mtcars, rule = "paper"))
  grob <- Filter(Negate(is.null), lapply(p$layers, function(layer) layer$geom_params$grob))[[1]]
  heights <- function(inches) {
    draw(height = inches, {
      grid::grid.newpage()
      labels <- grid::makeContent(grob)$children[[2]]
      sort(grid::convertY(labels$y, "points", valueOnly = TRUE))
    })
  }
  expect_length(heights(2), nrow(grob$ends))
  expect_true(all(diff(heights(2)) >= 8.5))
  expect_lt(length(heights(.4)), nrow(grob$ends)) # where there is no room for all
  # places on a logarithmic axis are shares of its logarithms
  case <- cv_case()
  curves <- compare_paths(one = cv_path(case$x, case$y, max_steps = 5, foldid = case$foldid),
                          two = cv_path(case$x, case$y, max_steps = 2, foldid = case$foldid))
  panel <- picture_of(plot(curves, log = "y"))$panels[[1]]
  low <- log10(panel$y$limits[1])
  expect_equal(gg_right(ggplot2::autoplot(curves, log = "y"))[[1]]$at,
               (log10(panel$ends$y) - low) / (log10(panel$y$limits[2]) - low))
})

test_that("bands and upright segments of a ggplot end at the limits of their panel", {
  band <- picture_layer("band", data.frame(x = c(0, 2), low = c(0, 0), high = c(30, 10), group = "a"))
  cut <- picture_ggplot_cut_at(band, c(0, 20))
  expect_equal(cut$x, c(0, 1, 2))
  expect_equal(cut$high, c(20, 20, 10))
  segments <- picture_layer("segment", data.frame(x = c(1, 1), y = 5, xend = c(1, 2), yend = 30))
  expect_equal(picture_ggplot_cut_at(segments, c(0, 20))$yend, c(20, 30))
})


test_that("keys of a ggplot take few rows, and the columns that fill them", {
  expect_identical(picture_ggplot_key_columns(c("held in", "held out"), 4), 2L)
  expect_identical(picture_ggplot_key_columns(rep("a key with a name of some length", 4), 4), 1L)
  keys <- c("target alone", "borrowed", 6:9)
  expect_identical(picture_ggplot_key_columns(keys, 3.5), 3L) # five would fit, and leave one to the second row
  expect_identical(picture_ggplot_key_columns(keys, 6), 6L)
  expect_identical(picture_ggplot_key_columns("a key that is longer than its picture", 1), 1L)
  skip_if_not_installed("ggplot2")
  # keys begin where the names of rows do
  left <- function(p) draw(grid::convertWidth(p$theme$legend.box.margin[4], "inches", valueOnly = TRUE))
  expect_lt(left(ggplot2::autoplot(borrowing_fit(2), "borrowed")), -.1)
  expect_equal(left(ggplot2::autoplot(path_of_columns("a"))), 0)
})

test_that("a ggplot is made without drawing, and the device stays the same one", {
  skip_if_not_installed("ggplot2")
  fit <- path_of_columns(c("a", "b"))
  shown <- drawn_by({
    device <- grDevices::dev.cur()
    ggplot2::autoplot(fit)
    expect_identical(grDevices::dev.cur(), device)
  })
  expect_identical(nrow(shown$text), 0L)
  expect_null(shown$panels)
})

test_that("pictures of ggplot2 keep their layout under another theme, and take the user's", {
  skip_if_not_installed("ggplot2")
  skip_if(utils::packageVersion("ggplot2") >= "4.0.0")
  fit <- suppressMessages(tlcp(Sepal.Length ~ Sepal.Width + Petal.Length, iris, domain = Species, target = "virginica"))
  plain <- ggplot2::autoplot(fit, "borrowed")
  themed <- plain + ggplot2::theme_bw()
  built <- ggplot2::ggplot_build(themed)$plot$theme
  own <- ggplot2::ggplot_build(plain)$plot$theme
  expect_identical(built$legend.position, "top")
  expect_identical(built$plot.margin, own$plot.margin)
  expect_identical(built$panel.border, ggplot2::theme_bw()$panel.border)
  asked <- ggplot2::ggplot_build(themed + ggplot2::theme(legend.position = "bottom"))$plot$theme
  expect_identical(asked$legend.position, "bottom")
  draw(expect_no_error(print(themed)))
})

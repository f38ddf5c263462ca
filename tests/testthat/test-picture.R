# A picture is described once; both renderers draw what the description says.

test_picture <- function(...) {
  points <- data.frame(x = 1:3, y = c(1, 10, 100), group = c("a", "b", "c"), col = "red")
  line <- points
  line$group <- "all"
  picture_new(list(picture_panel(
    picture_axis("size", c(0, 4), 1:3), picture_axis("value", c(-1, 101)),
    list(picture_layer("line", line, user = c("col", "lwd")), picture_layer("point", points, user = "pch"),
         picture_rule("x", c(2, NA)), picture_layer("text", data.frame(x = 1, y = Inf, label = "top"))),
    data.frame(x = 3, y = 100, label = "the end", group = "all", col = "red")
  )), "A title", picture_base_keys(c("points", "line"), "red", c(19, NA)), note = "small print", ...)
}

test_that("layers have defaults for what their data lack, and are NULL without data", {
  data <- picture_layer("line", data.frame(x = 1:2, y = 3:4), col = "red")$data
  expect_identical(unique(data$col), "red")
  expect_identical(unique(data$lty), 1)
  expect_null(picture_layer("point", data.frame(x = numeric(), y = numeric())))
  expect_null(picture_rule("x", NA_real_))
})

test_that("ggplot2 draws the marks of the description", {
  skip_if_not_installed("ggplot2")
  picture <- test_picture()
  drawn <- picture_ggplot_draw(picture)
  points <- gg_marks(drawn, "GeomPoint")
  expect_equal(points$y[!is.na(points$y)], c(1, 10, 100))
  expect_equal(gg_marks(drawn, "GeomLine")$y, c(1, 10, 100))
  expect_equal(gg_marks(drawn, "GeomVline")$xintercept, 2)
  draw(expect_warning(print(drawn), NA))
})

test_that("base graphics take the user's settings", {
  draw({
    picture_user_plot(1, test_picture(), ylim = c(-10, 200), col = "blue", main = "Mine")
    expect_equal(graphics::par("usr")[3:4], c(-10, 200))
    picture_user_plot(1, test_picture(), log = "y")
    expect_true(graphics::par("ylog"))
    expect_equal(10^graphics::par("usr")[3:4], c(.95, 105))
    # the panel's edges are those of its data, also on a logarithmic axis
    expect_equal(picture_base_edges("y"), c(.95, 105))
  })
  fit <- greedytl(mpg ~ wt + hp + qsec, mtcars)
  looks <- picture_of(plot(fit, col = "blue", lwd = 5, lty = 1:3))$panels[[1]]
  lines <- Filter(function(layer) layer$kind == "line", looks$layers)[[1]]$data
  expect_identical(unique(lines[c("col", "lwd")]), data.frame(col = "blue", lwd = 5), ignore_attr = TRUE)
  expect_setequal(tapply(lines$lty, lines$group, unique), 1:3) # a line a column
  expect_identical(unique(looks$ends$col), "blue") # a name has the colour of its line
  rules <- Filter(function(layer) layer$kind == "rule", looks$layers)
  expect_false(any(vapply(rules, function(layer) "blue" %in% layer$data$col, NA))) # not the user's to set here
})

test_that("panels of one picture are placed in rows and columns", {
  draw(width = 8, height = 4, {
    graphics::plot.new()
    expect_identical(picture_base_grid(3, "stack"), c(3, 1L))
    expect_identical(picture_base_grid(2, "beside"), c(1L, 2))
    expect_identical(picture_base_grid(8, "wrap"), c(2, 4))
    boxes <- picture_base_room_boxes(2, 2, rep(.5, 4), c(.2, .2), NULL)
    expect_equal(boxes[[1]][1:2], c(.5, .5 + 3.4) / 8)
    expect_equal(boxes[[4]][3:4], c(.5, .5 + 1.4) / 4)
    expect_error(picture_base_room_boxes(1, 40, rep(1, 4), c(0, 0), NULL), class = "transelect_error_device")
  })
})

test_that("rows that are too small to read are left out where the axis says how the others are called", {
  draw({
    graphics::plot.new()
    axis <- picture_name_axis(paste0("x", 1:30), cut = "the largest")
    expect_identical(picture_base_room_for_names(axis, 6, 2, "y")$shown, 30)
    few <- picture_base_room_for_names(axis, 1, 2, "y")
    expect_lt(few$shown, 15)
    expect_gte(few$cex, .45)
    expect_identical(picture_base_room_for_names(picture_name_axis(paste0("x", 1:30)), 1, 2, "y")$shown, 30L)
  })
})

test_that("keys follow each other and go to the next row where there is no room", {
  keys <- picture_base_keys(c("a", "b", "c"), "black", c(19, 21, NA))
  draw({
    graphics::plot.new()
    one <- picture_base_room_key_places(keys, 5)
    rows <- picture_base_room_key_places(keys, .8)
  })
  expect_identical(one$row, c(1, 1, 1))
  expect_true(all(diff(one$left) > 0))
  expect_gt(max(rows$row), 1)
  expect_identical(rows$left[!duplicated(rows$row)], numeric(max(rows$row)))
})

test_that("an axis that the user wants logarithmic keeps the lines of a cross-validation", {
  case <- cv_case()
  cvf <- cv_path(case$x, case$y, max_steps = 5, foldid = case$foldid)
  draw({
    plot(cvf, log = "y")
    expect_true(graphics::par("ylog"))
    inside <- picture_base_edges("y")
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
  names <- c("systolic_blood_pressure 0.67", "heart_rate_variability_index 0.71")
  draw({
    graphics::plot.new()
    expect_identical(picture_base_room_fit_labels(names[2], picture_base_room_label(names[2], .75) - 1e-12, .75),
                     names[2])
    expect_identical(nchar(picture_base_room_fit_labels(names[2], .5 * picture_base_room_label(names[2], .75), .75)),
                     15L)
  })
  skip_if_not_installed("ggplot2")
  panel <- function(title) {
    picture_panel(picture_axis("", 0:1), picture_axis("", 0:1), list(),
                  data.frame(x = 1, y = 0:1, label = names, col = "red"),
                  title = title)
  }
  shown <- function(n) {
    layers <- picture_ggplot_draw(picture_new(lapply(letters[seq_len(n)], panel)))$layers
    grobs <- lapply(layers, function(layer) layer$geom_params$grob$ends$label)
    grobs[lengths(grobs) > 0][[1]]
  }
  draw(expect_identical(shown(1), names))
  draw(expect_lte(max(picture_ggplot_text_inches(shown(4), 7)), .4 * 7 / 2))
  draw(expect_lt(max(nchar(shown(1))), max(nchar(names))), width = 4)
})

test_that("names at the right of a ggplot have room for the longest, as it is drawn", {
  skip_if_not_installed("ggplot2")
  names <- c("iiiiiiiiiiiiiiiiiiiiii", "WWWWWWWWWWWWWWW")
  ends <- data.frame(x = 1, y = 0:1, label = names, col = "red")
  panel <- picture_panel(picture_axis("", 0:1), picture_axis("", 0:1), list(), ends)
  numbers <- picture_panel(picture_axis("", 0:1), picture_name_axis(c("a", "b")), list(),
                           right = data.frame(y = 1:2, label = names))
  inches <- function(unit) grid::convertWidth(unit, "inches", valueOnly = TRUE)
  draw({
    right <- function(panel) inches(picture_ggplot_draw(picture_new(list(panel)))$theme$plot.margin[2])
    expect_equal(right(panel), 20 / 72 + picture_ggplot_text_inches(names[2], 8.5), tolerance = .06) # in whole points
    expect_equal(right(numbers), 14 / 72 + picture_ggplot_text_inches(names[2], 9), tolerance = .01)
  })
  # the numbers begin at one place
  layers <- picture_ggplot_draw(picture_new(list(numbers)))$layers
  grobs <- Filter(Negate(is.null), lapply(layers, function(layer) layer$geom_params$grob))
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
  draw({
    shown <- picture_ggplot_axis_names(picture_name_axis(pressure), "y")
    expect_lte(max(picture_ggplot_text_inches(shown, 9)), 5 / 3)
    expect_identical(anyDuplicated(shown), 0L)
  }, width = 5)
  draw(expect_identical(picture_ggplot_axis_names(picture_name_axis(pressure), "y"), pressure), width = 9)
})

test_that("a title of an axis that takes two lines has room for them", {
  picture <- function(label) picture_new(list(picture_panel(picture_axis(label, 0:1), picture_axis(label, 0:1),
                                                            list())))
  room <- function(label) picture_base_room(picture(label), c(1, 1), .75, .9)
  draw({
    graphics::plot.new()
    short <- room("loss")
    long <- room("a title that is longer than the panel is wide and longer than it is tall")
  }, width = 3, height = 3)
  expect_identical(short$two, c(x = FALSE, y = FALSE))
  expect_identical(long$two, c(x = TRUE, y = TRUE))
  expect_true(all(long$margin[1:2] > short$margin[1:2]))
  skip_if_not_installed("ggplot2")
  titles <- c("loss", "log likelihood ratio (square root scale)")
  draw(expect_identical(picture_ggplot_title_lines(titles, picture_name_axis("a")),
                        c("loss", picture_base_two_lines(titles[2]))), width = 4)
})

test_that("a word at the end of an axis is written, and numbers that would meet it are not", {
  draw({
    graphics::plot.new()
    graphics::plot.window(c(0, 12), 0:1)
    expect_identical(picture_base_clear_last(c(0, 5, 10, 12), c("0", "5", "10", "average"), .8),
                     c("0", "5", NA, "average"))
  }, width = 4)
})

test_that("panels beside each other keep their own axes", {
  skip_if_not_installed("ggplot2")
  panel <- function(title, limits, at) {
    picture_panel(picture_axis(title, limits, at), picture_name_axis(c("a", "b")),
                  list(picture_layer("point", data.frame(x = at, y = rep(1, length(at))))), title = title)
  }
  picture <- picture_new(list(panel("one", c(0, 10), c(0, 5)), panel("two", c(-1, 1), c(0, 1))),
                         layout = "beside")
  together <- picture_ggplot_on_one_axis(picture)
  expect_equal(together$panels[[1]]$x$at, c(2, 2.5))
  expect_equal(together$panels[[2]]$layers[[1]]$data$x, c(4.5, 5))
  draw({
    expect_warning(print(picture_ggplot_draw(picture)), NA)
    picture_base_draw(picture, list())
  })
})

test_that("names at the right of a ggplot keep apart in a small picture", {
  panel <- picture_panel(picture_axis("", c(0, 1)), picture_axis("", c(1, 100), log = TRUE), list(),
                         data.frame(x = 1, y = c(10, 10, 11), label = c("first", "second", "third"), col = "red"))
  grob <- picture_ggplot_ends_grob(panel, size = 8, leader = 16, inches = 2)
  expect_equal(grob$ends$at, log10(c(10, 10, 11)) / 2)
  heights <- function(inches) {
    draw(height = inches, {
      grid::grid.newpage()
      labels <- grid::makeContent(grob)$children[[2]]
      sort(grid::convertY(labels$y, "points", valueOnly = TRUE))
    })
  }
  expect_true(all(diff(heights(2)) >= 8))
  expect_length(heights(.2), 2) # where there is no room for three
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
  left <- function(y) picture_ggplot_keys_left(y)$legend.box.margin[4]
  draw(expect_lt(grid::convertWidth(left(picture_name_axis("the name of a row")), "inches", valueOnly = TRUE), -.9))
  expect_null(picture_ggplot_keys_left(picture_axis("", 0:1)))
})

test_that("measuring text draws nothing and leaves the device as it was", {
  draw({
    device <- grDevices::dev.cur()
    expect_gt(picture_ggplot_text_inches("MM", 10), picture_ggplot_text_inches("ii", 10))
    expect_identical(grDevices::dev.cur(), device)
  })
  expect_identical(picture_ggplot_text_inches(character(), 10), numeric())
})

test_that("small pictures leave names out rather than write them over each other", {
  draw({
    graphics::plot.new()
    rows <- picture_base_room_for_names(picture_name_axis(paste("row", 1:40)), 1, 2, "y")
    expect_gte(rows$cex, SMALLEST)
    shown <- which(nzchar(rows$labels))
    expect_gte(min(diff(shown)) * 1 / 40, .6 * rows$cex * graphics::par("csi"))
    columns <- picture_name_axis(c("setosa", "versicolor", "virginica"))
    # names of a part of the rows have all of their height
    expect_identical(sum(nzchar(picture_base_room_for_names(picture_name_axis(paste("row", 1:12), cut = "the first"), 1,
                                                            2, "y")$labels)), 12L)
    expect_identical(picture_base_room_for_names(columns, 4, 1, "x")$las, 1)
    expect_identical(picture_base_room_for_names(columns, 1, 1, "x")$las, 2)
    ends <- data.frame(label = "a long name of a line")
    expect_true(picture_base_room_for_ends(ends, 1, .75))
    expect_false(picture_base_room_for_ends(ends, .2, .75))
  })
  expect_identical(picture_base_two_lines("coefficient x scale of its column"), "coefficient x\nscale of its column")
  expect_identical(picture_base_two_lines("loss"), "loss")
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

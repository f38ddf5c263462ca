# The sources of many fits in one map.

map_case <- function(seed = 1) {
  with_seed(seed, {
    x <- named_columns(rnorm(200), 20, "x")
    h <- named_columns(rnorm(120), 20, "h")
    fits <- lapply(c(north = 1, south = 2, east = 3), function(k) {
      greedytl(x, h[, k] + x[, k] + rnorm(20) / 3, sources = h, max_steps = 5)
    })
    list(x = x, h = h, fits = fits)
  })
}

test_that("weights are the fits' coefficients times the scale of the source", {
  d <- map_case()
  for (step in list(NULL, 2)) {
    map <- source_map(d$fits, step = step, sources = colnames(d$h))
    raw <- source_map(d$fits, step = step, sources = colnames(d$h), scaled = FALSE)
    for (target in names(d$fits)) {
      fit <- d$fits[[target]]
      b <- coef(fit, step = step)[colnames(d$h)]
      mine <- map$target == target
      expect_equal(raw$weight[mine], unname(b))
      sd <- fit$scale[colnames(d$h)]
      expect_equal(map$weight[mine], unname(ifelse(b == 0, 0, b * sd)))
    }
  }
})

test_that("sources are those of all fits, in their order; those asked for are shown alone", {
  d <- map_case()
  map <- source_map(d$fits)
  expect_s3_class(map, "data.frame")
  used <- Reduce(union, lapply(d$fits, function(fit) {
    intersect(colnames(d$h), names(which(coef(fit) != 0)))
  }))
  expect_identical(unique(map$source), colnames(d$h)[colnames(d$h) %in% used])
  expect_identical(unique(map$target), names(d$fits))
  expect_identical(unique(source_map(d$fits, sources = c("h3", "h1"))$source), c("h3", "h1"))

  other <- greedytl(d$x, d$h[, 1], sources = cbind(zeta = d$h[, 1] + .1))
  both <- source_map(c(d$fits["north"], list(west = other)))
  expect_true("zeta" %in% both$source)
  expect_identical(both$weight[both$target == "north" & both$source == "zeta"], 0)
})

test_that("a fit of several classes has a column for each", {
  d <- with_seed(5, {
    x <- as.matrix(iris[1:4])
    list(fit = greedytl(x, iris$Species, sources = cbind(s1 = x[, 1] - x[, 2], s2 = x[, 3])))
  })
  map <- source_map(list(iris = d$fit))
  expect_identical(unique(map$target), paste0("iris: ", levels(iris$Species)))
})

test_that("only the heaviest sources of very many are shown", {
  d <- with_seed(6, {
    x <- matrix(rnorm(60), 30)
    h <- named_columns(rnorm(30 * 90), 30, "h")
    list(fits = lapply(stats::setNames(1:12, letters[1:12]), function(k) {
      greedytl(x, rowSums(h[, k * 7 - 6:0]) + rnorm(30), sources = h)
    }))
  })
  map <- source_map(d$fits)
  expect_equal(length(unique(map$source)), 60)
  expect_gt(attr(map, "n_entered"), 60)
  all <- source_map(d$fits, sources = paste0("h", 1:90))
  size <- tapply(abs(all$weight), all$source, max)
  expect_gte(min(size[unique(map$source)]), max(size[setdiff(names(size), map$source)]))
})

test_that("the map is drawn, the same by both kinds of graphics", {
  map <- source_map(map_case()$fits)
  expect_identical(draw(plot(map, main = "Sources")), map)
  tiles <- described_marks(picture_of(plot(map)), "tile")
  expect_equal(tiles$value, map$weight)
  expect_equal(nrow(tiles), nrow(map))
  expect_identical(picture_of(plot(source_map(map_case()$fits, sources = "h3")))$note,
                   paste0("1 of 6 sources shown; ", attr(map, "n_entered"),
                          " have weight for some target"))
  part <- map[map$target != "south", ]
  expect_equal(max(described_marks(picture_of(plot(part)), "tile")$x), 2)
  expect_no_error(draw(plot(part)))
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(map)
  expect_s3_class(picture, "ggplot")
  drawn <- gg_marks(picture, "GeomTile")
  expect_equal(sort(paste(drawn$x, drawn$y)), sort(paste(tiles$x, tiles$y)))
})

test_that("bad arguments are refused by name", {
  d <- map_case()
  expect_error(source_map(d$fits$north), "`fits`", class = "transelect_error")
  expect_error(source_map(unname(d$fits)), "without a name", class = "transelect_error")
  expect_error(source_map(list()), "`fits`", class = "transelect_error")
  expect_error(source_map(list(a = greedytl(mpg ~ ., mtcars))), "not a fit with sources")
  expect_error(source_map(d$fits, step = 1:2), "`step`", class = "transelect_error")
  expect_error(source_map(d$fits, step = 99), "step", class = "transelect_error")
  expect_error(source_map(d$fits, sources = "zz"), "zz", class = "transelect_error")
  expect_error(source_map(d$fits, scaled = NA), "`scaled`", class = "transelect_error")
  expect_error(source_map(d$fits, stp = 1), "no argument `stp`", class = "transelect_error")
})

test_that("the target itself, weights of zero and sources that a fit was not offered are told apart", {
  h <- with_seed(1, matrix(rnorm(300), 60, dimnames = list(NULL, letters[1:5])))
  y <- with_seed(2, matrix(rnorm(180), 60, dimnames = list(NULL, c("c", "a", "b")))) + h[, 4]
  fits <- lapply(c(c = "c", a = "a", b = "b"), function(t) {
    lost <- c(t, if (t == "a") "e")
    suppressMessages(greedytl(y[, t, drop = FALSE], y[, t], sources = h[, setdiff(letters[1:5], lost)]))
  })
  map <- source_map(fits, sources = c("c", "a", "b", "d", "e"))
  expect_identical(map$kind[map$target == map$source], rep("self", 3))
  expect_identical(map$kind[map$target == "a" & map$source == "e"], "unused")
  expect_true(all((map$kind == "weight") == (map$weight != 0)))
  found <- unique(source_map(fits)$source)
  expect_identical(found, intersect(c("c", "a", "b", "d", "e"), found)) # as the targets are, then the others
  picture <- picture_of(plot(map))
  expect_match(picture$note, "the target itself.*not offered")
  expect_equal(nrow(described_marks(picture, "text")), sum(map$kind %in% c("self", "unused")))
})

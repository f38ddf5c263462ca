# products(): the path on products is the path on the matrix of all products.

test_that("features are numbered and named as they are written out", {
  x <- draw_case(1, n = 9, p = 5)$x
  for (kind in product_kinds) for (p in 1:5) {
    if (p == 1 && !any(kind)) next
    map <- products(x[, seq_len(p), drop = FALSE], squares = kind[1], singles = kind[2])
    all <- naive_products(x[, seq_len(p), drop = FALSE], kind[1], kind[2])
    expect_equal(map$units, ncol(all))
    expect_identical(products_labels(map, seq_len(map$units), colnames(x)[seq_len(p)], p), colnames(all))
    made <- products_blueprint(map, rev(seq_len(map$units)), map$blueprint, p)
    expect_equal(frame_map_expanded(made, map$x), all[, rev(seq_len(map$units)), drop = FALSE])
  }
  bare <- products(unname(x))
  expect_identical(products_labels(bare, 1:2, NULL, 5), c("V1:V2", "V1:V3"))
})

# Classes of a case with three levels.
product_case <- function(seed, kind = "random", n = 40, p = 6) {
  case <- draw_case(seed, kind, n = n, p = p, s = 3)
  signal <- case$x[, 1] * case$x[, 2] + case$x[, min(4, p)]
  case$y <- signal + case$y
  case$three <- cut(rank(case$y, ties.method = "first"), c(0, n / 3, 2 * n / 3, n), c("low", "mid", "high"))
  case$two <- factor(ifelse(rank(case$y, ties.method = "first") > n / 2, "up", "down"))
  case
}

same_models <- function(ours, twin, new, tolerance = 1e-6) {
  expect_identical(ours$steps$entered, twin$steps$entered)
  for (step in unique(c(1, max(ours$points$step)))) {
    a <- coef(ours, step = step)
    b <- coef(twin, step = step)
    if (is.list(a)) {
      a <- do.call(cbind, a)
      b <- do.call(cbind, b)
      b <- b[rowSums(b != 0) > 0 | rownames(b) == "(Intercept)", , drop = FALSE]
      a <- a[match(rownames(b), rownames(a)), , drop = FALSE]
    } else {
      a <- a[a != 0]
      b <- b[b != 0]
      a <- a[match(names(b), names(a))]
    }
    expect_equal(a, b, tolerance = tolerance)
  }
  invisible()
}

test_that("shareboost on products is shareboost on the matrix, by every rule", {
  for (kind in case_kinds) for (form in product_kinds) {
    case <- product_case(2, kind)
    z <- naive_products(case$x, form[1], form[2])
    map <- products(case$x, form[1], form[2])
    for (rule in c("orthogonal", "gradient")) {
      ours <- suppressMessages(shareboost(map, case$three, rule = rule, max_steps = 4, weights = case$weights))
      twin <- suppressMessages(shareboost(z, case$three, rule = rule, max_steps = 4, weights = case$weights))
      same_models(ours, twin)
      expect_equal(ours$steps$loss, twin$steps$loss, tolerance = 1e-8)
      expect_equal(ours$steps$score, twin$steps$score, tolerance = 1e-6)
    }
  }
  case <- product_case(3)
  z <- naive_products(case$x)
  map <- products(case$x)
  for (rule in c("line", "column", "full")) {
    same_models(shareboost(map, case$three, rule = rule, max_steps = 2, control = shareboost_control(shortlist = 6)),
                shareboost(z, case$three, rule = rule, max_steps = 2, control = shareboost_control(shortlist = 6)))
  }
  expect_identical(unique(shareboost(map, case$three, max_steps = 2)$steps$type[-1]), "product")
  set.seed(1)
  ours <- shareboost(map, case$two, control = shareboost_control(candidates = 5), max_steps = 4)
  set.seed(1)
  same_models(ours, shareboost(z, case$two, control = shareboost_control(candidates = 5), max_steps = 4))
  kept <- shareboost(map, case$two, keep = c("x2:x5", "x1:x3"), max_steps = 3)
  expect_identical(kept$steps$entered[2:3], c("x2:x5", "x1:x3"))
})

test_that("many rows and columns: runs of rows, panels and threads", {
  with_seed(4, {
    x <- named_columns(rnorm(1503 * 40), 1503, "x")
    y <- factor(max.col(cbind(x[, 1] * x[, 2], x[, 3] * x[, 30], x[, 5] * x[, 6]) + rnorm(4509)))
  })
  z <- naive_products(x, TRUE, TRUE)
  map <- products(x, TRUE, TRUE)
  ours <- shareboost(map, y, max_steps = 5)
  same_models(ours, shareboost(z, y, max_steps = 5))
  old <- options(transelect.threads = 2)
  on.exit(options(old))
  threaded <- shareboost(map, y, max_steps = 5)
  expect_identical(threaded$beta, ours$beta)
  number <- x[, 1] * x[, 2] + x[, 7] + rnorm(1503)
  two <- greedytl(map, number, max_steps = 5)
  options(transelect.threads = 1)
  expect_identical(greedytl(map, number, max_steps = 5)$beta, two$beta)
  same_models(two, greedytl(z, number, max_steps = 5))
})

test_that("greedytl on products is greedytl on the matrix, beside sources", {
  for (kind in case_kinds) for (form in product_kinds[c("pairs", "both")]) {
    case <- product_case(5, kind, n = 20, p = 6)
    z <- naive_products(case$x, form[1], form[2])
    map <- products(case$x, form[1], form[2])
    for (y in list(case$y, case$two)) for (rule in c("transfer", "paper")) {
      ours <- greedytl(map, y, case$h, rule = rule, max_steps = 6, weights = case$weights)
      twin <- greedytl(z, y, case$h, rule = rule, max_steps = 6, weights = case$weights)
      same_models(ours, twin, tolerance = 1e-5)
      expect_equal(ours$ridge$weight, twin$ridge$weight, tolerance = 1e-5)
      new <- named_columns(rnorm(30), 5, "x")
      h <- named_columns(rnorm(15), 5, "h")
      expect_equal(suppressMessages(predict(ours, new, sources = h, type = "link")),
                   suppressMessages(predict(twin, naive_products(new, form[1], form[2]), sources = h, type = "link")),
                   tolerance = 1e-5)
    }
  }
  case <- product_case(6, n = 60, p = 4)
  z <- naive_products(case$x, TRUE, TRUE)
  map <- products(case$x, TRUE, TRUE)
  # fewer columns than rows: the evidence goes by Z'Z
  same_models(greedytl(map, case$y), greedytl(z, case$y))
  # several problems in lockstep
  same_models(greedytl(map, case$three, max_steps = 4), greedytl(z, case$three, max_steps = 4))
  same_models(greedytl(map, case$y, lambda = .1, keep = "x1:x4", max_steps = 4),
              greedytl(z, case$y, lambda = .1, keep = "x1:x4", max_steps = 4))
  set.seed(2)
  ours <- greedytl(map, case$y, control = greedytl_control(candidates = 4), max_steps = 4)
  set.seed(2)
  same_models(ours, greedytl(z, case$y, control = greedytl_control(candidates = 4), max_steps = 4))
  expect_identical(greedytl(map, case$y)$loo$loo, greedytl(map, case$y)$loo$loo)
  expect_equal(greedytl(map, case$y, case$h)$loo, greedytl(z, case$y, case$h)$loo, tolerance = 1e-7)
})

test_that("tgreedy on products is tgreedy on the matrix, domains in order or mixed", {
  for (kind in case_kinds) {
    case <- product_case(7, kind, n = 48, p = 5)
    z <- naive_products(case$x, TRUE, TRUE)
    map <- products(case$x, TRUE, TRUE)
    for (domain in list(rep(c("a", "b", "c"), each = 16), rep(c("a", "b", "c"), 16))) {
      for (rule in c("gain", "t", "greedy")) {
        run <- function(x, y, ...) suppressMessages(tgreedy(x, y, domain, rule = rule, max_steps = 4, ...))
        for (y in list(case$y, case$two)) {
          ours <- run(map, y)
          twin <- run(z, y)
          same_models(ours, twin, tolerance = 1e-5)
          expect_equal(ours$domain_loss, twin$domain_loss, tolerance = 1e-6)
          expect_equal(fitted(ours), fitted(twin), tolerance = 1e-6)
        }
      }
      refits <- tgreedy_control(update = "refit")
      same_models(run(map, case$y, control = refits), run(z, case$y, control = refits), tolerance = 1e-5)
    }
  }
  more <- list(x = draw_case(8, n = 30, p = 5)$x, domain = rep(c("a", "b", "d"), 10))
  all <- list(x = naive_products(more$x, TRUE, TRUE), domain = more$domain)
  case <- product_case(7, n = 48, p = 5)
  domain <- rep(c("a", "b", "c"), each = 16)
  for (update in c("stagewise", "refit")) {
    ours <- tgreedy(products(case$x, TRUE, TRUE), case$y, domain,
                    control = tgreedy_control(update = update), unlabelled = more, max_steps = 4)
    same_models(ours, tgreedy(naive_products(case$x, TRUE, TRUE), case$y, domain,
                              control = tgreedy_control(update = update),
                              unlabelled = all, max_steps = 4))
  }
})

test_that("tgreedy on products beside kept ones is tgreedy on the matrix", {
  case <- product_case(13, n = 48, p = 5)
  z <- naive_products(case$x, TRUE, TRUE)
  map <- products(case$x, TRUE, TRUE)
  domain <- rep(c("a", "b", "c"), 16)
  new <- named_columns(rnorm(20), 4, "x")
  for (y in list(case$y, case$three)) for (update in c("stagewise", "refit")) {
    run <- function(x, rows, ...) {
      tgreedy(x, y[rows], domain[rows], keep = c("x3", "x1:x4"), max_steps = 3,
              control = tgreedy_control(update = update, stop = "none"), ...)
    }
    all <- seq_along(domain)
    ours <- run(map, all)
    same_models(ours, run(z, all))
    expect_lte(length(variable.names(ours, step = 0)), 5)
    expect_equal(predict(ours, new), predict(run(z, all), naive_products(new, TRUE, TRUE)))
    first <- 1:30
    again <- refit(run(products(case$x[first, ], TRUE, TRUE), first), case$x[-first, ], y = y[-first],
                   domain = domain[-first])
    same_models(again, run(z[-first, ], -first))
  }
  bare <- tgreedy(products(unname(case$x)), case$y, domain, keep = 2, max_steps = 1)
  expect_equal(unname(coef(bare, step = 0)["V1:V3"]), unname(coef(lm(case$y ~ I(case$x[, 1] * case$x[, 3])))[2]))
  expect_equal(cv_path(map, case$y, fit = tgreedy, domain = domain, keep = "x3")$cvm,
               cv_path(z, case$y, fit = tgreedy, domain = domain, keep = "x3")$cvm, tolerance = 1e-6)
  long <- structure(list(x = matrix(0, 1e6, 20), units = 190), class = c("products", "feature_map"))
  expect_error(products_written_out(list(x = long), NULL), "1.5 GB",
               class = "transelect_error_keep")
})

test_that("cross-validation and comparison take products", {
  case <- product_case(9, n = 36, p = 5)
  foldid <- rep_len(1:4, 36)
  z <- naive_products(case$x, FALSE, TRUE)
  map <- products(case$x, singles = TRUE)
  for (fit in list(greedytl, function(x, ...) greedytl(x, max_steps = 4, ...))) {
    expect_equal(cv_path(map, case$y, fit = fit, foldid = foldid)$cvm,
                 cv_path(z, case$y, fit = fit, foldid = foldid)$cvm, tolerance = 1e-6)
  }
  expect_equal(cv_path(map, case$three, fit = shareboost, foldid = foldid, max_steps = 4)$cvm,
               cv_path(z, case$three, fit = shareboost, foldid = foldid, max_steps = 4)$cvm)
  domain <- rep(c("a", "b", "c"), 12)
  expect_equal(cv_path(map, case$y, fit = tgreedy, domain = domain)$cvm,
               cv_path(z, case$y, fit = tgreedy, domain = domain)$cvm, tolerance = 1e-6)
  both <- compare_paths(map, case$y, list(ours = greedytl), foldid = foldid)
  expect_equal(both$loss[1], compare_paths(z, case$y, list(ours = greedytl), foldid = foldid)$loss[1],
               tolerance = 1e-6)
})

test_that("a fit to products is fitted again to other rows", {
  case <- product_case(12, n = 60, p = 5)
  first <- 1:30
  z <- naive_products(case$x, TRUE)
  domain <- rep(c("a", "b", "c"), 20)
  map <- products(case$x[first, ], squares = TRUE)
  again <- refit(greedytl(map, case$y[first], max_steps = 3), case$x[-first, ], y = case$y[-first])
  same_models(again, greedytl(z[-first, ], case$y[-first], max_steps = 3))
  again <- refit(shareboost(map, case$two[first], max_steps = 3), case$x[-first, ], y = case$two[-first])
  same_models(again, shareboost(z[-first, ], case$two[-first], max_steps = 3))
  again <- refit(tgreedy(map, case$y[first], domain[first], max_steps = 3), case$x[-first, ], y = case$y[-first],
                 domain = domain[-first])
  same_models(again, tgreedy(z[-first, ], case$y[-first], domain[-first], max_steps = 3))
})

test_that("new rows need the columns of the products only, a saved fit predicts, pictures are drawn", {
  case <- product_case(10, n = 40, p = 6)
  data <- data.frame(case$x)
  data$site <- factor(rep(c("u", "v"), 20))
  fit <- greedytl(products(data, singles = TRUE), case$y, max_steps = 3, rule = "paper")
  used <- variable.names(fit)
  needed <- unique(unlist(strsplit(used, ":")))
  needed[startsWith(needed, "site")] <- "site"
  expect_equal(predict(fit, data[needed]), predict(fit, data))
  expect_equal(unname(predict(fit, data)), unname(fitted(fit)))
  file <- tempfile()
  on.exit(unlink(file))
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), data[1:3, ]), predict(fit, data[1:3, ]))
  expect_lt(file.size(file), 20000)
  draw(plot(fit))
  expect_output(print(fit), "features")
  expect_identical(glance(fit)$features, 7L)
  expect_output(print(products(data, TRUE, TRUE)), "35 features of 7 columns (with squares and the columns themselves)",
                fixed = TRUE)
  empty <- greedytl(products(case$x), case$y, max_steps = 0)
  expect_equal(unname(predict(empty, case$x[1:2, ])), rep(mean(case$y), 2))
})

test_that("bad inputs are named", {
  x <- draw_case(11, n = 12, p = 3)$x
  y <- rnorm(12)
  expect_error(products(), class = "transelect_error_x")
  expect_error(products(x[, 1, drop = FALSE]), "squares", class = "transelect_error_x")
  expect_error(products(x, squares = 1), class = "transelect_error_squares")
  expect_error(products(x, singles = NA), class = "transelect_error_singles")
  expect_error(products(x, sqares = TRUE), "squares", class = "transelect_error_argument")
  expect_error(products(replace(x, 2, NA)), class = "transelect_error_x")
  colnames(x) <- c("a", "b", "a:b")
  expect_error(products(x, singles = TRUE), "a:b", class = "transelect_error_x")
  expect_s3_class(products(x), "products")
  colnames(x) <- c("a", "b", "c")
  expect_error(tlcp(products(x), y), "greedytl", class = "transelect_error_x")
  expect_error(msplit(products(x), y), class = "transelect_error_x")
  expect_error(greedytl(stumps(x), y), "shareboost", class = "transelect_error_x")
  expect_error(greedytl(y ~ products(x)), "products", class = "transelect_error_formula")
  expect_error(greedytl(products(x), y, keep = "a:d"), class = "transelect_error_keep")
  expect_error(greedytl(products(x), y, max_steps = 4), class = "transelect_error_max_steps")
  expect_error(shareboost(products(x), factor(y > 0), groups = 1:3), class = "transelect_error_groups")
  expect_error(greedytl(products(x * 1e160), y), "a:b", class = "transelect_error_x")
  expect_error(shareboost(products(x * 1e160), factor(y > 0)), class = "transelect_error_x")
  expect_error(tgreedy(products(x * 1e160), y, rep(1:2, 6)), class = "transelect_error_x")
})

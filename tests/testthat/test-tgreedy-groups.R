# tgreedy(groups = ): columns that enter whole, against the naive twin and against what they must equal.

# Numbers, and two factors as zeros and ones; `kind` names what makes them degenerate.
draw_grouped <- function(seed, kind = "plain") {
  with_seed(seed, {
    K <- sample(c(2:4, 6, 9), 1)
    n <- K * sample(6:20, 1)
    domain <- sample(c(rep(letters[1:K], 3), sample(letters[1:K], n - 3 * K, TRUE)))
    k <- match(domain, letters)
    f <- sample(c("u", "v", "w", "z"), n, TRUE)
    g <- sample(c("p", "q", "r"), n, TRUE)
    if (kind == "absent") f[k == 1 & f == "z"] <- "u"
    if (kind == "alone") {
      f[f == "z"] <- "u"
      f[which(k == 1)[1:2]] <- "z"
    }
    number <- matrix(rnorm(3 * n), n) + rnorm(K)[k]
    if (kind == "correlated") number[, 2] <- number[, 1] + .1 * number[, 2]
    F <- outer(f, c("u", "v", "w", "z"), "==") + 0
    G <- outer(g, c("p", "q", "r"), "==") + 0
    if (kind != "collinear") { # with it the columns of a factor add up to the intercept
      F <- F[, -1]
      G <- G[, -1]
    }
    x <- cbind(number[, 1], F, number[, 2:3], G, if (kind == "constant") cbind(rep(2, n), -1),
               if (kind == "copies") F)
    groups <- c("a", rep("f", ncol(F)), "b", "b", rep("g", ncol(G)), if (kind == "constant") c("k", "k"),
                if (kind == "copies") rep("h", ncol(F)))
    if (kind == "tied") x <- round(x)
    order <- sample(ncol(x))
    y <- (f == "w") * 2 + number[, 1] + (g == "p") * rnorm(K)[k] + rnorm(K)[k] + rnorm(n)
    list(x = named_columns(x[, order], n, "x"), y = y, domain = domain, groups = groups[order],
         weights = sample(1:4, n, TRUE) / 3, f = f, number = number[, 1])
  })
}

grouped_kinds <- c("plain", "absent", "alone", "correlated", "collinear", "constant", "copies", "tied")

grouped_pair <- function(d, ..., max_steps = 3) {
  pair <- tgreedy_pair(d, max_steps = max_steps, groups = d$groups, ...)
  picked <- match(pair$fit$steps$entered[-1], unique(d$groups))
  if (!identical(picked, unname(pair$twin$order))) { # equally good ones
    pair$twin <- naive_tgreedy(d$x, d$y, d$domain, groups = d$groups, max_features = max_steps, follow = picked, ...)
    expect_lt(max(0, pair$twin$shortfall), 1e-9)
  }
  pair
}

test_that("groups follow the naive twin, whatever the rule and the columns", {
  for (seed in 1:5) {
    for (kind in grouped_kinds) {
      d <- draw_grouped(10 * seed + match(kind, grouped_kinds), kind)
      for (rule in c("gain", "t", "modt", "greedy")) {
        pair <- grouped_pair(d, rule = rule, stop = if (seed == 2) "bonferroni" else "none",
                             weights = if (seed == 3) d$weights, standardize = seed != 4, intercept = seed != 5)
        expect_tgreedy_twin(pair, label = paste(rule, kind, seed))
      }
      pair <- grouped_pair(d, rule = "t", update = "refit", stop = "none")
      pair$twin$table$weight <- pair$fit$steps$weight[-1]
      expect_tgreedy_twin(pair, label = paste("refit", kind, seed))
    }
  }
})

test_that("the gain of a group is that of its step on a domain left out", {
  d <- draw_grouped(7)
  # E_k XX' is the same in every domain, so that the gain depends on the step alone
  k <- match(d$domain, unique(d$domain))
  x <- matrix(rnorm(9 * 40 * 3), 360)
  domain <- rep(1:9, each = 40)
  for (j in 1:9) x[domain == j, ] <- qr.Q(qr(scale(x[domain == j, ], scale = FALSE))) * sqrt(40)
  y <- x[, 1] + rnorm(9)[domain] * x[, 2] + rnorm(360)
  y <- y - ave(y, domain)
  for (nu in c(.3, 1)) {
    groups <- c("g", "g", "g")
    fit <- tgreedy(cbind(x %*% matrix(c(1, 2, 0, 1, -1, 1, 0, 0, 3), 3)), y, domain, nu = nu, groups = groups,
                   rule = "greedy", max_steps = 1)
    m <- apply(x * y, 2, tapply, domain, mean)
    gain <- vapply(1:9, function(j) {
      step <- nu * colMeans(m[-j, ])
      2 * sum(step * m[j, ]) - sum(step^2)
    }, 0)
    # there is one group, so moderation leaves its variance as it is
    expect_equal(fit$steps$gain[2], mean(gain))
    expect_equal(fit$steps$mu[2], sqrt(sum(colMeans(m)^2)))
    f <- 9 * fit$steps$mu[2]^2 / fit$steps$s[2]^2
    expect_equal(fit$steps$p_value[2], pf(f, 3, 24, lower.tail = FALSE))
  }
})

test_that("a group of one column is that column, and a group is its span", {
  d <- draw_grouped(3)
  alone <- tgreedy(d$x, d$y, d$domain, max_steps = 4, groups = seq_len(ncol(d$x)))
  expect_identical(alone$steps, tgreedy(d$x, d$y, d$domain, max_steps = 4)$steps)
  # a group of which one column varies is that column
  beside <- cbind(d$x, one = 1)
  fit <- tgreedy(beside, d$y, d$domain, max_steps = 4, groups = c(colnames(d$x)[-1], "last", "last")[c(1:7, 8, 8)])
  plain <- tgreedy(d$x, d$y, d$domain, max_steps = 4)
  expect_equal(fit$steps$t, plain$steps$t)
  expect_equal(as.matrix(fit$beta)[colnames(d$x), ], as.matrix(plain$beta), ignore_attr = TRUE)
  # another coding of the same factor
  site <- d$domain
  data <- data.frame(y = d$y, number = d$number, f = factor(d$f), site = site)
  one <- tgreedy(y ~ number + f, data, domain = site, control = tgreedy_control(stop = "none"), max_steps = 2)
  turned <- replace(data, "f", list(stats::C(data$f, stats::contr.helmert)))
  other <- tgreedy(y ~ number + f, turned, domain = site, control = tgreedy_control(stop = "none"), max_steps = 2)
  columns <- c("entered", "t", "t_mod", "gain", "mu", "s", "loss", "size")
  expect_equal(other$steps[columns], one$steps[columns])
  expect_equal(unname(fitted(other)), unname(fitted(one)))
  expect_true(all(is.na(one$steps$weight[which(one$steps$entered == "f")])))
})

test_that("the factors of a formula enter whole, and groups = FALSE takes them apart", {
  d <- draw_grouped(12)
  data <- data.frame(y = d$y, number = d$number, kind = factor(d$f), sex = rep_len(c("f", "m"), length(d$y)),
                     place = d$domain)
  fit <- tgreedy(y ~ number + kind + sex, data, domain = place,
                 control = tgreedy_control(stop = "none"), max_steps = 3)
  expect_setequal(fit$steps$entered[-1], c("number", "kind", "sexm"))
  expect_identical(max(fit$steps$size), 5L)
  apart <- tgreedy(y ~ number + kind + sex, data, domain = place,
                   control = tgreedy_control(stop = "none"), groups = FALSE)
  expect_true("kindw" %in% apart$steps$entered)
  for (other in list(tgreedy(y ~ ., data, domain = place, control = tgreedy_control(stop = "none"), max_steps = 3),
                     tgreedy(data[2:4], data$y, data$place, control = tgreedy_control(stop = "none"), max_steps = 3),
                     tgreedy(y ~ number + kind + sex, data, domain = place, sparse = TRUE,
                             control = tgreedy_control(stop = "none"),
                             max_steps = 3))) {
    expect_equal(other$steps, fit$steps)
    expect_equal(coef(other), coef(fit))
  }
  expect_equal(refit(fit, data)$beta, fit$beta)
  expect_equal(unname(predict(fit, data)), unname(fitted(fit)))
  rows <- cv_path(y ~ number + kind + sex, data, domain = place, fit = tgreedy)
  sums <- cv_path(moments(y ~ number + kind + sex, data, domain = place), fit = tgreedy, by = "domain")
  expect_equal(rows$mean, sums$mean, tolerance = 1e-6)
  expect_equal(rows$nzero, rows$fit$steps$size)
  expect_s3_class(tgreedy(y ~ number + kind, data, domain = place, control = tgreedy_control(stop = "cv")), "tgreedy")
  expect_true(all(c("kindv", "kindw", "kindz") %in% tidy(fit)$term))
  expect_output(print(fit), "kind")
  line <- qt(.05 / 6, nlevels(factor(d$domain)) - 1, lower.tail = FALSE)
  picture <- picture_of(plot(fit, "t"))
  expect_match(picture$keys$label, paste0("3 features and groups: ", signif(line, 3)), all = FALSE)
  expect_identical(any(described_marks(picture, "point")$pch == 15),
                   "group of columns (no sign)" %in% picture$keys$label)
  three <- cut(d$y, 3, labels = c("l", "m", "h"))
  many <- tgreedy(data[2:4], three, data$place, prob = TRUE)
  expect_equal(unname(fitted(many)), unname(predict(many, data, type = "link")))
  two <- tgreedy(data[2:4], factor(d$y > 0), data$place, control = tgreedy_control(stop = "none"))
  expect_equal(dim(two$domain_auroc), dim(two$domain_loss))
})

test_that("groups from moments, with unlabelled rows and beside kept columns", {
  for (seed in 1:6) {
    d <- draw_grouped(40 + seed, grouped_kinds[seed])
    settings <- list(rule = c("gain", "t", "modt")[1 + seed %% 3], stop = "none", max_steps = 3,
                     update = c("stagewise", "refit")[1 + seed %% 2], standardize = seed > 2)
    run <- function(...) suppressMessages(do.call(flat(tgreedy), c(list(...), settings)))
    rows <- run(d$x, d$y, d$domain, groups = d$groups)
    sums <- run(moments(d$x, d$y, domain = d$domain), groups = d$groups)
    expect_equal(sums$steps[names(sums$steps) != "weight"], rows$steps[names(sums$steps) != "weight"], tolerance = 1e-6)
    expect_equal(sums$beta, rows$beta, tolerance = 1e-6)
    more <- draw_grouped(60 + seed)
    extra <- list(x = d$x[1:9, ] + 1, domain = c(rep(d$domain[1], 4), rep("elsewhere", 5)))
    for (update in c("stagewise", "refit")) {
      pair <- grouped_pair(d, rule = settings$rule, unlabelled = extra, update = update, stop = "none")
      pair$twin$table$weight <- pair$fit$steps$weight[-1]
      expect_tgreedy_twin(pair, label = paste("unlabelled", update, seed))
    }
    # selected are the columns that are selected of the residuals on the kept group
    balanced <- 1 / tabulate(factor(d$domain))[factor(d$domain)]
    kept <- d$groups == "f"
    away <- function(v) as.matrix(residuals(lm(v ~ d$x[, kept], weights = balanced)))
    left <- away(d$x[, !kept])
    left[, apply(d$x[, !kept], 2, sd) == 0] <- 0
    if (seed == 5) next # where rounding is what is left of some columns
    beside <- tgreedy(d$x, d$y, d$domain, groups = d$groups, keep = "f",
                      control = tgreedy_control(stop = "none"), max_steps = 2)
    other <- tgreedy(left, drop(away(d$y)), d$domain, groups = d$groups[!kept],
                     control = tgreedy_control(stop = "none"), max_steps = 2)
    expect_identical(beside$steps$entered, other$steps$entered)
    expect_equal(beside$steps$t, other$steps$t, tolerance = 1e-6)
    expect_equal(as.matrix(beside$beta)[!kept, ], as.matrix(other$beta), tolerance = 1e-6, ignore_attr = TRUE)
    expect_identical(tgreedy(d$x, d$y, d$domain, groups = d$groups, keep = which(kept)[1],
                             control = tgreedy_control(stop = "none"),
                             max_steps = 2)$beta, beside$beta)
  }
})

test_that("what a group cannot have is refused in words", {
  d <- draw_grouped(5)
  run <- function(...) tgreedy(d$x, d$y, d$domain, ...)
  expect_error(run(groups = 1:3), class = "transelect_error_groups")
  expect_error(run(groups = d$groups, control = tgreedy_control(signed = TRUE), rule = "t"), "has no sign",
               class = "transelect_error_signed")
  expect_error(run(groups = d$groups, control = tgreedy_control(stop = "theorem1")), "Theorem 1",
               class = "transelect_error_stop")
  expect_error(run(groups = d$groups, max_steps = 5), class = "transelect_error_max_steps")
  expect_error(tgreedy(products(d$x), d$y, d$domain, groups = d$groups), class = "transelect_error_groups")
  nothing <- tgreedy(cbind(d$x[, 1:2], k = 1, l = 2), d$y, d$domain, groups = c(1, 2, 3, 3),
                     control = tgreedy_control(stop = "none"))
  expect_false("3" %in% nothing$steps$entered)
})

test_that("a factor without an effect is picked as often as a column without one", {
  # of ten candidates without any effect; by the largest fall of the loss a factor wins half of the time
  first <- vapply(1:300, function(seed) {
    with_seed(seed, {
      domain <- rep(1:6, each = 20)
      x <- cbind(outer(sample(5, 120, TRUE), 2:5, "==") + 0, matrix(rnorm(120 * 9), 120))
      fit <- tgreedy(x, rnorm(120), domain, rule = "t",
                     control = tgreedy_control(stop = "none"), max_steps = 1, groups = c(0, 0, 0, 0, 1:9))
      fit$steps$entered[2] == "0"
    })
  }, NA)
  expect_lt(sum(first), 50)
  expect_gt(sum(first), 12)
})

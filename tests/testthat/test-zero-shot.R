# ---- classes never seen, from their attributes

# Three hidden properties of every class decide its attributes and its features.
zero_case <- function(seed = 1, attributes = 30, seen = 12, unseen = 4, p = 6, rows = 15) {
  with_seed(seed, {
    classes <- c(paste0("s", seq_len(seen)), paste0("u", seq_len(unseen)))
    hidden <- matrix(rnorm(3 * length(classes)), 3)
    embedding <- matrix(rnorm(3 * attributes), attributes) %*% hidden +
      rnorm(attributes * length(classes)) / 5
    dimnames(embedding) <- list(paste0("a", seq_len(attributes)), classes)
    prototypes <- matrix(rnorm(3 * p), p) %*% hidden
    dimnames(prototypes) <- list(paste0("f", seq_len(p)), classes)
    own <- seq_len(seen)
    class <- rep(classes[-own], each = rows)
    list(
      source = embedding[, own], target = embedding[, -own], prototypes = prototypes[, own],
      truth = prototypes[, -own], class = class,
      x = t(prototypes[, class]) + rnorm(length(class) * p) / 4
    )
  })
}

# Combinations of the seen classes, one column for each unseen class.
combinations <- function(fit, d, ...) {
  vapply(colnames(d$target), function(class) {
    coef(fit$fit, response = class, ...)[colnames(d$source)]
  }, numeric(ncol(d$source)))
}

test_that("the prototype of an unseen class is its embedding's combination of the seen ones", {
  d <- zero_case()
  fit <- zero_shot(d$source, d$target, d$prototypes, nu = 2, choose = "none")
  expect_s3_class(fit, "zero_shot", exact = TRUE)
  expect_s3_class(fit$fit, "msplit")
  B <- combinations(fit, d)
  expect_close(fit$prototypes, t(d$prototypes %*% B))
  expect_identical(rownames(fit$prototypes), colnames(d$target))
  expect_identical(colnames(fit$prototypes), rownames(d$prototypes))
  # and the combination is the path without an intercept
  for (class in colnames(d$target)) {
    rows <- naive_rows(d$source, d$target[, class], intercept = FALSE)
    start <- naive_dense(rows$x, rows$y, integer(), 2) / rows$scale
    expect_close(coef(fit$fit, step = 0, response = class), c(0, start))
  }
})

test_that("new rows go to the nearest prototype", {
  d <- zero_case()
  fit <- zero_shot(d$source, d$target, d$prototypes)
  distance <- predict(fit, d$x, type = "distance")
  by_hand <- apply(fit$prototypes, 1, function(one) sqrt(rowSums((d$x - rep(one, each = 60))^2)))
  expect_equal(distance, by_hand, ignore_attr = TRUE)
  expect_identical(colnames(distance), colnames(d$target))
  class <- predict(fit, d$x)
  expect_identical(levels(class), colnames(d$target))
  expect_identical(as.character(class), colnames(d$target)[apply(distance, 1, which.min)])
  expect_gt(mean(class == d$class), .8)
  expect_identical(unname(predict(fit, as.data.frame(d$x)[, 6:1])), unname(class))
  hole <- replace(d$x, 5, NA)
  expect_identical(which(is.na(predict(fit, hole))), c(u1 = 5L))
  expect_output(print(fit))
})

test_that("the order of attributes, of classes and of features does not matter", {
  d <- zero_case(2)
  a <- zero_shot(d$source, d$target, d$prototypes, nu = 2)
  b <- zero_shot(
    d$source[30:1, 12:1], d$target[c(5, 1:4, 6:30), 4:1], d$prototypes[6:1, c(3, 1:2, 4:12)],
    nu = 2
  )
  expect_close(a$prototypes, b$prototypes[rownames(a$prototypes), colnames(a$prototypes)])
  expect_identical(as.character(predict(a, d$x)), as.character(predict(b, d$x)))
})

test_that("choose = \"classes\" leaves each seen class out", {
  d <- zero_case(3)
  nus <- c(.5, 5)
  fit <- zero_shot(d$source, d$target, d$prototypes, nu = nus, choose = "classes")
  table <- fit$choice
  expect_setequal(unique(table$lambda), nus)
  for (nu in nus) {
    start <- vapply(seq_len(12), function(k) {
      rows <- naive_rows(d$source[, -k], d$source[, k], intercept = FALSE)
      b <- naive_dense(rows$x, rows$y, integer(), nu) / rows$scale
      sum((d$prototypes[, k] - d$prototypes[, -k] %*% b)^2)
    }, 0)
    expect_close(table$error[table$lambda == nu & table$t == 0], mean(start))
  }
  best <- table[which.min(table$error), ]
  B <- combinations(fit, d, t = best$t, nu = best$lambda)
  expect_close(fit$prototypes, t(d$prototypes %*% B))
})

test_that("each unseen class has its strong relatives, and at a point of the path its support", {
  d <- zero_case(4)
  fit <- zero_shot(d$source, d$target, d$prototypes, nu = 2, choose = "none")
  table <- signals(fit)
  probability <- inclusion_probability(fit$fit)
  for (class in colnames(d$target)) {
    one <- table[table$response == class, ]
    expect_setequal(one$term[one$signal == "strong"],
                    colnames(d$source)[naive_strong(probability[, class], .1)])
  }
  expect_output(print(fit), "strong")
  table <- signals(fit, step = max(fit$fit$points$step))
  expect_setequal(table$response, colnames(d$target))
  for (class in colnames(d$target)) {
    one <- table[table$response == class, ]
    expect_setequal(one$term, colnames(d$source))
    gamma <- coef(fit$fit, response = class, estimator = "gamma")[-1]
    expect_setequal(one$term[one$signal == "in the support"], names(gamma)[gamma != 0])
  }
})

test_that("bad input of zero_shot() is refused by name", {
  d <- zero_case()
  short <- d$source[-1, ]
  hole <- replace(d$source, 2, NA)
  other <- d$prototypes
  colnames(other)[1] <- "elsewhere"
  unnamed <- function(x) {
    colnames(x)[2] <- ""
    x
  }
  fit <- zero_shot(d$source, d$target, d$prototypes, nu = 2, choose = "none")
  expect_refused(
    zero_shot(d$source), "embeddings_target: `embeddings_target`",
    zero_shot(d$source, d$target), "prototypes_source: `prototypes_source`",
    zero_shot(d$source, cbind(d$target, flat = 1), d$prototypes), 'embeddings_target: `embeddings_target` "flat"',
    zero_shot(d$source[, 1:2], d$target, d$prototypes[, 1:2], choose = "classes"), 'choose: `choose` "classes" 2',
    zero_shot("a", d$target, d$prototypes), "embeddings_source: `embeddings_source`",
    zero_shot(hole, d$target, d$prototypes), "embeddings_source: `embeddings_source` 1",
    zero_shot(unname(short), unname(d$target), d$prototypes),
    "embeddings_target: `embeddings_source` 29 `embeddings_target` 30",
    zero_shot(d$source, d$target[, 0], d$prototypes), "embeddings_target: `embeddings_target`",
    zero_shot(d$source, d$target, other), 'prototypes_source: `prototypes_source` "s1"',
    zero_shot(d$source, d$target, d$prototypes[, -1]), 'prototypes_source: `prototypes_source` "s1"',
    zero_shot(d$source, d$target, d$prototypes, choose = "aic"), 'choose: `choose` "aic"',
    zero_shot(d$source, d$target, d$prototypes, nu = -1), "nu: `nu` -1",
    zero_shot(d$source, d$target, d$prototypes, colour = 2), "argument: `colour`",
    predict(fit), "newdata: `newdata`",
    predict(fit, NULL), "newdata: `newdata`",
    zero_shot(d$source, d$target, d$prototypes, method = "lbi", choose = "ridge"),
    'choose: `choose` "ridge" `method` "lbi"',
    predict(fit, d$x[, 1:3]), 'newdata: `newdata` 3 "f4" "f5" "f6"',
    predict(fit, d$x, type = "prob"), 'type: `type` "prob"',
    predict(fit, as.data.frame(d$x)[0, 1:3]), 'newdata: `newdata` 3 "f4" "f5" "f6"',
    zero_shot(unnamed(d$source), d$target, d$prototypes), 'embeddings_source: `embeddings_source` ""',
    zero_shot(d$source, unnamed(d$target), d$prototypes), 'embeddings_target: `embeddings_target` ""'
  )
})

test_that("of no rows there are no classes and no distances", {
  d <- zero_case()
  fit <- zero_shot(d$source, d$target, d$prototypes, nu = 2, choose = "none")
  for (none in list(d$x[0, ], as.data.frame(d$x)[0, ], unname(d$x)[0, ])) {
    expect_identical(predict(fit, none), factor(character(), colnames(d$target)))
    distance <- predict(fit, none, type = "distance")
    expect_identical(dim(distance), c(0L, 4L))
    expect_identical(colnames(distance), colnames(d$target))
  }
})

test_that("coef(), summary(), plot(), tidy() are those of the path; one class is counted as one", {
  d <- zero_case()
  fit <- zero_shot(d$source, d$target[, 1, drop = FALSE], d$prototypes, nu = 2, choose = "none")
  expect_equal(coef(fit, step = 2), coef(fit$fit, step = 2))
  expect_s3_class(summary(fit), "summary.msplit")
  expect_identical(tidy(fit, step = 3), tidy(fit$fit, step = 3))
  expect_identical(glance(fit), glance(fit$fit))
  expect_output(print(fit), "1 unseen class from 12 seen classes by 30 attributes; 6 features")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fit), fit)
})

test_that("what is fitted belongs to the model that was chosen", {
  d <- with_seed(2, {
    A <- matrix(rnorm(240), 30, dimnames = list(paste0("a", 1:30), paste0("s", 1:8)))
    T <- A %*% (matrix(rnorm(24), 8) * .4) + matrix(rnorm(90) * .5, 30)
    colnames(T) <- paste0("n", 1:3)
    list(A = A, T = T, P = matrix(rnorm(40), 5, dimnames = list(paste0("f", 1:5), colnames(A))))
  })
  for (choose in c("classes", "ridge", "none")) {
    fit <- zero_shot(d$A, d$T, d$P, choose = choose)$fit
    expect_equal(fitted(fit), predict(fit, d$A), ignore_attr = TRUE)
    expect_equal(residuals(fit), d$T - predict(fit, d$A), ignore_attr = TRUE)
    expect_equal(colMeans(residuals(fit)^2), summary(fit)$worth$loss, ignore_attr = TRUE)
  }
  twice <- d$A
  rownames(twice)[2] <- "a1"
  expect_error(zero_shot(twice, d$T, d$P), "a1", class = "transelect_error_embeddings_source")
  expect_error(zero_shot(d$A, `rownames<-`(d$T, rownames(twice)), d$P),
               class = "transelect_error_embeddings_target")
  expect_error(zero_shot(replace(d$A, 3, NA), d$T, d$P), "1 missing",
               class = "transelect_error_embeddings_source")
})

test_that("the default is ridge with one nu for all unseen classes, that of the least sum of errors", {
  d <- with_seed(3, {
    attributes <- named_columns(rnorm(30 * 11), 30, "class")
    list(source = attributes[, 1:8], target = attributes[, 1:3] + attributes[, 9:11],
         prototypes = named_columns(rnorm(4 * 8), 4, "class"))
  })
  colnames(d$target) <- c("new1", "new2", "new3")
  fit <- zero_shot(d$source, d$target, d$prototypes)
  expect_equal(fit$fit$supports$size, c(0, 0, 0))
  scale <- sqrt(colMeans(d$source^2))
  rows <- list(x = sweep(d$source, 2, scale, "/"), y = d$target)
  ridge <- function(nu) {
    V <- diag(30) + nu / 30 * tcrossprod(rows$x)
    sum(colMeans((solve(V, rows$y) / diag(solve(V)))^2))
  }
  ridge_nu <- 10^seq(-3, 2.5, .25)
  best <- ridge_nu[which.min(vapply(ridge_nu, ridge, 0))]
  expect_equal(unique(fit$fit$supports$nu), best)
})

test_that("both pictures are those of the fit", {
  d <- with_seed(3,
                 list(source = named_columns(rnorm(30 * 8), 30, "class"), target = named_columns(rnorm(60), 30, "new"),
                      prototypes = named_columns(rnorm(4 * 8), 4, "class")))
  fit <- zero_shot(d$source, d$target, d$prototypes, nu = 1, choose = "none")
  skip_if_not_installed("ggplot2")
  expect_equal(ggplot2::autoplot(fit)$data, ggplot2::autoplot(fit$fit)$data)
  expect_error(ggplot2::autoplot(fit, whta = "path"), class = "transelect_error_argument")
})

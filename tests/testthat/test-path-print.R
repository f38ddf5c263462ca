# ---- print() and summary() of a path

said_by <- function(code) paste(utils::capture.output(code), collapse = "\n")

test_that("print names the method, the rows, the response and what stands beside the features", {
  case <- cv_case()
  expect_match(said_by(print(greedytl(case$x, case$y))), "36 rows, 8 features, 0 sources; numeric response")
  two <- greedytl(case$x, case$factor, case$h, rule = "paper", lambda = 0.5, max_steps = 2)
  expect_match(said_by(print(two)), "rule \"paper\".*3 sources; classes no \\(-1\\), yes \\(\\+1\\).*lambda: 0.5")
  expect_match(said_by(print(two)), paste("Default model: step", two$best))
  three <- greedytl(case$x, case$three)
  expect_match(said_by(print(three)), "3 classes, one against the rest\nDefault model: the average of all steps")
  domains <- tgreedy(case$x, case$y, case$domain)
  expect_match(said_by(print(domains)), "^T-greedy.*8 features, 3 domains; numeric")
  logistic <- shareboost(case$x, factor(rep_len(letters[1:6], 36)), max_steps = 2)
  expect_match(said_by(print(logistic)), "36 rows, 8 features; 6 classes: a, b, c, d, e, ...", fixed = TRUE)
})

test_that("print shows as many steps as it is told to", {
  case <- cv_case()
  fit <- greedytl(case$x, case$y, max_steps = 6)
  expect_match(said_by(print(fit, n = 3)), "... and 4 more rows in $steps", fixed = TRUE)
  expect_no_match(said_by(print(fit, n = 7)), "more rows")
})

test_that("summary has a table of coefficients a class, sources before features", {
  case <- cv_case()
  one <- summary(greedytl(case$x, case$y, sources = case$h, rule = "paper"), step = 10)
  expect_match(said_by(print(one)),
               "Step 10: df [0-9.]+, residual sum of squares.*Sources in order of entry.*Features in order")
  expect_match(said_by(print(one)), "Leave-one-out at the last step")
  six <- summary(greedytl(case$x, factor(rep_len(letters[1:6], 36)), max_steps = 3))
  told <- said_by(print(six))
  expect_match(told, "Average of all steps\n\nClass a\n.*Class d\n")
  expect_match(told, "... and 2 more classes in $coefficients", fixed = TRUE)
  none <- summary(tgreedy(case$x, case$y, case$domain), step = 0)
  expect_identical(nrow(none$coefficients$y), 0L)
  expect_no_match(said_by(print(none)), "order of entry|Ridge|Leave-one-out")
})

test_that("a summary of tlcp() says what belongs to its likelihood", {
  squares <- capture.output(summary(tlcp(mpg ~ wt + hp + qsec, data = mtcars)))
  expect_match(squares, "^Step 2: df 3, residual sum of squares 195", all = FALSE)
  expect_match(squares, "^Domains: residual standard deviation", all = FALSE)
  odds <- capture.output(summary(tlcp(am ~ wt + hp, data = mtcars, family = binomial)))
  expect_match(odds, "^Step 2: df 3, deviance 10", all = FALSE)
  expect_false(any(grepl("^Domains", odds)))
  expect_match(odds, "as if the columns had been chosen beforehand", all = FALSE)
  whole <- capture.output(summary(tlcp(am ~ wt + hp, data = mtcars, family = binomial, select = FALSE)))
  expect_match(whole, "95 % intervals, of columns that were chosen beforehand", all = FALSE)
})

test_that("a summary has the columns of a factor where the factor entered", {
  cars <- transform(mtcars, cyl = factor(cyl))
  fit <- greedytl(mpg ~ cyl + wt + hp, data = cars, average = FALSE)
  expect_identical(fit$steps$entered[-1], c("wt", "cyl", "hp"))
  expect_identical(summary(fit)$coefficients$y$term, c("wt", "cyl6", "cyl8", "hp"))
  first <- rep(c("u", "v", "u"), c(2, 1, 1)) # groups of one's own
  fit <- greedytl(as.matrix(cars[c("wt", "hp", "qsec", "drat")]), cars$mpg, groups = first, average = FALSE)
  expect_identical(summary(fit)$coefficients$y$term, c("wt", "hp", "drat", "qsec"))
})

test_that("several classes with one column in their models have its standard deviation by class", {
  set.seed(17)
  x <- matrix(rnorm(12), 12, dimnames = list(NULL, "a"))
  shares <- matrix(rexp(36), 12, dimnames = list(NULL, c("s", "t", "u")))
  fit <- greedytl(x, factor(rep(1:3, 4)), sources = shares / rowSums(shares),
                  control = greedytl_control(source_scale = "each"))
  expect_identical(dim(fit$scale), c(1L, 3L))
  expect_output(print(fit), "Greedy transfer learning")
  for (class in c("1", "2", "3")) {
    table <- summary(fit)$coefficients[[class]]
    expect_equal(table$standardised, table$estimate * fit$scale[1, class], ignore_attr = TRUE)
  }
})

test_that("a table wider than the console has fewer digits, or blocks that begin with its first column", {
  table <- data.frame(term = c("a", "b"), matrix(c(1, -1) * pi * 10^(0:11), 2, 12))
  old <- options(width = 80)
  on.exit(options(old))
  for (width in c(30L, 60L, 79L, 200L)) {
    options(width = width + 1L)
    blocks <- unname(description_blocks(table, 7))
    expect_true(all(vapply(blocks, function(block) names(block)[1] == "term", NA)))
    expect_identical(unlist(lapply(blocks, function(block) names(block)[-1])), names(table)[-1])
    lines <- unlist(lapply(blocks, function(block) utils::capture.output(print(block, row.names = FALSE))))
    expect_length(lines, 3L * length(blocks))
    expect_true(all(nchar(lines) <= width))
  }
  expect_length(blocks, 1L)
  expect_length(description_blocks(data.frame(x = strrep("a", 30), y = 1, z = 2), 7, 20L), 2L)
})


test_that("a header such as OR (95% CI) is that of its first word", {
  printed <- c("2.1 (1.57 to 2.82)", "1.6 (1.08 to 2.37)")
  plain <- suppressMessages(estimates(data.frame(term = c("a", "b"), OR = printed)))
  for (header in c("OR (95% CI)", "OR [95 % CI]", "aOR, 95% CI")) {
    table <- stats::setNames(data.frame(c("a", "b"), printed), c("term", header))
    expect_equal(suppressMessages(estimates(table)), plain, ignore_attr = TRUE)
  }
})

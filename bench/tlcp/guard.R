# How often the likelihood ratio of dissimilarity() is above 1.35, and the error of borrowing. Only definitions.

GUARD_DRAWS <- 40
GUARD_TRUTHS <- c("the other domains' own" = "same", "a part unrelated" = "sparse",
                  "unrelated" = "unrelated", "flipped signs" = "flip",
                  "others, and few" = "others")

# Domains of 30 rows, 8 normal columns, noise of variance 1; coefficients N(0, .25), the same in all other domains.
# "others": three coefficients of the target are 1 or -1, the five others are 0, and .5 in the other domains.
guard_domains <- function(truth, domains, n = 30, p = 8) {
  others <- stats::rnorm(p) / 2
  other <- stats::rnorm(p) / 2
  target <- switch(truth, same = others, flip = -others, unrelated = other,
                   sparse = other * stats::rbinom(p, 1, .4), others = c(1, -1, 1, 0, 0, 0, 0, 0))
  if (truth == "others") others <- rep(c(0, .5), c(3, 5))
  domain <- rep(seq_len(domains), each = n)
  x <- matrix(stats::rnorm(domains * n * p), ncol = p)
  signal <- ifelse(domain == 1, drop(x %*% target), drop(x %*% others))
  list(x = x, y = signal + stats::rnorm(length(domain)), domain = domain, target = target)
}

guard_draw <- function(truth, domains) {
  d <- guard_domains(truth, domains)
  x <- d$x
  y <- d$y
  domain <- d$domain
  target <- d$target
  found <- dissimilarity(moments(x, y, domain = domain), target = 1, draws = 0)
  error <- function(...) {
    fit <- suppressMessages(tlcp(x, y, domain = domain, target = 1, sizes = FALSE, ...))
    sum((stats::coef(fit)[-1] - target)^2)
  }
  own <- domain == 1
  squares <- stats::coef(stats::lm(y[own] ~ x[own, ]))[-1]
  structure(found, error = c(
    ours = error(), kept = error(select = FALSE),
    cautious = error(select = FALSE, control = tlcp_control(guard = .5)),
    always = error(select = FALSE, control = tlcp_control(guard = FALSE)),
    cv = error(select = FALSE, control = tlcp_control(guard = "cv")), lasso = guard_lasso(x, y, domain, target),
    squares = sum((squares - target)^2), alone = error(borrow = "none")
  ))
}

# The error of the lasso of all rows with a constant for each domain, by five folds.
guard_lasso <- function(x, y, domain, target) {
  if (!requireNamespace("glmnet", quietly = TRUE)) return(NA_real_)
  z <- cbind(x, outer(domain, unique(domain)[-1], `==`))
  fit <- glmnet::cv.glmnet(z, y, nlambda = 50, foldid = rep_len(1:5, length(y)))
  sum((as.numeric(stats::coef(fit, s = "lambda.min"))[1 + seq_along(target)] - target)^2)
}

# Shares in percent of targets whose ratio with all other domains together is above 1.35, of single other domains with
# such a ratio, and of single other domains whose relative dissimilarity is below 1 and 2; errors relative to Cp.
guard_row <- function(truth, others) {
  found <- replicate(GUARD_DRAWS, guard_draw(GUARD_TRUTHS[[truth]], others + 1), simplify = FALSE)
  error <- rowMeans(vapply(found, attr, c(ours = 0, kept = 0, cautious = 0, always = 0, cv = 0, lasso = 0, squares = 0,
                                         alone = 0), "error"))
  ratio <- function(way) three_digits(error[[way]] / error[["alone"]])
  percent <- function(true) round(100 * mean(unlist(true)), 1)
  data.frame(
    "target's coefficients" = truth, "other domains" = others,
    "all together safe, %" = percent(lapply(found, function(d) attr(d, "joint")$lr > 1.35)),
    "single safe, %" = percent(lapply(found, function(d) d$evidence == "for")),
    "single, relative < 1, %" = percent(lapply(found, function(d) d$relative < 1)),
    "single, relative < 2, %" = percent(lapply(found, function(d) d$relative < 2)),
    "error, hierarchical / Cp alone" = ratio("ours"), "all features kept" = ratio("kept"),
    "the same, guard = .5" = ratio("cautious"), "guard = \"cv\"" = ratio("cv"), "guard = FALSE" = ratio("always"),
    "least squares alone" = ratio("squares"), "lasso, all rows" = ratio("lasso"),
    check.names = FALSE
  )
}

# Errors of the rules for two domains, with the domains left out whose ratio is below 1.35 and without, relative to Cp.
guard_rules <- function(truth, n = 30, p = 8) {
  rules <- c("plugin", "pooled", "reml")
  errors <- replicate(GUARD_DRAWS, {
    d <- guard_domains(GUARD_TRUTHS[[truth]], 2, n, p)
    error <- function(...) {
      fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = 1, sizes = FALSE, ...))
      sum((stats::coef(fit)[-1] - d$target)^2)
    }
    c(alone = error(borrow = "none"), vapply(rules, function(rule) error(borrow = rule), 0),
      vapply(rules, function(rule) error(borrow = rule, control = tlcp_control(guard = FALSE)), 0))
  })
  error <- rowMeans(errors)
  ratio <- vapply(error[-1] / error[1], three_digits, "")
  names(ratio) <- c(rules, paste0(rules, ", guard = FALSE"))
  data.frame("target's coefficients" = truth, t(ratio), check.names = FALSE)
}

# How many times the time of the default a fit with guard = "cv" takes, in turns.
guard_time <- function(others) {
  d <- guard_domains("same", others + 1)
  seconds <- function(guard) {
    system.time(suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = 1, select = FALSE,
                                      control = tlcp_control(guard = guard))))[["elapsed"]]
  }
  times <- vapply(1:15, function(i) c(seconds(TRUE), seconds("cv")), numeric(2))
  stats::median(times[2, ]) / stats::median(times[1, ])
}

part_guard <- function() {
  set.seed(1)
  rows <- expand.grid(others = c(1, 2, 4, 9), truth = names(GUARD_TRUTHS),
                      stringsAsFactors = FALSE)
  table <- do.call(rbind, Map(guard_row, rows$truth, rows$others))
  section(
    "tlcp", "guard", "Who may borrow",
    "Domains of 30 rows, 8 normal columns, noise of variance 1, coefficients N(0, .25), the same in all other domains;",
    paste(GUARD_DRAWS, "draws a row. A part unrelated: the target has coefficients of its own, on average 60 % of"),
    "them 0. Others, and few: three coefficients of the target are 1 or -1, five are 0, where the other domains have",
    ".5. Safe: a log likelihood ratio above 1.35. Error: mean squared distance of the coefficients from the truth,",
    "divided by that of Cp on the target alone. Lasso: of all rows, with a constant for each domain.", "",
    markdown_table(table), "",
    paste0("`guard = \"cv\"` takes ", three_digits(guard_time(3)), " times the time of the default with all features ",
           "kept (three other domains)."), "",
    "The rules for two domains, which leave out the other domain where the ratio is below 1.35, and the same with",
    "`guard = FALSE`: error relative to Cp alone.", "",
    markdown_table(do.call(rbind, lapply(names(GUARD_TRUTHS), guard_rules)))
  )
}

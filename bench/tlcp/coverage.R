# Intervals of tlcp() where little or much is shared. Only definitions.

COVERAGE_DRAWS <- 60
COVERAGE_TRUTHS <- c("equal", "nearly equal", "related", "unrelated", "reversed", "one effect of its own")

# Three other domains of 100 rows, five columns.
intervals_draw <- function(family, truth, n) {
  size <- switch(family, gaussian = .5, binomial = .7, .3)
  b <- stats::rnorm(5, 0, size)
  others <- vapply(1:3, function(t) switch(truth,
    "nearly equal" = b + stats::rnorm(5, 0, .1 * size), related = b + stats::rnorm(5, 0, .5 * size),
    unrelated = stats::rnorm(5, 0, size), reversed = -b, b), numeric(5))
  if (truth == "one effect of its own") b[1] <- b[1] + 2 * size
  g <- rep(letters[1:4], c(n, 100, 100, 100))
  at <- match(g, letters)
  x <- matrix(stats::rnorm(length(g) * 5), ncol = 5, dimnames = list(NULL, paste0("x", 1:5)))
  eta <- rowSums(x * t(cbind(b, others))[at, ]) + stats::rnorm(4, 0, .3)[at]
  y <- switch(family, gaussian = eta + stats::rnorm(length(g)),
              binomial = stats::rbinom(length(g), 1, stats::plogis(eta)),
              poisson = stats::rpois(length(g), exp(1 + eta)),
              overdispersed = stats::rnbinom(length(g), mu = exp(1 + eta), size = 1.5))
  name <- if (family == "overdispersed") "poisson" else family
  fit <- function(...) {
    fit <- suppressMessages(tlcp(x, y, domain = g, target = "a", family = name, select = FALSE, ...))
    stats::confint(fit)[-1, ]
  }
  found <- fit()
  own <- tryCatch(fit(borrow = "none",
                      control = tlcp_control(dispersion = if (family == "overdispersed") "estimated")),
                  error = function(e) NULL)
  ratio <- if (is.null(own)) NA_real_ else mean(found[, 2] - found[, 1]) / mean(own[, 2] - own[, 1])
  covered <- found[, 1] <= b & b <= found[, 2]
  c(mean(covered), ratio, covered[[1]])
}

part_intervals <- function() {
  cases <- expand.grid(n = c(15, 40), family = c("gaussian", "binomial", "poisson", "overdispersed"),
                       stringsAsFactors = FALSE)
  rows <- Map(function(family, n) {
    found <- vapply(COVERAGE_TRUTHS, function(truth) {
      set.seed(1)
      draws <- replicate(COVERAGE_DRAWS, intervals_draw(family, truth, n))
      c(round(100 * mean(draws[1, ])), round(stats::median(draws[2, ], na.rm = TRUE), 2), round(100 * mean(draws[3, ])))
    }, numeric(3))
    shown <- paste0(found[1, ], " (", format(found[2, ], nsmall = 2), ")")
    cbind(data.frame(family = family, "target rows" = n, check.names = FALSE),
          as.data.frame(as.list(stats::setNames(shown, COVERAGE_TRUTHS)), check.names = FALSE),
          "that effect" = found[3, "one effect of its own"])
  }, cases$family, cases$n)
  section(
    "tlcp", "intervals", "Intervals of nominal 95 % by what the domains share",
    "Three other domains of 100 rows, five columns; per cent of the target's slopes covered, and in brackets the",
    paste("median of the widths over those of the target alone;", COVERAGE_DRAWS, "draws of five slopes, so the"),
    "standard error is about 2. That effect: per cent of draws in which the target's own effect is covered (standard error",
    "about 5). Overdispersed: negative binomial counts of theta 1.5 with `family = \"poisson\"`.", "",
    markdown_table(do.call(rbind, rows))
  )
}

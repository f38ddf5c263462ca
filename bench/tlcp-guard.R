# How often the likelihood ratio of dissimilarity() lets a target borrow. Only definitions.

GUARD_DRAWS <- 200
GUARD_TRUTHS <- c("the sources' own" = "same", "a part unrelated" = "sparse",
                  "unrelated" = "unrelated", "flipped signs" = "flip")

# Domains of 30 rows, 8 normal columns, noise 1; coefficients N(0, .25), the same in all sources.
guard_draw <- function(truth, domains, n = 30, p = 8) {
  sources <- stats::rnorm(p) / 2
  other <- stats::rnorm(p) / 2
  target <- switch(truth, same = sources, flip = -sources, unrelated = other,
                   sparse = other * stats::rbinom(p, 1, .4))
  domain <- rep(seq_len(domains), each = n)
  x <- matrix(stats::rnorm(domains * n * p), ncol = p)
  signal <- ifelse(domain == 1, drop(x %*% target), drop(x %*% sources))
  dissimilarity(x, signal + stats::rnorm(length(domain)), domain = domain, target = 1, draws = 0)
}

# Shares in percent of targets that all sources together may lend to, of single sources that may,
# and of single sources whose relative dissimilarity is below 1 and 2.
guard_row <- function(truth, sources) {
  found <- replicate(GUARD_DRAWS, guard_draw(GUARD_TRUTHS[[truth]], sources + 1), simplify = FALSE)
  percent <- function(true) round(100 * mean(unlist(true)), 1)
  data.frame(
    "target's coefficients" = truth, sources = sources,
    "all together safe, %" = percent(lapply(found, function(d) attr(d, "joint")$lr > 1.35)),
    "single safe, %" = percent(lapply(found, `[[`, "safe")),
    "single, relative < 1, %" = percent(lapply(found, function(d) d$relative < 1)),
    "single, relative < 2, %" = percent(lapply(found, function(d) d$relative < 2)),
    check.names = FALSE
  )
}

part_guard <- function() {
  set.seed(1)
  rows <- expand.grid(sources = c(1, 2, 4, 9), truth = names(GUARD_TRUTHS),
                      stringsAsFactors = FALSE)
  table <- do.call(rbind, Map(guard_row, rows$truth, rows$sources))
  section(
    "tlcp", "guard", "Who may borrow",
    "Domains of 30 rows, 8 normal columns, noise 1, coefficients N(0, .25), all sources alike;",
    paste(GUARD_DRAWS, "draws a row."), "Safe: a log likelihood ratio above 1.35.", "",
    markdown_table(table)
  )
}

# Stability selection: false features among the stable ones, beside the bounds.
# From the project root, with the package installed:
#   Rscript bench/selection.R [bound]
source("bench/common.R")

# 100 rows, 60 features, five effects of `z` standard errors of a column alone.
selection_problem <- function(design, z) {
  n <- 100
  p <- 60
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  if (design == "equal .5") x <- sqrt(.5) * x + sqrt(.5) * stats::rnorm(n)
  if (design == "AR .7") for (j in seq_len(p)[-1]) x[, j] <- .7 * x[, j - 1] + sqrt(1 - .49) * x[, j]
  true <- if (z > 0) paste0("x", seq(3, p, by = 12)) else character()
  list(x = x, y = rowSums(x[, true, drop = FALSE]) * z / sqrt(n) + stats::rnorm(n), true = true)
}

part_bound <- function() {
  set.seed(1)
  cells <- expand.grid(design = c("independent", "equal .5", "AR .7"), z = c(0, 5), stringsAsFactors = FALSE)
  rows <- do.call(rbind, lapply(seq_len(nrow(cells)), function(k) {
    counts <- replicate(12, {
      d <- selection_problem(cells$design[k], cells$z[k])
      unlist(lapply(c(6, 12), function(q) {
        often <- selection_frequency(d$x, d$y, fit = greedytl, q = q, pairs = 25, cutoff = .6)
        noise <- !often$term %in% d$true
        # the bounds of other cutoffs are of the same frequencies
        unlist(lapply(c(.6, .75, .9), function(cutoff) c(sum(noise & often$frequency >= cutoff),
                                                        sum(!noise & often$frequency >= cutoff))))
      }))
    })
    mean <- rowMeans(counts)
    se <- apply(counts, 1, stats::sd) / sqrt(ncol(counts))
    at <- expand.grid(cutoff = c(.6, .75, .9), q = c(6, 12))
    bounds <- t(mapply(function(cutoff, q) transelect:::selection_bound_false(q, 60, cutoff, 25), at$cutoff, at$q))
    odd <- seq(1, length(mean), by = 2)
    data.frame(design = cells$design[k], z = cells$z[k], q = at$q, cutoff = at$cutoff, false = mean[odd],
               "(its error)" = se[odd], bounds, "true, of 5" = if (cells$z[k] > 0) mean[odd + 1] else NA,
               check.names = FALSE)
  }))
  section(
    "selection", "bound", "False features among the stable ones, and the bounds",
    paste("100 rows, 60 features, five effects of z standard errors or none, greedytl(), 25 pairs of halves, 12",
          "data sets: the mean"),
    paste("number of stable features without an effect, the three bounds of selection_frequency(), the mean",
          "number of effects"),
    "found.", "", markdown_table(rows)
  )
}

run_parts("selection", list(bound = part_bound))

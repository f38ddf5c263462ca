# The shares that print() and summary() tell (the target's rows, other domains, shrinkage to 0) beside the true ones,
# which follow from the variances that the data were drawn with. Only definitions.

SHARES_DRAWS <- 30
SHARES_ROWS <- c(20, 60) # of the target and of each other domain
SHARES_COLUMNS <- 4

# By kind: other domains; standard deviations omega of the common coefficients and tau of those of a domain.
SHARES_KINDS <- list(
  noise = c(others = 3, omega = 0, tau = 0), unrelated = c(others = 3, omega = 0, tau = .7),
  reversed = c(others = 3, omega = .7, tau = 0), "one domain" = c(others = 1, omega = .7, tau = .15),
  equal = c(others = 3, omega = .7, tau = 0), many = c(others = 11, omega = .7, tau = .15)
)

shares_draw <- function(kind) {
  of <- as.list(SHARES_KINDS[[kind]])
  n <- rep(SHARES_ROWS, c(1, of$others))
  domain <- rep(seq_along(n), n)
  x <- matrix(stats::rnorm(sum(n) * SHARES_COLUMNS), ncol = SHARES_COLUMNS)
  slopes <- stats::rnorm(SHARES_COLUMNS, 0, of$omega) +
    matrix(stats::rnorm(SHARES_COLUMNS * length(n), 0, of$tau), SHARES_COLUMNS)
  if (kind == "reversed") slopes[, 1] <- -slopes[, 1]
  list(x = x, y = rowSums(x * t(slopes[, domain])) + stats::rnorm(sum(n)), domain = domain)
}

# The true shares, of orthogonal columns. Reversed effects say nothing of the target's: it is shrunk by its own variance.
shares_true <- function(kind) {
  of <- as.list(SHARES_KINDS[[kind]])
  if (of$omega == 0 && of$tau == 0) return(c(0, 0, 1))
  rows <- SHARES_ROWS[1] - 1
  prior <- 1 / (of$omega^2 + of$tau^2)
  informed <- of$others / (of$tau^2 + 1 / (SHARES_ROWS[2] - 1))
  given <- if (kind == "reversed" || of$omega == 0) prior else 1 / (1 / (1 / of$omega^2 + informed) + of$tau^2)
  c(rows, given - prior, prior) / (rows + given)
}

shares_row <- function(kind) {
  found <- replicate(SHARES_DRAWS, {
    d <- shares_draw(kind)
    fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = 1, select = FALSE))
    shares <- summary(fit)$shares[-1, , drop = FALSE]
    all <- c(mean(shares[, 1]), mean(rowSums(shares[, 2:(ncol(shares) - 1), drop = FALSE])),
             mean(shares[, ncol(shares)]))
    c(all, any(grepl("borrows from", utils::capture.output(print(fit)))))
  })
  true <- shares_written(shares_true(kind))
  data.frame(
    kind = kind, "true shares" = paste(true, collapse = " / "),
    "told, mean" = paste(shares_written(rowMeans(found)[1:3]), collapse = " / "),
    "other domains, 10 to 90 % of the draws" =
      paste(shares_written(stats::quantile(found[2, ], c(.1, .9))), collapse = " to "),
    "\"borrows from\", % of the draws" = 100 * mean(found[4, ]), check.names = FALSE
  )
}

shares_written <- function(share) format(round(share, 2), nsmall = 2, trim = TRUE)

part_shares <- function() {
  set.seed(1)
  section(
    "tlcp", "shares", "What the precision comes from",
    paste0("Shares of the target's rows / other domains / shrinkage to 0, in the mean over the slopes: those that ",
           "`summary()` tells,"),
    "beside the true ones from the variances of the simulation, which a fit does not know.",
    paste0(SHARES_ROWS[1], " rows of the target, ", SHARES_ROWS[2], " of each other domain (3, one or many: 11), ",
           SHARES_COLUMNS, " normal columns, noise of"),
    paste0("variance 1; common coefficients N(0, .49), those of a domain at a distance of .15 (one, many) or 0; ",
           SHARES_DRAWS, " draws a row."), "",
    markdown_table(do.call(rbind, lapply(names(SHARES_KINDS), shares_row)))
  )
}

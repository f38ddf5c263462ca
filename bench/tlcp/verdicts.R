# How often dissimilarity() says "for" and "against", by the truth. Only definitions.

VERDICT_DRAWS <- 150

# Slopes of p columns: normal, none, or two large ones.
verdict_slopes <- function(kind, p) {
  switch(kind, normal = stats::rnorm(p, 0, .4), none = numeric(p),
         few = sample(c(numeric(p - 2), stats::rnorm(2, 0, 1.2))))
}

# A target of n rows, with `noise` as standard deviation, and `others` domains of 60 rows with noise 1, whose slopes are
# the target's, these with the signs turned, or drawn anew.
verdict_draw <- function(kind, truth, n, p, noise, others = 1, family = "gaussian") {
  b <- verdict_slopes(kind, p)
  slopes <- replicate(others, switch(truth, same = b, reversed = -b, unrelated = verdict_slopes(kind, p)))
  domain <- rep(c("t", paste0("o", seq_len(others))), c(n, rep(60, others)))
  x <- matrix(stats::rnorm(length(domain) * p), ncol = p, dimnames = list(NULL, paste0("x", seq_len(p))))
  eta <- rowSums(x * t(cbind(b, slopes))[match(domain, unique(domain)), , drop = FALSE])
  if (family != "gaussian") {
    y <- if (family == "binomial") stats::rbinom(length(eta), 1, stats::plogis(2 * eta)) else
      stats::rpois(length(eta), exp(eta))
    return(suppressMessages(dissimilarity(x, y, domain = domain, target = "t", draws = 0, family = family)))
  }
  y <- eta + stats::rnorm(length(eta)) * ifelse(domain == "t", noise, 1)
  dissimilarity(moments(x, y, domain = domain), target = "t", draws = 0)
}

# Per cent of the tables that say "for" and "against", and in which Q refutes equal slopes of `p` columns at .05, by F
# and by chi-squared.
verdict_shares <- function(found, p) {
  all <- function(column) unlist(lapply(found, `[[`, column))
  said <- all("evidence")
  100 * c(`for` = mean(said == "for"), against = mean(said == "against"), F = mean(all("q_p") <= .05),
          chi = mean(stats::pchisq(all("q"), p, lower.tail = FALSE) <= .05))
}

# Per cent of the draws by kind of slopes, rows, columns and noise of the target.
verdict_row <- function(kind, n, p, noise, family = "gaussian", draws = VERDICT_DRAWS) {
  found <- function(truth) {
    verdict_shares(replicate(draws, verdict_draw(kind, truth, n, p, noise, family = family), simplify = FALSE), p)
  }
  same <- found("same")
  unrelated <- if (kind == "none") same else found("unrelated")
  reversed <- if (kind == "none") c(`for` = NA, against = NA) else found("reversed")
  data.frame(family = family, slopes = kind, "target rows" = n, columns = p, noise = noise,
             "same: for" = same[["for"]], "same: against" = same[["against"]],
             "unrelated: for" = unrelated[["for"]], "unrelated: against" = unrelated[["against"]],
             "reversed: for" = reversed[["for"]], "reversed: against" = reversed[["against"]],
             "same: Q refutes" = same[["F"]], "by chi-squared" = same[["chi"]], check.names = FALSE)
}

# Per cent of tables of `others` domains in which some verdict is wrong, and of all together.
verdict_looks <- function(truth, others, draws = VERDICT_DRAWS / 2) {
  wrong <- if (truth == "same") "against" else "for"
  found <- replicate(draws, verdict_draw("normal", truth, 40, 5, 1, others), simplify = FALSE)
  some <- function(column) 100 * mean(vapply(found, function(d) any(d[[column]] == wrong), NA))
  data.frame("other domains" = others, truth = truth, "wrong verdict" = wrong,
             "each" = verdict_shares(found, 5)[[wrong]], "some" = some("evidence"), "some, adjusted" = some("adjusted"),
             "all together" = 100 * mean(vapply(found, function(d) attr(d, "joint")$evidence == wrong, NA)),
             check.names = FALSE)
}

part_verdicts <- function() {
  set.seed(1)
  cases <- expand.grid(noise = c(1, 3), n = c(15, 40), p = c(3, 5, 8), kind = c("normal", "few", "none"),
                       stringsAsFactors = FALSE)
  wide <- data.frame(noise = 1, n = 60, p = c(20, 40), kind = rep(c("normal", "none"), each = 2))
  cases <- rbind(cases, wide)
  rows <- do.call(rbind, Map(verdict_row, cases$kind, cases$n, cases$p, cases$noise))
  families <- expand.grid(kind = c("normal", "none"), family = c("binomial", "poisson"), stringsAsFactors = FALSE)
  rows <- rbind(rows, do.call(rbind, Map(verdict_row, families$kind, 40, 3, NA, families$family, 40)))
  looks <- expand.grid(truth = c("unrelated", "same"), others = c(3, 8, 20), stringsAsFactors = FALSE)
  section(
    "tlcp", "verdicts", "How often dissimilarity() says \"for\" and \"against\"",
    "Another domain of 60 rows, noise 1; slopes of the target: normal of standard deviation .4, two large, or none;",
    paste0("those of the other domain are the same, drawn anew, or reversed. Per cent of ", VERDICT_DRAWS,
           " draws (standard error at 5 %"),
    "about 1.8; of binomial and poisson 40 draws, standard error 3.4).", "", markdown_table(rows), "",
    "Many other domains, 40 rows of the target, five columns, normal slopes: per cent of single verdicts that are",
    paste0("wrong, of tables with some wrong verdict, the same in the column `adjusted`, and of all domains together (",
           VERDICT_DRAWS / 2, " draws)."), "",
    markdown_table(do.call(rbind, Map(verdict_looks, looks$truth, looks$others)))
  )
}

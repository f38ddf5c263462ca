# Counts and shares that vary more than their family says, and the evidence of dissimilarity(). Only definitions.

DISPERSION_DRAWS <- 40
DISPERSION_KINDS <- list("Poisson" = Inf, "negative binomial, theta 1" = 1, "theta .5" = .5,
                         "binomial shares of 20" = 0, "beta-binomial, correlation .2" = .2,
                         "beta-binomial, correlation .2, of 2 to about 150" = .2)

# A target of 30 rows and three other domains of 200 with the same six slopes, N(0, .3^2), and intercepts of their own.
# spread: theta of counts, or the correlation within the trials of a share: 20, or if they `vary` 15 times a log-normal
# number.
dispersion_draw <- function(counts, spread, vary = FALSE) {
  n <- c(30, 200, 200, 200)
  g <- rep(letters[1:4], n)
  x <- matrix(stats::rnorm(sum(n) * 6), ncol = 6, dimnames = list(NULL, paste0("x", 1:6)))
  b <- stats::rnorm(6, 0, .3)
  level <- stats::rnorm(4, if (counts) 1 else 0, .3)
  eta <- level[match(g, letters)] + drop(x %*% b)
  d <- data.frame(x, g = factor(g))
  if (counts) {
    d$y <- if (is.finite(spread)) stats::rnbinom(nrow(d), mu = exp(eta), size = spread) else
      stats::rpois(nrow(d), exp(eta))
  } else {
    share <- stats::plogis(eta)
    if (spread > 0) share <- stats::rbeta(nrow(d), share * (1 / spread - 1), (1 - share) * (1 / spread - 1))
    total <- if (vary) pmax(2, round(exp(stats::rnorm(nrow(d), log(15), 1.2)))) else 20
    yes <- stats::rbinom(nrow(d), total, share)
    d$y <- cbind(yes, no = total - yes)
  }
  new <- data.frame(matrix(stats::rnorm(500 * 6), ncol = 6, dimnames = list(NULL, colnames(x))), g = "a")
  true <- level[1] + drop(as.matrix(new[1:6]) %*% b)
  # half the expected deviance of the true mean: 0 for the truth
  excess <- function(eta) {
    if (counts) return(mean(exp(true) * (true - eta) - exp(true) + exp(eta)))
    at <- function(eta) pmax(eta, 0) + log1p(exp(-abs(eta)))
    20 * mean(stats::plogis(true) * (true - eta) - at(true) + at(eta))
  }
  plain <- if (counts) stats::poisson() else stats::binomial()
  fit <- function(...) {
    fit <- suppressMessages(tlcp(y ~ ., data = d, domain = g, target = "a", select = FALSE, ...))
    at <- stats::confint(fit)[-1, ]
    c(excess(stats::predict(fit, new, type = "link")), mean(at[, 1] <= b & b <= at[, 2]))
  }
  pooled <- stats::glm(y ~ ., plain, d)
  phi <- max(sum(stats::residuals(pooled, "pearson")^2) / pooled$df.residual, 1)
  out <- c(fit(family = plain, control = tlcp_control(dispersion = 1)), fit(family = plain),
           fit(family = plain, control = tlcp_control(dispersion = phi))[1],
           excess(stats::predict(pooled, new)), NA, NA, NA)
  if (counts) {
    out[7:8] <- fit(family = "negbin")
    nb <- tryCatch(suppressWarnings(MASS::glm.nb(y ~ ., d)), error = function(e) pooled)
    out[9] <- excess(stats::predict(nb, new))
  }
  out
}

part_dispersion <- function() {
  rows <- lapply(names(DISPERSION_KINDS), function(kind) {
    set.seed(1)
    found <- rowMeans(replicate(DISPERSION_DRAWS, {
      dispersion_draw(!grepl("binomial shares|beta", kind), DISPERSION_KINDS[[kind]], grepl("150", kind))
    }))
    shown <- format(round(found[c(1, 3, 5, 6, 7, 9)], 3), nsmall = 3)
    shown[is.na(found[c(1, 3, 5, 6, 7, 9)])] <- ""
    data.frame(
      response = kind, "phi 1" = shown[1], "phi estimated (default)" = shown[2], "phi of the pooled glm()" = shown[3],
      "pooled glm()" = shown[4], "family \"negbin\"" = shown[5], "pooled glm.nb()" = shown[6],
      "covered, phi 1" = found[2], "covered, default" = found[4], "covered, negbin" = found[8], check.names = FALSE
    )
  })
  section(
    "tlcp", "dispersion", "Overdispersed counts and shares",
    "A target of 30 rows, three other domains of 200, six columns with the same slopes in all domains, which have",
    paste("intercepts of their own;", DISPERSION_DRAWS, "draws. Mean half deviance of the true mean in new rows,"),
    "that of the truth subtracted; all features kept. Covered: share of the slopes in intervals of nominal 95 %.", "",
    markdown_table(do.call(rbind, rows))
  )
}

EVIDENCE_DRAWS <- 100
EVIDENCE_GAUSSIAN <- 5 # times as many, as the evidence of moments takes little time

evidence_response <- function(family, eta) {
  n <- length(eta)
  switch(family, gaussian = eta + stats::rnorm(n), binomial = stats::rbinom(n, 1, stats::plogis(eta)),
         poisson = stats::rpois(n, exp(1 + eta)), overdispersed = stats::rnbinom(n, mu = exp(1 + eta), size = 1),
         cox = survival::Surv(stats::rexp(n, exp(eta)), stats::rbinom(n, 1, .7)))
}

# Processor seconds of dissimilarity() and tlcp() with the same slopes in the target and three other domains.
evidence_times <- function(family, n, p) {
  set.seed(1)
  g <- rep(c("target", "a", "b", "c"), n)
  x <- matrix(stats::rnorm(sum(n) * p), ncol = p, dimnames = list(NULL, paste0("x", seq_len(p))))
  y <- evidence_response(family, drop(x %*% stats::rnorm(p, 0, 1 / sqrt(p))))
  ways <- list(tlcp = function() suppressMessages(tlcp(x, y, domain = g, target = "target", family = family)),
               dissimilarity = function() {
                 suppressMessages(dissimilarity(x, y, domain = g, target = "target", family = family))
               })
  seconds <- in_turns(ways, if (sum(n) < 1e4) 3 else 1)
  data.frame(family = family, `target rows` = n[1], `other rows` = n[2], features = p, `tlcp(), s` = seconds[["tlcp"]],
             `dissimilarity(), s` = seconds[["dissimilarity"]],
             ratio = seconds[["dissimilarity"]] / seconds[["tlcp"]], check.names = FALSE)
}

# Two domains of four columns; their slopes are the same, reversed or unrelated.
evidence_draw <- function(family, truth, n) {
  b <- stats::rnorm(4, 0, if (family == "binomial") .7 else .4)
  other <- switch(truth, same = b, reversed = -b, unrelated = stats::rnorm(4, 0, if (family == "binomial") .7 else .4))
  g <- rep(c("target", "other"), n)
  x <- matrix(stats::rnorm(sum(n) * 4), ncol = 4, dimnames = list(NULL, paste0("x", 1:4)))
  eta <- ifelse(g == "target", drop(x %*% b), drop(x %*% other))
  y <- evidence_response(family, eta)
  if (family == "gaussian") return(dissimilarity(moments(x, y, domain = g), target = "target", draws = 0)$evidence)
  suppressMessages(dissimilarity(x, y, domain = g, target = "target", draws = 0,
                                 family = if (family == "overdispersed") "poisson" else family))$evidence
}

part_evidence <- function() {
  cases <- expand.grid(family = c("gaussian", "binomial", "poisson", "overdispersed", "cox"), rows = c(30, 100),
                       stringsAsFactors = FALSE)
  rows <- Map(function(family, n) {
    set.seed(1)
    found <- lapply(stats::setNames(nm = c("same", "reversed", "unrelated")), function(truth) {
      draws <- EVIDENCE_DRAWS * if (family == "gaussian") EVIDENCE_GAUSSIAN else 1
      replicate(draws, evidence_draw(family, truth, c(n, 100)))
    })
    percent <- function(truth, what) round(100 * mean(found[[truth]] == what))
    data.frame(family = family, "target rows" = n, "same: for" = percent("same", "for"),
               "same: against" = percent("same", "against"), "reversed: against" = percent("reversed", "against"),
               "unrelated: for" = percent("unrelated", "for"), "unrelated: against" = percent("unrelated", "against"),
               check.names = FALSE)
  }, cases$family, cases$rows)
  times <- expand.grid(family = c("gaussian", "binomial", "poisson", "cox"), size = 1:3, stringsAsFactors = FALSE)
  n <- list(c(50, 150, 150, 150), c(200, 1000, 1000, 1000), c(500, 5000, 5000, 5000))
  section(
    "tlcp", "evidence", "What dissimilarity() says of another domain",
    "Another domain of 100 rows, four columns, slopes of standard deviation .4 (.7 for odds), the same as the",
    paste0("target's, reversed or unrelated (", EVIDENCE_DRAWS, " draws, of gaussian ", EVIDENCE_GAUSSIAN,
           " times as many). Per cent of"),
    "the draws with this evidence; overdispersed: negative binomial counts of theta 1 with `family = \"poisson\"`.", "",
    markdown_table(do.call(rbind, rows)), "",
    "Processor seconds of one call with three other domains; dissimilarity() fits every pair and all domains together,",
    "each anew for every fold of the target's rows:", "",
    markdown_table(do.call(rbind, Map(evidence_times, times$family, n[times$size], c(6, 20, 30)[times$size])))
  )
}

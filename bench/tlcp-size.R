# What tlcp() takes as domains, features or rows grow, and what it gives where features outnumber rows, from the
# project root:
#   Rscript bench/tlcp-size.R [domains features long rows wide]      (default: all parts)
# Each part replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/bandwidth.R") # machine()

# Processor seconds of one call; `first`: a call before it, which loads what the package needs, is not counted.
spent <- function(call, first = FALSE) {
  if (first) suppressMessages(suppressWarnings(call()))
  before <- worked()
  suppressMessages(suppressWarnings(call()))
  worked() - before
}

# glmtrans() of the first domain with the help of the others, with its own settings.
glmtrans_of <- function(x, y, domain) {
  each <- lapply(split(seq_along(y), domain), function(i) list(x = x[i, ], y = y[i]))
  utils::capture.output(fit <- glmtrans::glmtrans(each[[1]], unname(each[-1])))
  fit
}

growth <- function(what, sizes, table) {
  slopes <- vapply(table, function(seconds) {
    there <- !is.na(seconds)
    if (sum(there) > 1) log_slope(as.numeric(sizes)[there], pmax(seconds[there], 1e-3)) else NA
  }, 0)
  rows <- c(list(c(sizes, "slope")),
            lapply(seq_along(table), function(k) c(format_number(table[[k]]), format_number(slopes[k]))))
  stats::setNames(as.data.frame(rows), c(what, names(table)))
}

# ---- domains ----------------------------------------------------------------------------------

MANY_DOMAINS <- c(
  "set.seed(1); n <- 6 * T; x <- matrix(rnorm(5 * n), n, dimnames = list(NULL, letters[1:5]))",
  "y <- x[, 1] + rnorm(n); domain <- factor(rep_len(seq_len(T), n))"
)

# Calls that are timed: tlcp() and its peers on the same rows.
ways_of_rows <- function(x, y, domain) {
  ways <- list("tlcp()" = function() tlcp(x, y, domain = domain, target = "1"))
  if (installed("lme4")) ways[["lme4::lmer(), random intercept"]] <- function() lme4::lmer(y ~ x + (1 | domain))
  if (installed("glmnet")) ways[["glmnet::cv.glmnet() of all rows"]] <- function() glmnet::cv.glmnet(x, y)
  if (installed("glmtrans")) ways[["glmtrans::glmtrans()"]] <- function() glmtrans_of(x, y, domain)
  ways
}

part_domains <- function() {
  sizes <- c(20, 50, 100, 200, 400, 1000, 2000)
  table <- list()
  for (T in sizes) {
    eval(parse(text = MANY_DOMAINS))
    ways <- ways_of_rows(x, y, domain)
    for (name in names(ways)) {
      table[[name]] <- c(table[[name]], if (name == "glmtrans::glmtrans()" && T > 100) NA else
        spent(ways[[name]], T == sizes[1]))
    }
    table[["MB of tlcp()"]] <- c(table[["MB of tlcp()"]], if (can_measure_memory()) fresh_numbers(c(
      sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(transelect)", paste("T <-", T), MANY_DOMAINS,
      peak_code("f <- suppressMessages(tlcp(x, y, domain = domain, target = '1'))"), "cat(peak, '\\n')"
    )) else NA)
  }
  section(
    "tlcp-size", "domains", "tlcp() with many domains",
    "Six rows a domain, five columns: processor seconds of one call, and the memory that it needs beside the data.",
    paste0("(", machine(), ".)"), "", markdown_table(growth("domains", sizes, table))
  )
}

# ---- features -----------------------------------------------------------------------------------

WIDE <- c(
  "set.seed(2); domain <- gl(5, rows)",
  "x <- matrix(stats::rnorm(5 * rows * p), 5 * rows, dimnames = list(NULL, paste0('x', seq_len(p))))",
  "y <- drop(x[, 1:5] %*% rep(1, 5)) + stats::rnorm(5 * rows)"
)

# Processor seconds of every way at these sizes, and the memory of tlcp(). most: the largest size of a way.
wide_table <- function(sizes, rows, most) {
  table <- list()
  for (p in sizes) {
    eval(parse(text = WIDE))
    pooled <- data.frame(y, x, domain)
    ways <- list("tlcp(select = FALSE)" = function() tlcp(x, y, domain = domain, target = "1", select = FALSE))
    if (installed("glmnet")) ways[["glmnet::cv.glmnet() of all rows"]] <- function() glmnet::cv.glmnet(x, y)
    if (installed("glmtrans")) {
      ways[["glmtrans::glmtrans()"]] <- function() glmtrans_of(x, y, domain)
    }
    if (installed("lme4")) {
      ways[["lme4::lmer(), random intercept"]] <- function() {
        lme4::lmer(stats::reformulate(c(colnames(x), "(1 | domain)"), "y"), data = pooled)
      }
    }
    for (name in names(ways)) {
      table[[name]] <- c(table[[name]], if (p <= most[[name]]) spent(ways[[name]], p == sizes[1]) else NA)
    }
    table[["MB of tlcp()"]] <- c(table[["MB of tlcp()"]], if (can_measure_memory()) fresh_numbers(c(
      sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(transelect)", paste("rows <-", rows), paste("p <-", p),
      WIDE, peak_code("f <- suppressMessages(tlcp(x, y, domain = domain, target = '1', select = FALSE))"),
      "cat(peak, '\\n')"
    )) else NA)
  }
  table
}

part_features <- function() {
  most <- c("tlcp(select = FALSE)" = Inf, "glmnet::cv.glmnet() of all rows" = Inf, "glmtrans::glmtrans()" = 1000,
            "lme4::lmer(), random intercept" = 200)
  sizes <- c(50, 100, 200, 400, 1000)
  wide <- c(1000, 5000, 20000)
  section(
    "tlcp-size", "features", "tlcp() with many features",
    "All features kept: processor seconds of one call, and the memory that tlcp() needs beside the data. lmer() has a
slope for each feature and needs more rows than features. Five domains of 60 rows:",
    paste0("(", machine(), ".)"), "", markdown_table(growth("features", sizes, wide_table(sizes, 60, most))),
    "", "Five domains of 20 rows:", "", markdown_table(growth("features", wide, wide_table(wide, 20, most)))
  )
}

# ---- rows -----------------------------------------------------------------------------------------

part_long <- function() {
  sizes <- c(1e3, 1e4, 1e5, 1e6)
  table <- list()
  for (n in sizes) {
    set.seed(3)
    x <- matrix(stats::rnorm(5 * n), n, dimnames = list(NULL, letters[1:5]))
    domain <- factor(rep_len(1:5, n))
    y <- x[, 1] + stats::rnorm(n)
    ways <- ways_of_rows(x, y, domain)
    for (name in names(ways)) {
      table[[name]] <- c(table[[name]], if (name == "glmtrans::glmtrans()" && n > 1e4) NA else
        spent(ways[[name]], n == sizes[1]))
    }
  }
  section(
    "tlcp-size", "long", "tlcp() with many rows",
    "Five domains, five columns: processor seconds of one call.", paste0("(", machine(), ".)"), "",
    markdown_table(growth("rows", format(sizes, scientific = FALSE, trim = TRUE), table))
  )
}

part_rows <- function() {
  if (!can_measure_memory()) return(character())
  calls <- c(
    "tlcp(x, y)" = "tlcp(x, d$y, domain = d$g, target = 'u')",
    "tlcp(x, y, fences = FALSE)" = "tlcp(x, d$y, domain = d$g, target = 'u', control = list(fences = FALSE))",
    "tlcp(formula)" = "tlcp(y ~ a + b + c + d + e, data = d, domain = g, target = 'u')",
    "tlcp(formula, fences = FALSE)" =
      "tlcp(y ~ a + b + c + d + e, data = d, domain = g, target = 'u', control = list(fences = FALSE))",
    "tlcp(x, y, family = binomial)" = "tlcp(x, as.integer(d$y > 0), domain = d$g, target = 'u', family = 'binomial')"
  )
  measured <- vapply(calls, function(call) {
    fresh_numbers(c(
      sprintf(".libPaths(%s)", deparse1(.libPaths())), "library(transelect)", "set.seed(1); n <- 3e6",
      "d <- data.frame(a = rnorm(n), b = rnorm(n), c = rnorm(n), d = rnorm(n), e = rnorm(n))",
      "d$g <- factor(rep_len(c('u', 'v', 'w'), n)); d$y <- d$a + rnorm(n)",
      if (!grepl("formula", call) && grepl("(x,", call, fixed = TRUE)) "x <- as.matrix(d[1:5])",
      peak_code(paste0("f <- suppressMessages(", call, ")")), "cat(peak / (as.numeric(object.size(d)) / 1e6), '\\n')"
    ))
  }, 0)
  section(
    "tlcp-size", "rows", "Memory of tlcp() with many rows",
    paste("Three million rows of five columns, three domains: the most memory that a call needs beside the data, in",
          "units of the\ndata frame."),
    paste0("(", machine(), ".)"), "", markdown_table(data.frame(call = names(calls), times = unname(measured)))
  )
}

# ---- wide -----------------------------------------------------------------------------------------

# Coefficients of five domains (columns, the target first) of p features, by kind.
wide_coefficients <- function(kind, p) {
  few <- replace(numeric(p), sample(p, 10), stats::rnorm(10))
  many <- stats::rnorm(p, sd = sqrt(10 / p))
  own <- function(sd) matrix(stats::rnorm(5 * p, sd = sd), p)
  switch(kind,
    "10 effects, the same" = matrix(few, p, 5),
    "10 effects, two domains unrelated" = cbind(matrix(few, p, 3), sample(few), sample(few)),
    "all features, domains differ a little" = many + own(sqrt(1 / p)),
    "all features, two domains unrelated" = cbind(matrix(many, p, 3), sample(many), sample(many))
  )
}

WIDE_KINDS <- c("10 effects, the same", "10 effects, two domains unrelated", "all features, domains differ a little",
                "all features, two domains unrelated")

# The target's expected squared error, divided by the variance of its signal, of every way, for 60 rows a domain.
wide_errors <- function(kind, p) {
  domain <- gl(5, 60)
  B <- wide_coefficients(kind, p)
  x <- matrix(stats::rnorm(300 * p), 300, dimnames = list(NULL, paste0("x", seq_len(p))))
  y <- rowSums(x * t(B)[domain, ]) + stats::rnorm(300, sd = sqrt(sum(B[, 1]^2)))
  own <- domain == "1"
  lasso <- function(rows) as.numeric(stats::coef(glmnet::cv.glmnet(x[rows, ], y[rows]), s = "lambda.min"))
  found <- list("tlcp(select = FALSE)" = unname(stats::coef(suppressMessages(
    tlcp(x, y, domain = domain, target = "1", select = FALSE)
  ))))
  if (installed("glmtrans")) {
    found[["glmtrans"]] <- as.numeric(glmtrans_of(x, y, domain)$beta)
  }
  if (installed("glmnet")) {
    found[["lasso of all rows"]] <- lasso(TRUE)
    found[["lasso of the target"]] <- lasso(own)
    found[["ridge of all rows"]] <- as.numeric(stats::coef(glmnet::cv.glmnet(x, y, alpha = 0), s = "lambda.min"))
  }
  vapply(found, function(b) (b[1]^2 + sum((b[-1] - B[, 1])^2)) / sum(B[, 1]^2), 0)
}

part_wide <- function() {
  draws <- 3
  rows <- list()
  for (p in c(300, 1000)) {
    for (kind in WIDE_KINDS) {
      set.seed(p)
      errors <- replicate(draws, wide_errors(kind, p))
      means <- stats::setNames(format_number(rowMeans(errors)), rownames(errors))
      rows <- c(rows, list(c(list(features = p, kind = kind), as.list(means))))
    }
  }
  section(
    "tlcp-size", "wide", "Borrowing where features outnumber rows",
    paste0("A target and four other domains of 60 rows each, independent normal columns, noise as large as the ",
           "signal: the\nexpected squared error of the target's coefficients, divided by the variance of the signal; ",
           "mean of ", draws, " draws."),
    "", markdown_table(do.call(rbind, lapply(rows, function(row) as.data.frame(row, check.names = FALSE))))
  )
}

run_parts("tlcp-size", list(domains = part_domains, features = part_features, long = part_long, rows = part_rows,
                            wide = part_wide), alone = c("domains", "features", "long", "rows"))

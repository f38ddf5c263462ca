# What tlcp() takes as domains, features or rows grow, from the project root:
#   Rscript bench/tlcp-size.R [domains features rows]      (default: all parts)
# Each part replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/bandwidth.R") # machine()

# Processor seconds of one call.
spent <- function(call) {
  before <- worked()
  suppressMessages(suppressWarnings(call()))
  worked() - before
}

growth <- function(what, sizes, table) {
  slopes <- vapply(table, function(seconds) log_slope(sizes, pmax(seconds, 1e-3)), 0)
  rows <- c(list(c(sizes, "slope")),
            lapply(seq_along(table), function(k) c(format_number(table[[k]]), format_number(slopes[k]))))
  stats::setNames(as.data.frame(rows), c(what, names(table)))
}

# ---- domains ----------------------------------------------------------------------------------

MANY_DOMAINS <- c(
  "set.seed(1); n <- 6 * T; x <- matrix(rnorm(5 * n), n, dimnames = list(NULL, letters[1:5]))",
  "y <- x[, 1] + rnorm(n); domain <- factor(rep_len(seq_len(T), n))"
)

part_domains <- function() {
  sizes <- c(100, 200, 400, 1000, 2000)
  table <- list()
  for (T in sizes) {
    eval(parse(text = MANY_DOMAINS))
    ways <- list("tlcp()" = function() tlcp(x, y, domain = domain, target = "1"))
    if (installed("lme4")) {
      ways[["lme4::lmer(), random intercept"]] <- function() lme4::lmer(y ~ x + (1 | domain))
    }
    if (installed("glmnet")) ways[["glmnet::cv.glmnet() of all rows"]] <- function() glmnet::cv.glmnet(x, y)
    for (name in names(ways)) table[[name]] <- c(table[[name]], spent(ways[[name]]))
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

part_features <- function() {
  sizes <- c(50, 100, 200, 300)
  table <- list()
  for (p in sizes) {
    set.seed(2)
    domain <- gl(5, 60)
    x <- matrix(stats::rnorm(300 * p), 300, dimnames = list(NULL, paste0("x", seq_len(p))))
    y <- drop(x[, 1:5] %*% rep(1, 5)) + stats::rnorm(300)
    ways <- list("tlcp(select = FALSE)" = function() tlcp(x, y, domain = domain, target = "1", select = FALSE))
    if (installed("glmnet")) ways[["glmnet::cv.glmnet() of all rows"]] <- function() glmnet::cv.glmnet(x, y)
    if (installed("glmtrans")) {
      rows <- split(seq_along(y), domain)
      each <- lapply(rows, function(i) list(x = x[i, ], y = y[i]))
      ways[["glmtrans::glmtrans()"]] <- function() glmtrans::glmtrans(each[[1]], unname(each[-1]))
    }
    for (name in names(ways)) table[[name]] <- c(table[[name]], spent(ways[[name]]))
  }
  section(
    "tlcp-size", "features", "tlcp() with many features",
    "Five domains of 60 rows, all features kept: processor seconds of one call.",
    paste0("(", machine(), ".)"), "", markdown_table(growth("features", sizes, table))
  )
}

# ---- rows -----------------------------------------------------------------------------------------

part_rows <- function() {
  if (!can_measure_memory()) return(character())
  calls <- c(
    "tlcp(x, y)" = "tlcp(x, d$y, domain = d$g, target = 'u')",
    "tlcp(x, y, fences = FALSE)" = "tlcp(x, d$y, domain = d$g, target = 'u', fences = FALSE)",
    "tlcp(formula)" = "tlcp(y ~ a + b + c + d + e, data = d, domain = g, target = 'u')",
    "tlcp(formula, fences = FALSE)" =
      "tlcp(y ~ a + b + c + d + e, data = d, domain = g, target = 'u', fences = FALSE)",
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
    "Three million rows of five columns, three domains: the most memory that a call needs beside the data, in units of the
data frame.",
    paste0("(", machine(), ".)"), "", markdown_table(data.frame(call = names(calls), times = unname(measured)))
  )
}

run_parts("tlcp-size", list(domains = part_domains, features = part_features, rows = part_rows),
          alone = c("domains", "features", "rows"))

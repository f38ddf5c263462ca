# products(): time beside the products written out, and the paper's pairs of isolet. Only definitions.

# Normal random numbers whose response is a product of two columns.
product_data <- function(n, p) {
  set.seed(59)
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  y <- x[, 1] * x[, 2] + x[, 3] * x[, 4] + stats::rnorm(n)
  list(x = x, y = y, class = cut(y, stats::quantile(y, 0:10 / 10), paste0("c", 1:10), TRUE),
       domain = rep(paste0("d", 1:10), length.out = n))
}

product_fitters <- list(
  "shareboost, 10 classes" = function(x, data, k) shareboost(x, data$class, max_steps = k,
                                                             control = shareboost_control(tol = .1)),
  "greedytl, lambda = .001" = function(x, data, k) greedytl(x, data$y, lambda = .001, max_steps = k),
  "tgreedy, rule = greedy, 10 domains" = function(x, data, k) {
    tgreedy(x, data$y, data$domain, rule = "greedy", control = tgreedy_control(update = "refit"), max_steps = k)
  }
)

# Seconds of a step: sixteen less one, divided by fifteen; best of five.
step_seconds <- function(fit, x, data) {
  once <- function(k) min(vapply(1:5, function(i) {
    before <- now()
    suppressMessages(fit(x, data, k))
    now() - before
  }, 0))
  (once(16) - once(1)) / 15
}

product_speed_row <- function(name, n, p) {
  data <- product_data(n, p)
  z <- pair_products(data$x)
  colnames(z) <- NULL
  map <- products(data$x)
  fit <- product_fitters[[name]]
  never <- step_seconds(fit, map, data)
  written <- step_seconds(fit, z, data)
  data.frame(fit = name, rows = n, columns = p, products = ncol(z), "MB written out" = 8 * length(z) / 1e6,
             "ms a step, products()" = 1e3 * never, "ms a step, written out" = 1e3 * written,
             ratio = never / written, check.names = FALSE)
}

part_products <- function() {
  sizes <- list(c(2000, 40), c(2000, 150), c(6000, 150))
  rows <- do.call(rbind, lapply(names(product_fitters), function(name) {
    do.call(rbind, lapply(sizes, function(size) product_speed_row(name, size[1], size[2])))
  }))
  section(
    "shareboost", "products", "Products of pairs of columns without a matrix of them",
    "Columns are normal random numbers; one thread. The time of a step is that of a fit of sixteen steps less",
    "that of one of one step, divided by fifteen; the best of five. \"written out\": the products as columns of",
    "a matrix, which was made before the clock started.", "",
    markdown_table(rows), "", busy_line()
  )
}

# Isolet by pairs (the paper's Figure 3, top right).
product_curve <- function(set, steps, ...) {
  before <- now()
  fit <- shareboost(products(set$x), set$y, max_steps = steps, ...)
  seconds <- now() - before
  sizes <- budgets[budgets <= max(fit$steps$size)]
  classes <- predict(fit, set$test_x, step = sizes)
  if (length(sizes) == 1L) classes <- list(classes)
  list(error = vapply(classes, error_of, 0, set = set), sizes = sizes, seconds = seconds / (steps + 1))
}

part_isolet_pairs <- function(steps = 50) {
  if (!available(shareboost_sets$isolet)) return(c("isolet is not at hand.", ""))
  set <- shareboost_sets$isolet$make()
  rules <- list(
    "shareboost, gradient (paper), no intercept" = list(rule = "gradient", intercept = FALSE, ridge = 1e-5),
    "shareboost, orthogonal" = list()
  )
  rows <- do.call(rbind, lapply(names(rules), function(name) {
    made <- do.call(product_curve, c(list(set, steps), rules[[name]]))
    out <- data.frame(method = name, t(made$error), made$seconds, check.names = FALSE)
    names(out)[-1] <- c(paste(made$sizes, "features"), "seconds a round")
    message("  ", name, ": ", toString(signif(made$error, 3)))
    out
  }))
  p <- ncol(set$x)
  section(
    "shareboost", "isolet_pairs", "Test error by number of features: isolet, pairs",
    sprintf("%d rows for training, %d for testing, %d classes; %d products of %d columns, %.1f GB if written",
            nrow(set$x), nrow(set$test_x), nlevels(set$y), p * (p - 1) / 2, p,
            8 * nrow(set$x) * p * (p - 1) / 2 / 1e9),
    "out, by `products()`. The paper's Figure 3 has a curve without numbers for it.",
    "gradient: with a ridge of 1e-5; the paper has none.", "",
    markdown_table(rows), "", busy_line()
  )
}

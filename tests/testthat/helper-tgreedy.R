# Data of several domains, and the comparison of tgreedy() with its naive twin.

# Domains of different sizes, rows in random order. The effects of x1 and x3 are the same in all domains, that of x2
# differs.
draw_domains <- function(seed, kind = "random", n_domains = 5, p = 7, sizes = 3:25) {
  with_seed(seed, {
    rows <- sizes[sample.int(length(sizes), n_domains, replace = TRUE)]
    domain <- sample(rep(letters[seq_len(n_domains)], rows))
    n <- length(domain)
    k <- match(domain, letters)
    shift <- matrix(rnorm(n_domains * p), n_domains)[k, , drop = FALSE]
    x <- draw_features(kind, n, p)
    if (kind != "constant") x <- x + shift * rep(apply(x, 2, sd), each = n)
    standard <- scale(x)
    standard[is.na(standard)] <- 0
    varying <- rnorm(n_domains)[k]
    y <- standard[, 1] + varying * standard[, min(2, p)] - standard[, min(3, p)] / 2 +
      rnorm(n_domains)[k] + rnorm(n)
    list(
      x = x, y = y, domain = domain, weights = sample(1:4, n, replace = TRUE) / 3,
      factor = factor(ifelse(y > median(y), "yes", "no")),
      new = named_columns(rnorm(6 * p), 6, "x")
    )
  })
}

airquality_case <- function() {
  data <- stats::na.omit(datasets::airquality)
  x <- with(data, cbind(
    Solar.R = Solar.R, Wind = Wind, Temp = Temp, S2 = Solar.R^2, W2 = Wind^2, T2 = Temp^2,
    SW = Solar.R * Wind, ST = Solar.R * Temp, WT = Wind * Temp
  ))
  list(x = x, y = data$Ozone, domain = data$Month, data = data)
}

# The first twelve schools of nlme::MathAchieve.
schools_case <- function() {
  skip_if_not_installed("nlme")
  data <- as.data.frame(nlme::MathAchieve)
  school <- as.character(data$School)
  data <- data[school %in% unique(school)[1:12], ]
  ses <- data$SES
  minority <- as.numeric(data$Minority == "Yes")
  female <- as.numeric(data$Sex == "Female")
  x <- cbind(
    SES = ses, Min = minority, Fem = female, SES2 = ses^2, SESxMin = ses * minority,
    SESxFem = ses * female, MinxFem = minority * female
  )
  list(x = x, y = data$MathAch, domain = as.character(data$School))
}

# tgreedy() and the twin on the same data with the same settings.
tgreedy_pair <- function(d, y = d$y, max_steps = 4, ...) {
  code <- if (is.factor(y)) 2 * as.numeric(y) - 3 else y
  list(
    fit = suppressMessages(flat(tgreedy)(d$x, y, d$domain, max_steps = max_steps, ...)),
    twin = naive_tgreedy(d$x, code, d$domain, max_features = max_steps, ...)
  )
}

expect_tgreedy_twin <- function(pair, tolerance = 1e-7, label = "") {
  steps <- pair$fit$steps
  twin <- pair$twin
  if (!identical(steps$entered[-1], twin$entered)) {
    return(fail(paste(
      label, "entered", paste(steps$entered[-1], collapse = " "), "but the twin says",
      paste(twin$entered, collapse = " ")
    )))
  }
  per_step <- vapply(c("t", "t_mod", "gain", "mu", "s", "weight"), function(column) {
    na_gap(steps[[column]][-1], as.numeric(twin$table[[column]]))
  }, numeric(1))
  gaps <- c(
    per_step, p_value = na_gap(steps$p_value[-1], as.numeric(twin$p_value)),
    size = gap(steps$size, twin$size), loss = gap(steps$loss, twin$loss),
    bound = na_gap(steps$bound[-1], twin$bound[-1]),
    domain_loss = gap(pair$fit$domain_loss, twin$domain_loss),
    a0 = gap(pair$fit$a0, twin$a0),
    beta = gap(as.matrix(pair$fit$beta) * twin$scale, twin$beta * twin$scale)
  )
  if (!is.null(twin$domain_auroc) && pair$fit$family == "binomial") {
    gaps["domain_auroc"] <- na_gap(pair$fit$domain_auroc, twin$domain_auroc)
  }
  expect_gaps(gaps, tolerance, label)
}

# The largest relative difference of finite numbers; infinite and missing ones must be in the same places.
na_gap <- function(object, expected) {
  object <- as.vector(object)
  expected <- as.vector(expected)
  plain <- is.finite(expected)
  same <- length(object) == length(expected) &&
    identical(is.na(object), is.na(expected)) && identical(is.finite(object), plain) &&
    all((object == expected)[!plain], na.rm = TRUE)
  if (!same) {
    return(Inf)
  }
  max(0, abs(object - expected)[plain] / pmax(1, abs(expected)[plain]))
}

# Expects two fits to have the same path.
expect_same_tgreedy <- function(fit, other, tolerance = 1e-9, label = "path") {
  expect_identical(fit$steps$entered, other$steps$entered)
  if (identical(fit$steps$entered, other$steps$entered)) {
    columns <- c("t", "t_mod", "p_value", "gain", "mu", "s", "weight", "loss", "bound")
    tables <- vapply(columns, function(column) {
      na_gap(fit$steps[[column]][-1], other$steps[[column]][-1])
    }, numeric(1))
    names <- rownames(fit$beta)
    expect_gaps(c(
      tables, a0 = gap(fit$a0, other$a0),
      beta = gap(as.matrix(fit$beta), as.matrix(other$beta)[names, ]),
      domain_loss = gap(fit$domain_loss, other$domain_loss[, colnames(fit$domain_loss)])
    ), tolerance, label)
  }
}

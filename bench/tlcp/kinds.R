# Kinds of data on which one rule or another fails, each a simulation of a few lines: how alike the domains are, noise
# and rows of the target, columns with heavy tails. Only definitions.

KINDS_DRAWS <- 8

# Domains as list(x, y, signal), test rows first, then the target, then three others. rows: of the target and of each
# other domain; noise: the target's standard deviation, that of the others is 1; slopes: p x 4, the target's first;
# column: rows -> values of a column; effects: columns -> what the slopes multiply.
kinds_draw <- function(p, rows, slopes, noise = 1, column = stats::rnorm, effects = identity, error = stats::rnorm) {
  domain <- function(n, b, sd) {
    x <- matrix(column(n * p), n)
    signal <- drop(effects(x) %*% b)
    list(x = x, y = signal + sd * error(n), signal = signal)
  }
  c(list(test = domain(500, slopes[, 1], 0)), list(domain(rows[1], slopes[, 1], noise)),
    lapply(2:4, function(t) domain(rows[2], slopes[, t], 1)))
}

# Slopes of a common part and, by domain, deviations `apart` times its size.
kinds_slopes <- function(p, apart = 0, size = .5) {
  b <- stats::rnorm(p) * size
  b + matrix(stats::rnorm(4 * p), p) * apart * size
}

# Three of twelve slopes of the target are 1 or -1, the others 0; the other domains have others(slopes).
kinds_few <- function(others) {
  b <- sample(rep(c(0, 1), c(9, 3))) * sample(c(-1, 1), 12, TRUE)
  kinds_draw(12, c(40, 80), cbind(b, others(b), deparse.level = 0)[, c(1, 2, 2, 2)])
}

log_normal <- function(n) exp(1.5 * stats::rnorm(n))

KINDS <- list(
  # the target's residual variance has few degrees of freedom
  "noise x2, p 60, n 30" = function() kinds_draw(60, c(30, 150), kinds_slopes(60, size = .3), noise = 2),
  "noise x3, p 30, n 30" = function() kinds_draw(30, c(30, 100), kinds_slopes(30), noise = 3),
  "noise x3, p 15, n 15" = function() kinds_draw(15, c(15, 60), kinds_slopes(15), noise = 3),
  "noise x1, p 6, n 8" = function() kinds_draw(6, c(8, 60), kinds_slopes(6)),
  "noise x1, p 15, n 15" = function() kinds_draw(15, c(15, 60), kinds_slopes(15)),
  "noise /3, p 15, n 15" = function() kinds_draw(15, c(15, 60), kinds_slopes(15), noise = 1 / 3),
  "noise x1, p 15, n 15, related" = function() kinds_draw(15, c(15, 60), kinds_slopes(15, .5)),
  "noise /3, p 15, n 15, related" = function() kinds_draw(15, c(15, 60), kinds_slopes(15, .5), noise = 1 / 3),
  "noise x3, p 15, n 15, related" = function() kinds_draw(15, c(15, 60), kinds_slopes(15, .5), noise = 3),
  "noise x1, p 15, n 18, unrelated" = function() {
    kinds_draw(15, c(18, 60), cbind(stats::rnorm(15) / 2, kinds_slopes(15)[, -1]))
  },
  # heavy tails
  "log-normal columns, effects of logarithms" = function() {
    kinds_draw(5, c(30, 60), kinds_slopes(5, .2), column = log_normal, effects = log1p)
  },
  "log-normal columns, linear effects" = function() {
    kinds_draw(5, c(30, 60), kinds_slopes(5, .2), column = log_normal)
  },
  "log-normal columns, two of five of logarithms" = function() {
    kinds_draw(5, c(30, 60), kinds_slopes(5, .2), column = log_normal,
               effects = function(x) cbind(log1p(x[, 1:2]), x[, 3:5]))
  },
  "log-normal columns, effects of square roots" = function() {
    kinds_draw(5, c(30, 60), kinds_slopes(5, .2), column = log_normal, effects = sqrt)
  },
  "log-normal columns, unrelated slopes" = function() {
    kinds_draw(5, c(30, 60), cbind(stats::rnorm(5) / 2, kinds_slopes(5)[, -1]), column = log_normal)
  },
  "t(3) columns, linear effects" = function() {
    kinds_draw(5, c(30, 60), kinds_slopes(5, .2), column = function(n) stats::rt(n, 3))
  },
  "t(2) noise" = function() kinds_draw(6, c(30, 60), kinds_slopes(6, .2), error = function(n) stats::rt(n, 2)),
  # how alike the domains are
  "equal slopes" = function() kinds_draw(8, c(30, 60), kinds_slopes(8)),
  "related slopes" = function() kinds_draw(8, c(30, 60), kinds_slopes(8, .5)),
  "unrelated slopes" = function() kinds_draw(8, c(30, 60), cbind(stats::rnorm(8) / 2, kinds_slopes(8)[, -1])),
  "two large effects of the target's own" = function() {
    b <- kinds_slopes(8)
    b[1:2, 1] <- b[1:2, 1] + c(2, -2)
    kinds_draw(8, c(40, 80), b)
  },
  "random signs in two of three sources" = function() {
    b <- kinds_slopes(8)
    b[, 3:4] <- b[, 3:4] * sample(c(-1, 1), 16, TRUE)
    kinds_draw(8, c(30, 60), b)
  },
  "others alike, three effects of the target" = function() {
    kinds_draw(8, c(30, 60), cbind(c(1, -1, 1, 0, 0, 0, 0, 0), matrix(rep(c(0, .5), c(3, 5)), 8, 3)))
  },
  "few of 12, other domains unrelated" = function() kinds_few(sample),
  "few of 12, other domains dense" = function() kinds_few(function(b) stats::rnorm(length(b)) / 2),
  "few of 12, other domains useless" = function() kinds_few(function(b) 0 * b),
  "few of 12, the same" = function() kinds_few(identity),
  "x1 of the target spread 1/3" = function() units_draw(3, "spread"),
  "x1 of the target in units of 1/3" = function() units_draw(3, "unit")
)

kinds_own <- function(domains) {
  own <- domains[[2]]
  fit <- suppressMessages(tlcp(own$x, own$y, sizes = FALSE))
  stats::predict(fit, domains$test$x)
}

kinds_methods <- list(
  "default, all features" = units_tlcp(select = FALSE),
  "all features, guard .5" = units_tlcp(select = FALSE, control = tlcp_control(guard = .5)),
  "default, selected" = units_tlcp(),
  "least squares of the target" = units_alone, "Cp of the target" = kinds_own, "lasso, all rows" = units_lasso,
  "lme4, random intercept" = units_lme4(FALSE), "lme4, random slopes" = units_lme4(TRUE)
)

# The errors of every draw, methods x draws.
kinds_errors <- function(draw, draws, methods = kinds_methods) {
  vapply(seq_len(draws), function(i) {
    domains <- draw()
    seed <- .Random.seed
    wide <- ncol(domains$test$x) > 10
    out <- vapply(names(methods), function(name) {
      if (wide && name == "lme4, random slopes") return(NA_real_) # minutes
      tryCatch(mean((methods[[name]](domains) - domains$test$signal)^2), error = function(e) NA_real_)
    }, 0)
    assign(".Random.seed", seed, globalenv()) # the same draws for any methods
    out
  }, numeric(length(methods)))
}

part_kinds <- function() {
  errors <- lapply(KINDS, function(draw) {
    set.seed(1)
    rowMeans(kinds_errors(draw, KINDS_DRAWS))
  })
  section(
    "tlcp", "kinds", "Kinds of data that defaults fail on",
    "Mean squared distance of the prediction from the truth on 500 rows of the target,", paste(KINDS_DRAWS, "draws"),
    paste("a row of the table; the target and three other domains. `noise x3`: the target's standard deviation",
          "of the noise is"),
    "three times that of the others, slopes are equal unless the row says otherwise.", "",
    markdown_table(data.frame(kind = names(KINDS), do.call(rbind, errors), check.names = FALSE))
  )
}

# ---- the prior of omega --------------------------------------------------------------------------

OMEGA_DRAWS <- 60
OMEGA_SHAPES <- c("shape 1" = 1, "shape 1.5 (default)" = 1.5, "shape 2" = 2)

# Kinds in which the slopes say little about their common size.
OMEGA_KINDS <- c(KINDS, list(
  "all slopes 0" = function() kinds_draw(8, c(30, 60), matrix(0, 8, 4)),
  "equal slopes, p 2" = function() kinds_draw(2, c(30, 60), kinds_slopes(2)),
  "one of 7 slopes, the same" = function() kinds_draw(7, c(30, 60), matrix(c(.5, rep(0, 6)), 7, 4)),
  "reversed slopes, p 3" = function() {
    b <- stats::rnorm(3) / 2
    kinds_draw(3, c(15, 60), cbind(b, -b, -b, -b, deparse.level = 0))
  }
))

# A trial: a treatment with log odds ratio -.8, a covariate of .2 and five without effect, 50 rows of the target and 114
# of `others` other centres, levels N(0, .3^2). The coefficient of the treatment by shape, and the sums of squared errors.
omega_trial <- function(others) {
  n <- c(50, rep(round(114 / others), others))
  rows <- sum(n)
  data <- data.frame(centre = rep(letters[seq_len(others + 1)], n), rx = stats::rbinom(rows, 1, .5),
                     age = stats::rnorm(rows), sex = stats::rbinom(rows, 1, .5), a = stats::rnorm(rows),
                     b = stats::rnorm(rows), c = stats::rbinom(rows, 1, .3), d = stats::rnorm(rows))
  level <- rep(stats::rnorm(others + 1, 0, .3), n)
  data$y <- factor(stats::rbinom(rows, 1, stats::plogis(level - .8 * data$rx + .2 * data$age)))
  vapply(OMEGA_SHAPES, function(shape) {
    fit <- suppressMessages(tlcp(y ~ ., data = data, domain = centre, target = "a", select = FALSE,
                                 control = tlcp_control(omega_shape = shape)))
    b <- stats::coef(fit)[-1]
    c(rx = b[["rx"]], error = sum((b - c(-.8, .2, 0, 0, 0, 0, 0))^2))
  }, numeric(2))
}

part_omega <- function() {
  methods <- lapply(OMEGA_SHAPES, function(shape) {
    units_tlcp(select = FALSE, control = tlcp_control(omega_shape = shape))
  })
  rows <- lapply(names(OMEGA_KINDS), function(kind) {
    set.seed(7)
    errors <- suppressMessages(kinds_errors(OMEGA_KINDS[[kind]], if (grepl("p 60", kind)) 15 else OMEGA_DRAWS, methods))
    ratio <- apply(errors[-1, ], 1, function(e) mean(e) / mean(errors[1, ]))
    spread <- apply(errors[-1, ], 1, function(e) stats::sd(e - errors[1, ]) / sqrt(ncol(errors)) / mean(errors[1, ]))
    data.frame(kind = kind, error = mean(errors[1, ]), t(ratio), s.e. = max(spread), check.names = FALSE)
  })
  trials <- do.call(rbind, lapply(c(1, 3), function(others) {
    set.seed(8)
    found <- vapply(seq_len(100), function(draw) omega_trial(others), matrix(0, 2, length(OMEGA_SHAPES)))
    data.frame(`other centres` = others, shape = names(OMEGA_SHAPES), `odds ratio within .95 to 1.05` =
                 rowMeans(abs(found[1, , ]) < .05), `mean log odds ratio` = rowMeans(found[1, , ]),
               `squared error of all slopes` = rowMeans(found[2, , ]), check.names = FALSE)
  }))
  section(
    "tlcp", "omega", "The prior of the standard deviation of common slopes",
    "Mean squared distance of the prediction from the truth of tlcp(select = FALSE) by maximum likelihood of omega",
    paste0("(omega_shape = 1), and that of other shapes divided by it; ", OMEGA_DRAWS, " draws a row (of 60 features 15)."),
    "s.e.: the larger of the standard errors of the two ratios, from paired draws.", "",
    markdown_table(do.call(rbind, rows)), "",
    "A treatment with the odds ratio .45 in a trial of 50 patients of the target and 114 of other centres, seven",
    "covariates in all (binomial, 100 draws): how often its odds ratio is shrunk to 1.", "",
    markdown_table(trials)
  )
}

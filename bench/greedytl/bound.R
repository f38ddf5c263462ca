# Columns of new rows bounded at 10 and at 5 range-widths outside the rows of the fit: how often that acts, and the
# error beside that without a bound. Only definitions; uses msplit/real.R and tgreedy/data.R.

BOUNDS <- c("10" = 10, "5" = 5, "none" = Inf)

# Share of rows whose prediction changes with `bound` = 10 and 5, and the errors with 10, 5 and none.
bound_effect <- function(fit, new, y) {
  says <- vapply(BOUNDS, function(bound) {
    as.vector(suppressMessages(stats::predict(fit, new, bound = bound, type = "link")))
  }, numeric(length(y)))
  c(acts = colMeans(abs(says[, 1:2] - says[, 3]) > 1e-8 * stats::sd(y)), colMeans((y - says)^2))
}

# Fits to the first rows `train` of an order, with the columns that vary there; up to 500 other rows.
bound_methods <- list(
  greedytl = function(x, y, domain) greedytl(x, y), msplit = function(x, y, domain) msplit(x, y),
  tgreedy = function(x, y, domain) tgreedy(x, y, domain)
)

bound_of <- function(set, train, test, methods) {
  x <- as.matrix(set$x)
  x <- x[, apply(x[train, ], 2, function(v) max(v) > min(v))]
  colnames(x) <- paste0("x", seq_len(ncol(x)))
  t(vapply(methods, function(method) {
    fit <- suppressMessages(bound_methods[[method]](x[train, ], set$y[train], set$domain[train]))
    bound_effect(fit, x[test, ], set$y[test])
  }, numeric(5)))
}

# The rows of a set by their largest absolute standardised column, least first.
from_the_centre <- function(x) {
  z <- scale(x[, apply(x, 2, stats::sd) > 0])
  order(apply(abs(z), 1, max))
}

# Simulated: ten columns with linear effects, 50 rows, of 500 new ones every tenth is far.
bound_simulated <- function(far) {
  n <- 550
  x <- matrix(stats::rnorm(n * 10), n)
  b <- stats::rnorm(10)
  new <- 50 + seq(10, 500, by = 10)
  shown <- x
  if (far == "units") shown[new, 1] <- 1000 * shown[new, 1]
  if (far == "shift") x[new, ] <- shown[new, ] <- x[new, ] + 20
  if (far == "saturates") {
    shown[new, 1] <- x[new, 1] <- x[new, 1] + 200 * stats::runif(50)
    x[, 1] <- pmin(x[, 1], 5)
  }
  list(x = shown, y = drop(x %*% b) + stats::rnorm(n), rows = seq_len(n))
}

# One row a kind of split and method: over sets and draws.
bound_rows <- function(kind, runs) {
  do.call(rbind, lapply(unique(names(runs)), function(method) {
    own <- do.call(rbind, runs[names(runs) == method])
    ratio <- own[, c("10", "5")] / own[, "none"]
    acts <- own[, 1:2]
    mean_of <- function(r) exp(mean(log(r)))
    data.frame(
      "new rows" = kind, method, fits = nrow(own), "fits where 10 acts" = sum(acts[, 1] > 0),
      "rows where 10 acts, %" = 100 * mean(acts[, 1]), "rows where 5 acts, %" = 100 * mean(acts[, 2]),
      "error with 10 / none" = mean_of(ratio[, 1]), "largest " = max(ratio[, 1]), "smallest" = min(ratio[, 1]),
      "error with 5 / none" = mean_of(ratio[, 2]), "largest  " = max(ratio[, 2]), check.names = FALSE
    )
  }))
}

part_bound <- function(draws = 12) {
  rows_of <- function(results) do.call(c, lapply(unname(results), function(r) {
    stats::setNames(lapply(seq_len(nrow(r)), function(k) r[k, ]), rownames(r))
  }))
  two <- c("greedytl", "msplit")
  sets <- lapply(real_sets(), function(set) c(set[[2]](), size = set[[3]][1]))
  domains <- Filter(available, domain_sets[c("heart", "school", "parkinson", "MathAchieve", "bdf")])
  runs <- list(
    "other rows of real sets, at random" = lapply(rep(sets, draws), function(set) {
      rows <- sample.int(length(set$y))
      bound_of(set, rows[seq_len(set$size)], utils::head(rows[-seq_len(set$size)], 500), two)
    }),
    "rows of real sets far from the centre, fits to those near it" = lapply(sets, function(set) {
      rows <- from_the_centre(set$x)
      near <- rows[seq_len(floor(length(rows) / 2))]
      bound_of(set, sample(near, min(set$size, length(near))), utils::tail(rows, min(500, length(near))), two)
    }),
    "domains left out of real sets" = unlist(lapply(domains, function(known) {
      set <- known$make()[[1]]
      lapply(utils::head(levels(set$domain), 8), function(left) {
        bound_of(set, which(set$domain != left), which(set$domain == left), "tgreedy")
      })
    }), recursive = FALSE)
  )
  far <- c(units = "simulated: one column in other units (x 1000) in one row in ten",
           shift = "simulated: one row in ten shifted by 20 standard deviations, effects linear",
           saturates = "simulated: one column far out in one row in ten, its effect saturates")
  simulated <- lapply(names(far), function(kind) lapply(seq_len(draws), function(k) {
    set <- c(bound_simulated(kind), list(domain = factor(rep_len(1:5, 550))))
    bound_of(set, 1:50, 51:550, c(two, "tgreedy"))
  }))
  runs <- c(runs, stats::setNames(simulated, far))
  table <- do.call(rbind, lapply(names(runs), function(kind) bound_rows(kind, rows_of(runs[[kind]]))))
  section(
    "greedytl", "bound", "New rows bounded at range-widths outside the rows of the fit",
    "Predictions of one fit with bound = 10 (the default), 5 and Inf (none). Real sets: those of bench/msplit/real.R,",
    "with the least number of rows for the fit that they have there, and five of bench/tgreedy/data.R, up to eight",
    "domains each. Squared errors, geometric mean over fits, and the largest and smallest ratio.", "",
    markdown_table(table)
  )
}

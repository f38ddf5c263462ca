# Columns that help only together, where the own stop of "gain" comes too early. Only definitions.

# ---- data -------------------------------------------------------------------------------------

# Factors of K domains, the largest `factor` times the smallest.
domain_gains <- function(K, factor) sample(factor^seq(-.5, .5, length.out = K))

# Blocks of nearly collinear columns. The columns of a block share a large part whose effect on y and whose gain change
# from domain to domain. The signal is in small differences within the blocks.
block_problem <- function(seed, factor, K = 7, rows = 60, blocks = 6, columns = 8) {
  set.seed(seed)
  domain <- rep(seq_len(K), each = rows)
  n <- K * rows
  signal <- matrix(stats::rnorm(n * 3), n)
  y <- signal[, 1] + signal[, 2] / 2 + .2 * stats::rnorm(n)
  x <- lapply(seq_len(blocks), function(block) {
    shared <- stats::rnorm(n) + stats::rnorm(K)[domain]
    y <<- y + .5 * stats::rnorm(K)[domain] * shared / sqrt(blocks)
    own <- .1 * signal %*% matrix(stats::rnorm(3 * columns), 3)
    domain_gains(K, factor)[domain] * (shared + own) + .05 * stats::rnorm(n * columns)
  })
  list(x = do.call(cbind, x), y = y, domain = factor(domain))
}

# Sensors of several columns each, whose gain and zero change from domain to domain; every sensor measures
# the wanted quantity mixed with the same three others.
sensor_problem <- function(seed, factor, K = 7, rows = 60, sensors = 8, columns = 8) {
  set.seed(seed)
  domain <- rep(seq_len(K), each = rows)
  n <- K * rows
  wanted <- stats::rnorm(n) + stats::rnorm(K, 0, .5)[domain]
  others <- matrix(stats::rnorm(n * 3), n) + matrix(stats::rnorm(K * 3, 0, .5), K)[domain, ]
  x <- lapply(seq_len(sensors), function(sensor) {
    seen <- stats::rnorm(1) * wanted + drop(others %*% stats::rnorm(3))
    seen <- domain_gains(K, factor)[domain] * seen + stats::rnorm(K, 0, .3)[domain]
    outer(seen, exp(stats::rnorm(columns, 0, .3))) + .1 * stats::rnorm(n * columns)
  })
  list(x = do.call(cbind, x), y = wanted + .2 * stats::rnorm(n), domain = factor(domain))
}

# Two blast furnaces, each in six periods; 21 inputs, most of them lagged values of others.
furnace_problem <- function() {
  parts <- lapply(c("A", "B"), function(furnace) {
    data <- read_set(paste0("furnace_", furnace, ".csv"))
    data <- data[rowSums(data == 0) == 0, ]
    data$domain <- paste0(furnace, cut(seq_len(nrow(data)), 6, labels = FALSE))
    data
  })
  data <- do.call(rbind, parts)
  problem_of(as.matrix(data[setdiff(names(data), c("si", "domain"))]), data$si, data$domain)
}

# Parkinson patients who are not in part `domains`, with the total score as the response.
patient_problem <- function() {
  data <- read_set("parkinsons.csv.gz")
  x <- as.matrix(data[c("test_time", names(data)[7:22])])
  problem_of(x, data$total_UPDRS, data$subject, data$subject > 30)
}

together_sets <- function() {
  simulated <- function(make) {
    lapply(c(1.5, 3, 10), function(factor) function() lapply(1:2, make, factor = factor))
  }
  sets <- c(simulated(block_problem), simulated(sensor_problem))
  names(sets) <- c(paste0("blocks, gains up to ", c(1.5, 3, 10), " times"),
                   paste0("sensors, gains up to ", c(1.5, 3, 10), " times"))
  if (has_file("furnace_A.csv")) sets$furnaces <- function() list(furnace_problem())
  if (has_file("parkinsons.csv.gz")) sets$parkinson <- function() list(patient_problem())
  sets
}

# ---- methods: functions of a problem without the domain, and new rows -> predictions --------------

penalised <- function(problem, new, alpha) {
  weights <- 1 / as.vector(table(problem$domain))[problem$domain]
  cv <- glmnet::cv.glmnet(problem$x, problem$y, weights = weights, foldid = as.integer(problem$domain),
                          alpha = alpha, nlambda = 60, thresh = 1e-6,
                          lambda.min.ratio = if (alpha) 1e-3 else 1e-5)
  drop(predict(cv, new, s = "lambda.min"))
}

together_losses <- function(problem, left) {
  train <- without(problem, left)
  rows <- problem$domain == left
  new <- problem$x[rows, , drop = FALSE]
  gain <- drop(predict(tgreedy(train$x, train$y, train$domain), new))
  by_cv <- drop(predict(tgreedy(train$x, train$y, train$domain, control = tgreedy_control(stop = "cv")), new))
  ridge <- penalised(train, new, 0)
  score <- cbind(gain = gain, `gain, stop = "cv"` = by_cv, lasso = penalised(train, new, 1),
                 ridge = ridge, `mean of gain and ridge` = (gain + ridge) / 2,
                 null = balanced_mean(train$y, train$domain))
  colMeans((problem$y[rows] - score)^2)
}

# Loss divided by that of the mean: mean over domains left out, then over the problems of a set.
run_together <- function(problems) {
  ratios <- vapply(problems, function(problem) {
    losses <- rowMeans(vapply(levels(problem$domain), together_losses, numeric(6), problem = problem))
    losses[-6] / losses[6]
  }, numeric(5))
  rowMeans(ratios)
}

part_together <- function() {
  if (!installed("glmnet")) stop("glmnet is needed", call. = FALSE)
  sets <- together_sets()
  rows <- lapply(names(sets), function(name) {
    message("  ", name)
    run_together(sets[[name]]())
  })
  losses <- do.call(rbind, rows)
  mean_ratio <- exp(colMeans(log(losses / apply(losses, 1, min))))
  worst <- apply(losses / apply(losses, 1, min), 2, max)
  table <- rbind(losses, mean_ratio, worst)
  rownames(table) <- c(names(sets), "loss / best, geometric mean", "loss / best, largest")
  text <- cbind(set = rownames(table), as.data.frame(formatC(table, format = "f", digits = 3)))
  section(
    "tgreedy", "together", "Columns that help only together",
    "Every domain in turn is left out: squared loss on it divided by that of the mean of the training",
    "domains. `gain` with its own stop and with stop = \"cv\"; lasso and ridge by glmnet, rows weighted so that",
    "all domains have the same weight, the penalty chosen by leave-one-domain-out within the training",
    "domains; the mean of the predictions of `gain` and ridge. Simulated sets: two draws of 7 domains of 60",
    "rows. blocks: 6 blocks of 8 nearly collinear columns; what the columns of a block share has a different",
    "effect in every domain, and the signal is in their small differences. sensors: 8 sensors of 8 columns",
    "each, which measure the response mixed with three other quantities. In both the columns of a domain are",
    "multiplied by a gain, and the gains of the domains differ by up to the factor in the table. furnaces: 12",
    "periods of two furnaces, 21 inputs. parkinson: 12 patients, 16 measures of voice and the time.", "",
    markdown_table(text)
  )
}

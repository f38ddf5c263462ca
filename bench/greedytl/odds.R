# Tasks of two classes with sources that give log odds, and the log loss of probabilities on them. Only definitions.
#   x, eta     features and the sources' log odds of all rows
#   y          TRUE for the class whose probability is wanted

# A logistic model with a small ridge (Newton steps): its coefficients, the intercept first.
ridge_odds <- function(x, y, ridge = 1) {
  x <- cbind(1, x)
  b <- numeric(ncol(x))
  penalty <- diag(c(1e-3, rep(ridge, ncol(x) - 1)))
  for (round in 1:25) {
    p <- stats::plogis(drop(x %*% b))
    b <- b + solve(crossprod(x, p * (1 - p) * x) + penalty, crossprod(x, y - p) - penalty %*% b)
  }
  drop(b)
}

# Models of some rows each, with all columns or `columns` drawn ones: their log odds for all rows.
odds_of_models <- function(x, y, rows, columns = NULL) {
  eta <- vapply(rows, function(row) {
    use <- if (is.null(columns)) seq_len(ncol(x)) else sample(ncol(x), columns)
    b <- ridge_odds(x[row, use, drop = FALSE], y[row])
    drop(cbind(1, x[, use, drop = FALSE]) %*% b)
  }, numeric(nrow(x)))
  colnames(eta) <- paste0("model", seq_along(rows))
  eta
}

odds_task <- function(x, y, pool, sources, size, columns = NULL, target = setdiff(seq_along(y), pool)) {
  x <- scale(x)
  x <- x[, is.finite(colSums(x)), drop = FALSE]
  rows <- lapply(seq_len(sources), function(k) sample(pool, min(size, length(pool))))
  eta <- odds_of_models(x, y, rows, columns)
  list(x = unname(x[target, ]), eta = eta[target, ], y = y[target])
}

# The hospitals of the heart data, each the target once: six models of 60 rows from each of the others.
heart_tasks <- function() {
  d <- read_set("heart.csv")
  x <- with(d, cbind(age, sex, cp == 2, cp == 3, cp == 4, trestbps, thalach, exang, oldpeak, restecg == 1,
                     restecg == 2))
  whole <- stats::complete.cases(x)
  x <- scale(x[whole, ])
  d <- d[whole, ]
  y <- d$num > 0
  lapply(c(cleveland = "cleveland", hungarian = "hungarian", va = "va"), function(target) {
    others <- split(which(d$hospital != target), d$hospital[d$hospital != target])
    rows <- unlist(lapply(others, function(row) lapply(1:6, function(k) sample(row, 60))), recursive = FALSE)
    own <- d$hospital == target
    list(x = unname(x[own, ]), eta = odds_of_models(x, y, rows)[own, ], y = y[own])
  })
}

# Letters against X, Y and Z; the sources are models of the other letters.
letter_task <- function(target) {
  data <- mlbench_letters()
  negative <- c("X", "Y", "Z")
  old <- 1:8000
  others <- setdiff(LETTERS[1:23], target)
  x <- data$x
  eta <- vapply(others, function(letter) {
    row <- c(utils::head(old[data$class[old] == letter], 100), utils::head(old[data$class[old] %in% negative], 100))
    drop(cbind(1, x) %*% ridge_odds(x[row, ], data$class[row] == letter))
  }, numeric(nrow(x)))
  new <- setdiff(which(data$class %in% c(target, negative)), old)
  list(x = x[new, ], eta = eta[new, ], y = data$class[new] == target)
}

# Half of the rows, or fewer, are for the sources: `pool`.
odds_tasks <- function() {
  set.seed(39)
  of_mlbench <- function(name) {
    store <- new.env()
    utils::data(list = name, package = "mlbench", envir = store)
    stats::na.omit(store[[name]])
  }
  pima <- rbind(MASS::Pima.tr, MASS::Pima.te)
  sonar <- of_mlbench("Sonar")
  ion <- of_mlbench("Ionosphere")
  cancer <- of_mlbench("BreastCancer")
  votes <- of_mlbench("HouseVotes84")
  vehicle <- of_mlbench("Vehicle")
  half <- function(data) sample(nrow(data), nrow(data) %/% 3)
  numbers <- function(data) vapply(data, function(v) as.numeric(v), numeric(nrow(data)))
  pima_x <- numbers(pima[1:7])
  young <- which(pima$age < 27)
  cars <- vehicle$Class %in% c("opel", "saab")
  c(heart_tasks(), list(
    "pima, small models" = odds_task(pima_x, pima$type == "Yes", half(pima), 20, 30),
    "pima, the young" = odds_task(pima_x, pima$type == "Yes", young, 10, 60),
    "sonar, twelve columns each" = odds_task(numbers(sonar[1:60]), sonar$Class == "M", half(sonar), 15, 40, 12),
    "ionosphere" = odds_task(numbers(ion[3:34]), ion$Class == "good", half(ion), 15, 30, 8),
    "cancer, one column in three" = odds_task(numbers(cancer[2:10]), cancer$Class == "malignant", half(cancer), 10,
                                              25, 3),
    "votes" = odds_task(numbers(votes[-1]), votes$Class == "democrat", half(votes), 10, 20, 4),
    "vehicle, models of other kinds" = odds_task(numbers(vehicle[1:18]),
                                                 ifelse(cars, vehicle$Class == "saab", vehicle$Class == "van"),
                                                 which(!cars), 12, 60, target = which(cars)),
    "letter G, models of other letters" = letter_task("G"), "letter A, models of other letters" = letter_task("A")
  ))
}

# Rows of a draw: n for training, with three of each class or more, and up to 500 others.
odds_rows <- function(task, n) {
  repeat {
    row <- sample(length(task$y))
    train <- row[seq_len(n)]
    if (min(sum(task$y[train]), sum(!task$y[train])) >= 3) break
  }
  list(train = train, test = utils::head(row[-seq_len(n)], 500))
}

mean_log_loss <- function(p, y) {
  p <- pmin(pmax(p, 1e-6), 1 - 1e-6)
  -mean(log(ifelse(y, p, 1 - p)))
}

# ---- probabilities of prob = TRUE beside simple ones ------------------------------------------------

# Ridge logistic regression, lambda by five folds balanced in the classes.
ridge_shares <- function(x, y, new) {
  fold <- integer(length(y))
  fold[order(y, stats::runif(length(y)))] <- rep_len(seq_len(min(5, length(y))), length(y))
  fit <- suppressWarnings(glmnet::cv.glmnet(x, factor(y), family = "binomial", alpha = 0, foldid = fold,
                                            grouped = FALSE))
  drop(stats::predict(fit, new, s = "lambda.min", type = "response"))
}

# Platt's calibration of the sources' mean log odds.
recalibrated <- function(eta, y, new) {
  smooth <- ifelse(y, (sum(y) + 1) / (sum(y) + 2), 1 / (sum(!y) + 2))
  ab <- suppressWarnings(stats::glm.fit(cbind(1, eta), smooth, family = stats::quasibinomial()))$coefficients
  stats::plogis(ab[[1]] + ab[[2]] * new)
}

# A draw of n rows of a task: features and responses of the training rows, features of the test rows, the sources' log
# odds of both, and `p`, the probabilities of greedytl(prob = TRUE) with the sources.
odds_draw <- function(task, rows) {
  eta <- pmin(pmax(task$eta, stats::qlogis(.001)), stats::qlogis(.999))
  drawn <- list(x = task$x[rows$train, ], y = task$y[rows$train], new = task$x[rows$test, ], truth = task$y[rows$test],
                own = eta[rows$train, ], theirs = eta[rows$test, ])
  signed <- function(eta) 2 * stats::plogis(eta) - 1
  fit <- greedytl(drawn$x, factor(drawn$y), sources = signed(drawn$own), prob = TRUE)
  drawn$p <- suppressMessages(stats::predict(fit, drawn$new, sources = signed(drawn$theirs), type = "prob"))
  drawn
}

# The probabilities of the simple ways with the same rows.
odds_peers <- function(drawn) {
  list(
    "sources as they are" = rowMeans(stats::plogis(drawn$theirs)),
    "sources recalibrated" = recalibrated(rowMeans(drawn$own), drawn$y, rowMeans(drawn$theirs)),
    "ridge on X" = ridge_shares(drawn$x, drawn$y, drawn$new),
    "ridge on [X H]" = ridge_shares(cbind(drawn$x, drawn$own), drawn$y, cbind(drawn$new, drawn$theirs))
  )
}

odds_losses <- function(task, n) {
  drawn <- odds_draw(task, odds_rows(task, n))
  odds <- stats::qlogis(pmin(pmax(drawn$p, 1e-6), 1 - 1e-6))
  slope <- suppressWarnings(stats::glm.fit(cbind(1, odds), drawn$truth, family = stats::binomial()))$coefficients[[2]]
  losses <- vapply(c(list("prob = TRUE" = drawn$p), odds_peers(drawn)), mean_log_loss, 0, drawn$truth)
  c(losses, slope = slope, flat = diff(range(drawn$p)) < 1e-8)
}

part_odds <- function() {
  tasks <- odds_tasks()
  cells <- expand.grid(task = names(tasks), n = c(12, 24, 60, 120), stringsAsFactors = FALSE)
  cells <- cells[cells$n + 15 < vapply(tasks, function(task) length(task$y), 0L)[cells$task], ]
  draws <- 4
  losses <- t(mapply(function(task, n) {
    set.seed(n)
    runs <- replicate(draws, odds_losses(tasks[[task]], n))
    c(rowMeans(runs[1:5, ]), slope = stats::median(runs["slope", ]), flat = sum(runs["flat", ]))
  }, cells$task, cells$n))
  others <- losses[, 2:5]
  ratio <- losses[, 1] / do.call(pmin, as.data.frame(others))
  by_rows <- lapply(unique(cells$n), function(n) {
    at <- cells$n == n
    data.frame(rows = n, tasks = sum(at), t(colMeans(losses[at, 1:5])),
               "prob / best of the four" = exp(mean(log(ratio[at]))), largest = max(ratio[at]),
               "median slope" = stats::median(losses[at, "slope"]), "one number" = sum(losses[at, "flat"]),
               check.names = FALSE)
  })
  section("greedytl", "odds", "Probabilities beside sources and ridge logistic regression", paste(
    "Log loss on up to 500 other rows of twelve tasks with sources that give log odds (bench/greedytl/odds.R),",
    draws, "draws; the best of the four is that of the task, by its mean over the draws. Slope: of a logistic",
    "regression of the test rows on the log odds. One number: fits with one probability for all rows."
  ), "", markdown_table(do.call(rbind, by_rows)), "", "By task, over 12, 24, 60 and 120 rows:", "",
  markdown_table(do.call(rbind, lapply(names(tasks), function(task) {
    at <- cells$task == task
    data.frame(task, t(colMeans(losses[at, 1:5])), "prob / best of the four" = exp(mean(log(ratio[at]))),
               check.names = FALSE)
  }))))
}

# ---- other calibrations on the same tasks ---------------------------------------------------------------

# Log odds of every row by the calibration of the others.
left_out_odds <- function(score, y, prior) {
  vapply(seq_along(y), function(i) {
    ab <- transelect:::cv_calibrate_odds(score[-i], y[-i], rep(1, length(y) - 1), prior = prior)
    ab[[1]] + ab[[2]] * score[i]
  }, 0)
}

# Weights of columns of log odds, the likelihood of their mean in rows left out times a prior worth two rows.
stacked_odds <- function(odds, y) {
  to_weights <- function(at) exp(c(0, at)) / sum(exp(c(0, at)))
  low <- stats::optim(numeric(ncol(odds) - 1), function(at) {
    eta <- drop(odds %*% to_weights(at))
    -sum(stats::plogis(ifelse(y, eta, -eta), log.p = TRUE)) - 2 * mean(log(to_weights(at)))
  })
  to_weights(low$par)
}

calibration_losses <- function(task, n) {
  rows <- odds_rows(task, n)
  rows$test <- utils::head(rows$test, 300)
  drawn <- odds_draw(task, rows)
  y <- drawn$y
  signed <- function(eta) 2 * stats::plogis(eta) - 1
  fit <- greedytl(drawn$x, factor(y), sources = signed(drawn$own))
  score <- suppressMessages(stats::predict(fit, drawn$new, sources = signed(drawn$theirs), type = "link"))
  held <- numeric(n) # scores of ten parts
  for (part in transelect:::cv_calibrate_parts(fit, list(x = drawn$x, y = factor(y)))) {
    less <- greedytl(drawn$x[-part, ], factor(y)[-part], sources = signed(drawn$own)[-part, , drop = FALSE])
    held[part] <- suppressMessages(stats::predict(less, drawn$x[part, , drop = FALSE], type = "link",
                                                  sources = signed(drawn$own)[part, , drop = FALSE]))
  }
  prior <- function(sd, mean = log(2)) c(mean = mean, sd = sd)
  platt <- function(sd) {
    ab <- transelect:::cv_calibrate_odds(held, y, rep(1, n), prior = prior(sd))
    stats::plogis(ab[[1]] + ab[[2]] * score)
  }
  odds_of <- function(p) stats::qlogis(pmin(pmax(p, 1e-6), 1 - 1e-6))
  mean_of <- function(eta) rowMeans(stats::plogis(eta))
  about_one <- transelect:::cv_calibrate_odds(rowMeans(drawn$own), y, rep(1, n), prior = prior(.5, 0))
  out <- cbind(left_out_odds(held, y, prior(.5)), odds_of(mean_of(drawn$own)),
               left_out_odds(rowMeans(drawn$own), y, prior(.5, 0)))
  new <- cbind(odds_of(drawn$p), odds_of(mean_of(drawn$theirs)),
               about_one[[1]] + about_one[[2]] * rowMeans(drawn$theirs))
  likelihood <- colSums(stats::plogis(ifelse(y, 1, -1) * out, log.p = TRUE))
  share <- stats::plogis(likelihood[1] - likelihood[2])
  binomial <- suppressMessages(greedytl(drawn$x, factor(y), family = "binomial",
                                        sources = sources(drawn$own, scale = "link")))
  given <- c(odds_peers(drawn), list(
    "prob = TRUE" = drawn$p, "prior sd 1" = platt(1), "prior sd .25" = platt(.25),
    "mean with the sources'" = share * drawn$p + (1 - share) * mean_of(drawn$theirs),
    "stack of three" = stats::plogis(drop(new %*% stacked_odds(out, y))),
    "family = \"binomial\"" = suppressMessages(stats::predict(binomial, drawn$new, sources = drawn$theirs,
                                                              type = "response"))
  ))
  vapply(given, mean_log_loss, 0, drawn$truth)
}

part_calibrations <- function(draws = 4) {
  tasks <- odds_tasks()
  cells <- expand.grid(task = names(tasks), n = c(12, 24, 60), stringsAsFactors = FALSE)
  losses <- t(mapply(function(task, n) {
    set.seed(700 + n)
    rowMeans(replicate(draws, calibration_losses(tasks[[task]], n)))
  }, cells$task, cells$n))
  ratio <- losses[, -(1:4)] / do.call(pmin, as.data.frame(losses[, 1:4]))
  geometric <- function(at) apply(ratio[at, , drop = FALSE], 2, function(v) exp(mean(log(v))))
  of_rows <- lapply(unique(cells$n), function(n) {
    data.frame(task = c(paste("all, of", n, "rows"), "  largest"),
               rbind(geometric(cells$n == n), apply(ratio[cells$n == n, ], 2, max)), check.names = FALSE)
  })
  of_tasks <- lapply(names(tasks), function(task) {
    data.frame(task = paste0(task, ", 12 and 24 rows"), t(geometric(cells$task == task & cells$n < 60)),
               check.names = FALSE)
  })
  section("greedytl", "calibrations", "Other ways to probabilities on these tasks", paste(
    "Log loss on up to 300 other rows divided by that of the best of the four simple ways above,", draws, "other",
    "draws. Prior sd: of the log of the slope, .5 in prob = TRUE. Mean with the sources': of the probabilities of",
    "prob = TRUE and the mean of the sources', weighed by their likelihood in rows left out. Stack of three: log odds",
    "of prob = TRUE, of the sources as they are and recalibrated, weights of largest likelihood in rows left out."
  ), "", markdown_table(do.call(rbind, c(of_rows, of_tasks))))
}

# ---- msplit() with its logistic loss on the same tasks ------------------------------------------------

# msplit(loss = "binomial") of features and sources, its time chosen by five folds.
split_shares <- function(z, y, new) {
  colnames(z) <- colnames(new) <- paste0("z", seq_len(ncol(z)))
  cv <- suppressMessages(suppressWarnings(cv_path(
    z, factor(y),
    fit = function(x, ...) msplit(x, loss = "binomial", ...), loss = "deviance",
    nfolds = min(5, sum(y), sum(!y))
  )))
  p <- suppressMessages(stats::predict(cv, new, type = "prob", step = "min"))
  if (is.matrix(p)) p[, ncol(p)] else p
}

split_losses <- function(task, n) {
  rows <- odds_rows(task, n)
  rows$test <- utils::head(rows$test, 300)
  y <- task$y[rows$train]
  eta <- pmin(pmax(task$eta, stats::qlogis(.001)), stats::qlogis(.999))
  z <- cbind(task$x, eta)
  signed <- 2 * stats::plogis(eta) - 1
  fit <- greedytl(task$x[rows$train, ], factor(y), sources = signed[rows$train, ], prob = TRUE)
  p <- suppressMessages(stats::predict(fit, task$x[rows$test, ], sources = signed[rows$test, ], type = "prob"))
  odds <- suppressMessages(greedytl(task$x[rows$train, ], factor(y), family = "binomial",
                                    sources = sources(eta[rows$train, ], scale = "link")))
  of_odds <- suppressMessages(stats::predict(odds, task$x[rows$test, ], sources = eta[rows$test, ], type = "response"))
  vapply(list(
    "greedytl, family = \"binomial\"" = of_odds, "greedytl, prob = TRUE" = p,
    "msplit on [X H]" = split_shares(z[rows$train, ], y, z[rows$test, ]),
    "ridge on [X H]" = ridge_shares(z[rows$train, ], y, z[rows$test, ])
  ), mean_log_loss, 0, task$y[rows$test])
}

part_split <- function() {
  tasks <- odds_tasks()
  cells <- expand.grid(task = names(tasks), n = c(12, 24, 60), stringsAsFactors = FALSE)
  losses <- t(mapply(function(task, n) {
    set.seed(200 + n)
    split_losses(tasks[[task]], n)
  }, cells$task, cells$n))
  ratio <- losses[, 3] / losses[, c(1, 2, 4)]
  section("greedytl", "split", "msplit() with its logistic loss beside them", paste(
    "Log loss on up to 300 other rows of the twelve tasks, one draw: msplit(loss = \"binomial\") of features and",
    "sources, its time by up to five folds, beside greedytl(family = \"binomial\"), greedytl(prob = TRUE) and ridge",
    "logistic regression on both."
  ), "", markdown_table(do.call(rbind, lapply(c(12, 24, 60), function(n) {
    at <- cells$n == n
    data.frame(rows = n, t(colMeans(losses[at, ])), "msplit / family = \"binomial\"" = exp(mean(log(ratio[at, 1]))),
               smallest = min(ratio[at, 1]), largest = max(ratio[at, 1]),
               "msplit / prob = TRUE" = exp(mean(log(ratio[at, 2]))), "smallest " = min(ratio[at, 2]),
               "largest " = max(ratio[at, 2]), "msplit / ridge" = exp(mean(log(ratio[at, 3]))), check.names = FALSE)
  }))), "", "By task, over 12, 24 and 60 rows:", "", markdown_table(do.call(rbind, lapply(names(tasks), function(task) {
    at <- cells$task == task
    data.frame(task, t(colMeans(losses[at, ])), "msplit / family = \"binomial\"" = exp(mean(log(ratio[at, 1]))),
               check.names = FALSE)
  }))))
}

# Conformal intervals on data sets: rows of a target and of other domains, classes, counts. Only definitions.

# Each set: list(domains), data frames of the response y and the same features, the target first; n, its rows for the
# fit.
interval_sets <- function() {
  read <- function(file) utils::read.csv(file.path(data_folder(), file))
  by <- function(data, domain, response, features, first, others = 4) {
    data <- cbind(y = as.numeric(data[[response]]), data[features], domain = as.character(data[[domain]]))
    data <- stats::na.omit(data)
    sizes <- sort(table(data$domain), decreasing = TRUE)
    kept <- unique(c(if (is.null(first)) names(sizes)[1] else first, names(sizes)))
    kept <- kept[seq_len(min(others + 1, length(sizes)))]
    lapply(stats::setNames(nm = kept), function(k) data[data$domain == k, c("y", features)])
  }
  maths <- as.data.frame(nlme::MathAchieve)
  maths[c("Minority", "Sex")] <- lapply(maths[c("Minority", "Sex")], as.numeric)
  bdf <- as.data.frame(nlme::bdf)
  list(
    "airquality, May" = list(domains = by(datasets::airquality, "Month", "Ozone", c("Solar.R", "Wind", "Temp"), "5"),
                             n = 15),
    "MathAchieve, a school" = list(domains = by(maths, "School", "MathAch", c("SES", "Minority", "Sex"),
                                                NULL), n = 25),
    "London schools, one" = list(domains = by(read("school.csv.gz"), "school", "score", paste0("x", 3:9), "1"), n = 40),
    "Parkinson, a patient" = list(domains = by(read("parkinsons.csv.gz"), "subject", "motor_UPDRS",
                                               c("test_time", "Jitter.pct", "Shimmer", "NHR", "HNR", "RPDE", "DFA",
                                                 "PPE"),
                                               "1"), n = 30),
    "furnace A" = list(domains = {
      a <- read("furnace_A.csv")
      lapply(list(A = a[rowSums(a == 0) == 0, ], B = read("furnace_B.csv")), function(d) cbind(y = d$si, d[-1])[1:9])
    }, n = 60),
    "heart disease, degree, va" = list(domains = by(read("heart.csv"), "hospital", "num",
                                                    c("age", "sex", "cp", "trestbps", "thalach", "exang", "oldpeak"),
                                                    "va"), n = 40),
    "Boston" = list(domains = list(all = cbind(y = MASS::Boston$medv, MASS::Boston[-14])), n = 100)
  )
}

# A random draw of a set as interval_kinds() gives them.
interval_draw <- function(set) {
  own <- set$domains[[1]]
  at <- sample(nrow(own), set$n)
  others <- lapply(set$domains[-1], function(d) d[sample(nrow(d), min(nrow(d), 150)), ])
  parts <- c(list(own[at, ]), others)
  both <- do.call(rbind, parts)
  x <- as.matrix(both[-1])
  varies <- apply(x[seq_len(set$n), ], 2, stats::sd) > 0
  list(x = unname_rows(x[, varies, drop = FALSE]), y = both$y,
       domain = rep(c("t", names(set$domains)[-1]), vapply(parts, nrow, 0L)),
       new_x = unname_rows(as.matrix(own[-at, -1])[, varies, drop = FALSE]), new_y = own$y[-at])
}

unname_rows <- function(x) {
  rownames(x) <- NULL
  colnames(x) <- make.names(colnames(x))
  x
}

# Sets of classes: of `n` random rows sets for all others by conformal() of three methods, and by split conformal of
# linear discriminant analysis (MASS::lda), whose score is 1 - probability of the class.
class_sets <- function() {
  mlbench_data <- function(name) {
    store <- new.env()
    utils::data(list = name, package = "mlbench", envir = store)
    store[[name]]
  }
  pen <- utils::read.csv(file.path(data_folder(), "pendigits_train.csv.gz"))
  heart <- utils::read.csv(file.path(data_folder(), "heart.csv"))
  columns <- c("num", "age", "sex", "cp", "trestbps", "thalach", "exang", "oldpeak")
  heart <- stats::na.omit(heart[heart$hospital == "cleveland", columns])
  vehicle <- mlbench_data("Vehicle")
  list(
    iris = list(x = as.matrix(datasets::iris[1:4]), y = datasets::iris$Species, n = 60),
    "heart disease, yes or no" = list(x = as.matrix(heart[-1]), y = factor(heart$num > 0, labels = c("no", "yes")),
                                      n = 80),
    vehicle = list(x = as.matrix(vehicle[1:18]), y = vehicle$Class, n = 200),
    pendigits = list(x = as.matrix(pen[1:16]), y = factor(pen[[17]]), n = 300)
  )
}

class_figures <- function(sets, y) c(cover = mean(vapply(seq_along(y), function(i) y[i] %in% sets[[i]], NA)),
                                     size = mean(lengths(sets)))

class_draw <- function(set, level = .9) {
  at <- sample(length(set$y), set$n)
  new <- setdiff(seq_along(set$y), at)
  if (length(new) > 500) new <- sample(new, 500)
  x <- scale(set$x)
  y <- as.character(set$y)
  ours <- function(fit) {
    sets <- stats::predict(conformal(fit, x[at, ], y = set$y[at], nfolds = 10), x[new, ], level = level)$set
    class_figures(strsplit(sets, ", ", fixed = TRUE), y[new])
  }
  fit <- at[seq_along(at) %% 2 == 0]
  held <- setdiff(at, fit)
  lda <- suppressWarnings(MASS::lda(x[fit, ], factor(y[fit])))
  probability <- function(rows) stats::predict(lda, x[rows, ])$posterior
  seen <- colnames(probability(held))
  score <- 1 - probability(held)[cbind(seq_along(held), match(y[held], seen))]
  score[is.na(score)] <- Inf
  reach <- sort(score)[min(ceiling(level * (length(held) + 1)), length(held))]
  split <- apply(1 - probability(new) <= reach, 1, function(on) seen[on], simplify = FALSE)
  c(ours(greedytl(x[at, ], set$y[at])), ours(shareboost(x[at, ], set$y[at], max_steps = min(10, ncol(x)))),
    ours(msplit(x[at, ], set$y[at])), class_figures(split, y[new]))
}

# Counts: list(x, y, domain, new_x, new_y) by draw.
count_kinds <- function() {
  simulated <- function(theta) function() {
    p <- 4
    b <- stats::rnorm(p, sd = .4)
    one <- function(n, near) {
      x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", 1:p)))
      mean <- exp(1 + drop(x %*% (b + stats::rnorm(p, sd = near))))
      list(x = x, y = if (is.finite(theta)) stats::rnbinom(n, mu = mean, size = theta) else stats::rpois(n, mean))
    }
    own <- one(240, 0)
    others <- lapply(1:2, function(k) one(60, .1))
    at <- 1:40
    list(x = rbind(own$x[at, ], others[[1]]$x, others[[2]]$x), y = c(own$y[at], others[[1]]$y, others[[2]]$y),
         domain = rep(c("t", "a", "b"), c(40, 60, 60)), new_x = own$x[-at, ], new_y = own$y[-at])
  }
  quine <- function() {
    d <- MASS::quine
    x <- stats::model.matrix(~ Eth + Sex + Age + Lrn, d)[, -1]
    rownames(x) <- NULL
    colnames(x) <- make.names(colnames(x))
    x <- x[, colnames(x) != "AgeF3"]
    at <- sample(nrow(x), 80)
    list(x = x[at, ], y = d$Days[at], domain = rep("t", 80), new_x = x[-at, ], new_y = d$Days[-at])
  }
  list("Poisson" = simulated(Inf), "negative binomial, theta 2" = simulated(2), "quine (MASS): days absent" = quine)
}

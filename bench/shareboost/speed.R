# Speed of shareboost() beside glmnet's grouped path to as many features. Only definitions.

# Classes from a linear model of twenty features.
simulated_classes <- function(n, p, k, seed = 1) {
  set.seed(seed)
  x <- matrix(stats::rnorm(n * p), n)
  W <- matrix(stats::rnorm(20 * k), 20)
  score <- x[, 1:20] %*% W / 2 - log(-log(stats::runif(n * k)))
  list(x = x, y = factor(max.col(score, "first")))
}

# Seconds of the prototypes on the machine where they were measured (AVX-512).
speed_cases <- list(
  "500 x 1000, 5 classes" = list(make = function() simulated_classes(500, 1000, 5), rounds = 20,
                                 wanted = .0026),
  "2000 x 500, 10 classes" = list(make = function() simulated_classes(2000, 500, 10), rounds = 20,
                                  wanted = .014),
  "pendigits pairs" = list(make = pendigits_pairs, rounds = 50, wanted = .20,
                           file = "pendigits_train.csv.gz"),
  isolet = list(make = isolet_letters, rounds = 50, wanted = 1.08, file = "isolet.csv.gz"),
  "MNIST pixels" = list(make = mnist_digits_all, rounds = 50, wanted = 2.5,
                        file = "train-images-idx3-ubyte.gz")
)

# Seconds of a call: the best by the clock, and the mean of the processor, which depends less on what else
# runs. As many calls as fit in `budget` seconds of the processor.
call_seconds <- function(f, budget, least = 1) {
  processor <- function() sum(proc.time()[1:2])
  best <- Inf
  used <- 0
  runs <- 0
  while (runs < least || (used < budget && runs < 500)) {
    started <- processor()
    best <- min(best, clock(f))
    used <- used + processor() - started
    runs <- runs + 1
  }
  c(best = best, processor = used / runs)
}

speed_row <- function(name) {
  case <- speed_cases[[name]]
  set <- case$make()
  ours <- function() shareboost(set$x, set$y, max_steps = case$rounds)
  peer <- function() {
    suppressWarnings(glmnet::glmnet(set$x, set$y, family = "multinomial",
                                    type.multinomial = "grouped", dfmax = case$rounds))
  }
  ours()
  before <- call_seconds(ours, 2)
  theirs <- if (installed("glmnet")) call_seconds(peer, 1) else c(best = NA, processor = NA)
  after <- call_seconds(ours, 2)
  best <- min(before[["best"]], after[["best"]])
  processor <- mean(c(before[["processor"]], after[["processor"]]))
  data.frame(
    data = name, rows = nrow(set$x), columns = ncol(set$x), rounds = case$rounds,
    "best, s" = best, "processor, s" = processor, "prototype, s" = case$wanted,
    "best / prototype" = best / case$wanted, "glmnet best, s" = theirs[["best"]],
    "glmnet processor, s" = theirs[["processor"]],
    "glmnet / ours, best" = theirs[["best"]] / best,
    "glmnet / ours, processor" = theirs[["processor"]] / processor, check.names = FALSE
  )
}

part_speed <- function() {
  at_hand <- Filter(function(case) is.null(case$file) || available(case), speed_cases)
  rows <- do.call(rbind, lapply(names(at_hand), speed_row))
  section(
    "shareboost", "speed", "Speed",
    "The R call for the whole path, one thread, default rule, refits to 1e-6, beside the",
    "prototype of the kernels on the same data and glmnet's grouped multinomial path up to as many",
    "features (`dfmax`, its default accuracy), in turns with our calls. Seconds by the clock, best of several,",
    "and mean seconds of the processor. Wanted: at most 1.5 times the prototype's time, and for glmnet at",
    paste0("least 3 times ours. (", machine(), ".)"), "",
    markdown_table(rows)
  )
}

# ---- MNIST pixels -----------------------------------------------------------------------------

# Seconds by the clock and of the processor, MB beyond what was there, and MB of x: one call in a
# fresh process.
mnist_numbers <- function(rounds = 50) {
  fresh_numbers(c(
    "source('bench/common.R'); source('bench/greedytl/data.R')",
    "suppressPackageStartupMessages(library(transelect))",
    "small <- shareboost(as.matrix(iris[1:4]), iris$Species)",
    "digits <- read_mnist('train', 60000)",
    "x <- digits$x; y <- factor(digits$class); rm(digits)",
    peak_code(c(
      "started <- proc.time()",
      sprintf("fit <- shareboost(x, y, max_steps = %d)", rounds),
      "used <- proc.time() - started"
    )),
    "cat(used[[3]], sum(used[1:2]), peak, as.numeric(object.size(x)) / 1e6, '\\n')"
  ))
}

part_mnist <- function() {
  if (!available(shareboost_sets$MNIST)) return(c("MNIST is not available.", ""))
  numbers <- mnist_numbers()
  set <- mnist_digits_all()
  curve <- shareboost_curve(set)
  paper <- shareboost_curve(set, rule = "gradient", ridge = 1e-5)
  at <- c(10, 20, 30, 40, 50)
  rows <- data.frame(
    features = at, "test error, orthogonal" = curve$error[at + 1],
    "training error, orthogonal" = attr(curve, "fit")$steps$error[at + 1],
    "test error, gradient" = paper$error[at + 1], check.names = FALSE
  )
  section(
    "shareboost", "mnist", "MNIST, pixels",
    "60,000 x 784, 10 classes, 50 rounds, one thread, in a fresh process. Wanted: under 5 s, and less memory than",
    "twice the data.",
    sprintf("Measured: %.2f s by the clock, %.2f s of the processor; %.0f MB beyond x and y,",
            numbers[1], numbers[2], numbers[3]),
    sprintf("where x is %.0f MB. gradient: with an intercept and a ridge of 1e-5.", numbers[4]), "",
    markdown_table(rows)
  )
}

# Test error of shareboost() by number of features, beside other ways to few features. Only
# definitions.

budgets <- c(5, 10, 20, 50)

# What the prototypes of this package reached, errors at the budgets.
wanted_errors <- list(
  "pendigits, pairs" = list(
    shareboost = c(.214, .110, .048, .028), grouped = c(.560, .395, .216, .109),
    refitted = c(.236, .134, .075, .034)
  ),
  "Satellite, pairs" = list(
    shareboost = c(.165, .151, .138, .124), grouped = c(.556, .305, .268, .168),
    refitted = c(.185, .160, .156, .120)
  ),
  isolet = list(
    shareboost = c(.463, .238, .105, .063), grouped = c(.841, .841, .577, .191),
    refitted = c(.616, .616, .282, .108)
  ),
  letters = list(
    shareboost = c(.443, .292, .201, .125), grouped = c(.804, .732, .475, .309),
    refitted = c(.541, .436, .267, .142)
  )
)

error_of <- function(class, set) mean(as.character(class) != as.character(set$test_y))

# ---- the methods: each a data frame of features used and test error ---------------------------

# rule = "orthogonal", or the paper's.
shareboost_curve <- function(set, ...) {
  fit <- shareboost(set$x, set$y, max_steps = min(max(budgets), ncol(set$x)), ...)
  steps <- 0:max(fit$steps$step)
  class <- predict(fit, set$test_x, step = steps)
  curve <- data.frame(features = fit$steps$size,
                      error = vapply(class, error_of, 0, set = set))
  structure(curve, fit = fit)
}

# The largest set of at most so many features is what a budget buys.
glmnet_curve <- function(set, type) {
  fit <- suppressWarnings(glmnet::glmnet(
    set$x, set$y, family = "multinomial", type.multinomial = type, dfmax = max(budgets)
  ))
  used <- Reduce(`|`, lapply(fit$beta, function(b) as.matrix(b != 0)))
  class <- stats::predict(fit, set$test_x, type = "class")
  curve <- data.frame(features = colSums(used),
                      error = apply(class, 2, error_of, set = set), row.names = NULL)
  structure(curve, used = used)
}

# ShareBoost's fit of the columns glmnet chose.
refitted_curve <- function(set, used) {
  size <- colSums(used)
  chosen <- unique(largest_within(size))
  errors <- vapply(chosen, function(l) {
    if (size[l] == 0) return(1 - max(table(set$y)) / length(set$y))
    columns <- which(used[, l])
    fit <- shareboost(set$x[, columns, drop = FALSE], set$y, max_steps = length(columns))
    error_of(predict(fit, set$test_x), set)
  }, 0)
  data.frame(features = size[chosen], error = errors)
}

# For each budget the last point of a path that keeps to it.
largest_within <- function(size) {
  vapply(budgets, function(budget) max(which(size <= budget)), 0L)
}

# The same greedy code for each class against the rest: features are those of all classes.
one_vs_rest_curve <- function(set, steps = 12) {
  fits <- lapply(levels(set$y), function(class) {
    shareboost(set$x, factor(set$y == class), max_steps = steps)
  })
  rows <- lapply(seq_len(steps), function(s) {
    prob <- vapply(fits, function(fit) {
      predict(fit, set$test_x, step = s, type = "prob")[, 2]
    }, numeric(nrow(set$test_x)))
    columns <- unlist(lapply(fits, function(fit) variable.names(fit, step = s)))
    data.frame(features = length(unique(columns)),
               error = error_of(levels(set$y)[max.col(prob, "first")], set))
  })
  do.call(rbind, rows)
}

# Plain multinomial regression on the columns that ShareBoost selected.
multinom_curve <- function(set, fit) {
  rows <- lapply(intersect(budgets, fit$steps$size), function(s) {
    columns <- variable.names(fit, step = s)
    center <- colMeans(set$x[, columns])
    scale <- apply(set$x[, columns], 2, stats::sd)
    train <- data.frame(y = set$y, scale(set$x[, columns], center, scale))
    plain <- nnet::multinom(y ~ ., train, trace = FALSE, MaxNWts = 1e5, maxit = 300)
    new <- data.frame(scale(set$test_x[, columns], center, scale))
    data.frame(features = s, error = error_of(stats::predict(plain, new), set))
  })
  do.call(rbind, rows)
}

all_curves <- function(set) {
  ours <- shareboost_curve(set)
  curves <- list(
    "shareboost, orthogonal" = ours,
    "shareboost, gradient (paper)" = shareboost_curve(set, rule = "gradient", ridge = 1e-5),
    "one-vs-rest, same code" = one_vs_rest_curve(set)
  )
  if (installed("nnet")) {
    curves[["multinom on its columns"]] <- multinom_curve(set, attr(ours, "fit"))
  }
  if (installed("glmnet")) {
    grouped <- glmnet_curve(set, "grouped")
    curves[["glmnet grouped"]] <- grouped
    curves[["glmnet grouped, refitted"]] <- refitted_curve(set, attr(grouped, "used"))
    curves[["glmnet ungrouped"]] <- glmnet_curve(set, "ungrouped")
  }
  curves
}

# ---- tables -----------------------------------------------------------------------------------

# The error of the largest model within each budget; nothing where the smallest is too large.
errors_within <- function(curve) {
  vapply(budgets, function(budget) {
    fits <- which(curve$features <= budget & curve$features > 0)
    if (!length(fits)) return(NA_real_)
    curve$error[fits[order(curve$features[fits], fits)][length(fits)]]
  }, 0)
}

fewest_features <- function(curve, error) {
  good <- curve$features[curve$error <= error]
  if (length(good)) min(good) else NA_real_
}

budget_table <- function(curves, wanted) {
  errors <- t(vapply(curves, errors_within, numeric(length(budgets))))
  rows <- data.frame(method = names(curves), errors, check.names = FALSE)
  names(rows)[-1] <- paste(budgets, "features")
  extra <- c("shareboost, orthogonal" = "shareboost", "glmnet grouped" = "grouped",
             "glmnet grouped, refitted" = "refitted")
  rows$"prototype's" <- vapply(rows$method, function(method) {
    if (!method %in% names(extra)) return("")
    paste(format_number(wanted[[extra[[method]]]]), collapse = " ")
  }, "")
  rows
}

# Of the methods whose whole path is known.
fewest_table <- function(curves, errors) {
  curves <- curves[!names(curves) %in% c("multinom on its columns", "glmnet grouped, refitted")]
  rows <- vapply(errors, function(e) vapply(curves, fewest_features, 0, error = e),
                 numeric(length(curves)))
  rows <- data.frame(method = names(curves), matrix(rows, length(curves)), check.names = FALSE)
  names(rows)[-1] <- paste("error", errors)
  rows
}

error_marks <- list("pendigits, pairs" = c(.2, .1, .05, .035),
                    "Satellite, pairs" = c(.2, .17, .15, .135),
                    isolet = c(.5, .2, .1, .07), letters = c(.5, .3, .2, .15))

part_data <- function(part, name) {
  if (!available(shareboost_sets[[name]])) return(c(paste(name, "is not at hand."), ""))
  set <- shareboost_sets[[name]]$make()
  curves <- all_curves(set)
  section(
    "shareboost", part, paste("Test error by number of features:", name),
    paste0(nrow(set$x), " rows for training, ", nrow(set$test_x), " for testing, ", ncol(set$x),
           " features, ", nlevels(set$y), " classes. Each method's largest model within the"),
    "number of features; the last column is what a prototype reached.", "",
    markdown_table(budget_table(curves, wanted_errors[[name]])), "",
    "Fewest features for a test error of at most:", "",
    markdown_table(fewest_table(curves, error_marks[[name]]))
  )
}

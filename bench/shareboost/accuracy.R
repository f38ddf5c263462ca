# Test error of shareboost() by number of features, beside other methods of feature selection. Only
# definitions.

budgets <- c(5, 10, 20, 50)

# Test errors of the prototypes of this package, at the numbers of features in `budgets`.
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
shareboost_curve <- function(set, ..., max_features = max(budgets)) {
  fit <- shareboost(set$x, set$y, max_steps = min(max_features, ncol(set$x)), ...)
  steps <- 0:max(fit$steps$step)
  class <- predict(fit, set$test_x, step = steps)
  curve <- data.frame(features = fit$steps$size,
                      error = vapply(class, error_of, 0, set = set))
  structure(curve, fit = fit)
}

# glmnet's own grid skips many sizes (isolet: from 5 features to 11), so a finer grid is used from its
# first penalty to the first that has more features than the largest budget. Then its own grid follows
# up to ten features more, since sizes can fall again (Satellite: 51, then 47). `pmax` counts
# all features that were ever in the model, and its default ends the path of Satellite early; `maxit` counts
# the passes of all penalties together, and its default would end the path of letters.
glmnet_curve <- function(set, type, penalties = 150) {
  path <- function(...) {
    suppressWarnings(glmnet::glmnet(
      set$x, set$y, family = "multinomial", type.multinomial = type, dfmax = max(budgets) + 10,
      pmax = ncol(set$x), maxit = 1e6, ...
    ))
  }
  coarse <- path()
  own <- coarse$lambda
  end <- min(which(colSums(columns_used(coarse)) > max(budgets)), length(own))
  fine <- exp(seq(log(own[1]), log(own[end]), length.out = penalties))
  fit <- path(lambda = c(fine, own[-seq_len(end)]))
  used <- columns_used(fit)
  class <- stats::predict(fit, set$test_x, type = "class")
  curve <- data.frame(features = colSums(used),
                      error = apply(class, 2, error_of, set = set), row.names = NULL)
  structure(curve, used = used)
}

# Features x penalties: has any class a weight?
columns_used <- function(fit) Reduce(`|`, lapply(fit$beta, function(b) as.matrix(b != 0)))

# ShareBoost's fits to the columns that glmnet chose, for every size on its path up to the largest budget;
# of several sets of one size the last.
refitted_curve <- function(set, used) {
  size <- colSums(used)
  sizes <- sort(unique(size[size > 0 & size <= max(budgets)]))
  errors <- vapply(sizes, function(s) {
    columns <- which(used[, max(which(size == s))])
    fit <- shareboost(set$x[, columns, drop = FALSE], set$y, max_steps = length(columns))
    error_of(predict(fit, set$test_x), set)
  }, 0)
  data.frame(features = sizes, error = errors)
}

# The same greedy code for each class against the rest: features are those of all classes.
one_vs_rest_curve <- function(set, steps = 12, ...) {
  fits <- lapply(levels(set$y), function(class) {
    shareboost(set$x, factor(set$y == class), max_steps = min(steps, ncol(set$x)), ...)
  })
  rows <- lapply(seq_len(steps), function(s) {
    last <- function(fit) min(s, max(fit$steps$step))
    prob <- vapply(fits, function(fit) {
      predict(fit, set$test_x, step = last(fit), type = "prob")[, 2]
    }, numeric(nrow(set$test_x)))
    columns <- unlist(lapply(fits, function(fit) variable.names(fit, step = last(fit))))
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
    "shareboost, gradient (paper)" = paper_curve(set),
    "one-vs-rest, same code" = one_vs_rest_curve(set)
  )
  mixed <- mixed_curve(set)
  curves[["mixed norm (l_inf, 1)"]] <- mixed
  curves[["mixed norm, refitted"]] <- refitted_curve(set, attr(mixed, "used"))
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

# The row of the largest model with at most so many features as each budget, the last of several; NA where the smallest
# model has more.
rows_within <- function(curve) {
  vapply(budgets, function(budget) {
    fits <- which(curve$features <= budget & curve$features > 0)
    if (!length(fits)) return(NA_integer_)
    fits[order(curve$features[fits], fits)][length(fits)]
  }, 0L)
}

# Errors within the budgets, and in brackets the number of features where it is less.
errors_within <- function(curve) {
  rows <- rows_within(curve)
  size <- curve$features[rows]
  fewer <- ifelse(size < budgets, paste0(" (", size, ")"), "")
  ifelse(is.na(rows), "", paste0(format_number(curve$error[rows]), fewer))
}

fewest_features <- function(curve, error) {
  good <- curve$features[curve$error <= error]
  if (length(good)) min(good) else NA_real_
}

budget_table <- function(curves, wanted) {
  errors <- t(vapply(curves, errors_within, character(length(budgets))))
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

# For the methods with a model of (nearly) every size.
fewest_table <- function(curves, errors) {
  curves <- curves[names(curves) != "multinom on its columns"]
  rows <- vapply(errors, function(e) vapply(curves, fewest_features, 0, error = e),
                 numeric(length(curves)))
  rows <- data.frame(method = names(curves), matrix(rows, length(curves)), check.names = FALSE)
  names(rows)[-1] <- paste("error", errors)
  rows
}

error_marks <- list("pendigits, pairs" = c(.2, .1, .05, .035),
                    "Satellite, pairs" = c(.2, .17, .15, .135),
                    isolet = c(.5, .2, .1, .07), letters = c(.5, .3, .2, .15))

# Our errors less the prototype's, beside the standard error of a share of the test rows.
distance_note <- function(curve, wanted, rows) {
  ours <- curve$error[match(budgets, curve$features)]
  error <- sqrt(wanted * (1 - wanted) / rows)
  largest <- which.max(abs(ours - wanted) / error)
  four <- function(x) paste(sprintf("%.4f", x), collapse = ", ")
  c(
    sprintf("The errors of the prototype of shareboost() were %s; ours are larger (-: smaller) by",
            paste(format_number(wanted), collapse = ", ")),
    sprintf("%s. An error p of n = %d test rows has the standard error", four(ours - wanted), rows),
    sprintf("sqrt(p(1 - p) / n): %s. The difference is at most", four(error)),
    sprintf("%.2f of it (%d features). These standard errors do not allow for the test rows being the same for both,",
            abs(ours - wanted)[largest] / error[largest], budgets[largest]),
    "as the predictions of the prototype were not kept. The prototype's lasso seems to have been on",
    "glmnet's own grid of penalties, since on isolet it has the same error at 5 and at 10 features."
  )
}

# Measured on Satellite and letters, with columns scaled one by one, or to variance one, before products.
scaling_note <- c(
  "It is not known how the prototype scaled the features before it formed their products; the scaling alone",
  "changes the error at five features by up to several hundredths."
)

part_data <- function(part, name) {
  if (!available(shareboost_sets[[name]])) return(c(paste(name, "is not available."), ""))
  set <- shareboost_sets[[name]]$make()
  curves <- all_curves(set)
  wanted <- wanted_errors[[name]]
  section(
    "shareboost", part, paste("Test error by number of features:", name),
    sprintf("%d rows for training, %d for testing, %d features, %d classes. Each row has the errors of the method's",
            nrow(set$x), nrow(set$test_x), ncol(set$x), nlevels(set$y)),
    "largest model with at most so many features; brackets: its number of features, where that is smaller. The last",
    "column has the errors of a prototype. glmnet has 150 penalties from its first to the first with more than",
    "50 features, where its own grid is coarse and skips sizes, and its own grid from there to 60 features.",
    "refitted: the columns of that method, with weights by `shareboost()`. gradient (paper): without intercept and",
    "ridge. Mixed norm: penalty lambda sum_j max_k |W_jk|, each lambda .95 of the one before.", "",
    markdown_table(budget_table(curves, wanted)), "",
    distance_note(curves[["shareboost, orthogonal"]], wanted$shareboost, nrow(set$test_x)),
    if (name != "isolet") scaling_note, "",
    "Fewest features for a test error of at most (refitted: among its models of up to 50 features):", "",
    markdown_table(fewest_table(curves, error_marks[[name]]))
  )
}

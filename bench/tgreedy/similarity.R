# The paper's pictures on MNIST with random rectified features: curves of the domains seen and T beside the target's
# curve (Figures 1 and 2), even and odd digits (section 1), similarity of digits (Figures 3 and 4). Only
# definitions.

curve_rules <- list(
  "greedy" = list(rule = "greedy", intercept = FALSE),
  "t" = list(rule = "t", intercept = FALSE),
  "gain" = list(rule = "gain", control = tgreedy_control(stop = "none"), intercept = FALSE),
  "greedy, intercept" = list(rule = "greedy"),
  "t, intercept" = list(rule = "t"),
  "gain, intercept" = list(rule = "gain", control = tgreedy_control(stop = "none"))
)

# Of one path: AUROC of the target, mean AUROC of the domains' own test rows, |T| of the feature that
# entered last, at each size.
path_curves <- function(arguments, train, seen, target) {
  fit <- do.call(tgreedy, c(list(train$x, train$y, train$domain, max_steps = 3 * max(sizes)), arguments))
  own <- scores_at(fit, seen$x, sizes)
  new <- scores_at(fit, target$x, sizes)
  by_domain <- split(seq_along(seen$domain), seen$domain)
  cbind(
    seen = apply(own, 2, function(score) {
      mean(vapply(by_domain, function(rows) auroc(score[rows], seen$y[rows] > 0), 0))
    }),
    target = apply(new, 2, auroc, target$y > 0),
    T = abs(fit$steps$t[match(step_of_size(fit, sizes), fit$steps$step)])
  )
}

# Means over runs (sizes x curves x runs), rules by curves.
curves_table <- function(runs) {
  rows <- lapply(names(runs), function(rule) {
    means <- apply(runs[[rule]], 1:2, mean)
    error <- apply(runs[[rule]], 1:2, stats::sd) / sqrt(dim(runs[[rule]])[3])
    text <- means
    text[] <- sprintf("%.3f (%.3f)", means, error)
    text[, "T"] <- sprintf("%.1f", means[, "T"])
    data.frame(rule, curve = c("AUROC, domains seen", "AUROC, target", "T of the feature added"), t(text),
               check.names = FALSE)
  })
  table <- do.call(rbind, rows)
  names(table)[-(1:2)] <- sizes
  markdown_table(table)
}

# ---- Figures 1 and 2: 2 against another digit -------------------------------------------------

# Curves of digit a against each of eight others, tested on the ninth: a list by rule.
curve_runs <- function(sets, a) {
  lapply(curve_rules[c("greedy", "t", "gain")], function(arguments) {
    simplify2array(lapply(setdiff(0:9, a), function(left) {
      others <- setdiff(0:9, c(a, left))
      path_curves(arguments, against_others(sets$train, a, others), against_others(sets$test, a, others),
                  against_others(sets$test, a, left))
    }))
  })
}

part_curves <- function(a = 2, rows = 300) {
  title <- "MNIST: curves of the domains seen and T beside the target's curve (Figures 1 and 2)"
  if (!has_file("train-images-idx3-ubyte.gz")) return(no_data("curves", title))
  runs <- curve_runs(mnist_digits(rows), a)
  section(
    "tgreedy", "curves", title,
    sprintf("Digit %d against each of eight others; mean (standard error) over the ninth digit, left out; %d rows a", a,
            rows),
    "digit, 400 random rectified features, without an intercept, as in the paper. Domains seen: mean AUROC of the",
    "eight domains on test images. The paper has 2000 features of a deep belief network and 1000 rows. There the",
    "target curve of greedy falls close to chance after 3 to 4 features, while the curve of the domains seen rises;",
    "the two curves of T-greedy start close together and diverge less.", "",
    curves_table(runs)
  )
}

# ---- section 1: 2 against even digits, tested on odd ones -------------------------------------

# Errors in per cent, for 2s, even and odd digits, of a logistic regression on the pixels, fitted to 2 against the
# even digits with a small ridge, by Newton steps.
logistic_errors <- function(even, odd, rows = 800, ridge = 1e-3) {
  sets <- lapply(list(train = read_mnist("train", 10000), test = read_mnist("t10k", 10000)), first_rows,
                 rows)
  kept <- sets$train$class %in% c(2, even)
  x <- cbind(1, sets$train$x[kept, ])
  y <- sets$train$class[kept] == 2
  w <- numeric(ncol(x))
  for (step in 1:8) {
    p <- stats::plogis(drop(x %*% w))
    hessian <- crossprod(x, p * (1 - p) * x)
    diag(hessian) <- diag(hessian) + ridge * nrow(x)
    w <- w + solve(hessian, crossprod(x, y - p) - ridge * nrow(x) * w)
  }
  says_2 <- drop(cbind(1, sets$test$x) %*% w) > 0
  class <- sets$test$class
  100 * c(mean(!says_2[class == 2]), mean(says_2[class %in% even]), mean(says_2[class %in% odd]))
}

logistic_line <- function(even, odd) {
  errors <- logistic_errors(even, odd)
  c("", "Logistic regression on the pixels, 800 rows a digit, ridge 1e-3 with the mean loss, has errors of",
    sprintf("%.2f %% for the 2s, %.2f %% for the even and %.1f %% for the odd digits. The balanced errors",
            errors[1], errors[2], errors[3]),
    sprintf("are %.2f %% and %.1f %%.", mean(errors[1:2]), mean(errors[c(1, 3)])))
}

part_even <- function(rows = 300) {
  title <- "MNIST: 2 against the other even digits, tested on odd ones (section 1)"
  if (!has_file("train-images-idx3-ubyte.gz")) return(no_data("even", title))
  sets <- mnist_digits(rows)
  even <- c(0, 4, 6, 8)
  odd <- c(1, 3, 5, 7, 9)
  train <- against_others(sets$train, 2, even)
  own <- against_others(sets$test, 2, even)
  new <- against_others(sets$test, 2, odd)
  # balanced: the 2s and the other digits each have half of the weight
  error <- function(score, y) {
    colMeans(rbind(colMeans(score[y > 0, ] <= 0), colMeans(score[y < 0, ] > 0)))
  }
  table <- do.call(rbind, lapply(names(curve_rules), function(rule) {
    fit <- do.call(tgreedy, c(list(train$x, train$y, train$domain, max_steps = 3 * max(sizes)),
                              curve_rules[[rule]]))
    cells <- rbind(error(scores_at(fit, own$x, sizes), own$y), error(scores_at(fit, new$x, sizes), new$y))
    data.frame(rule, "tested on" = c("even", "odd"), matrix(sprintf("%.3f", cells), 2),
               check.names = FALSE)
  }))
  names(table)[-(1:2)] <- sizes
  section(
    "tgreedy", "even", title,
    sprintf("Balanced error on test images by number of features; %d rows a digit, 400 random rectified",
            rows),
    "features; four domains, 2 against 0, 4, 6 and 8. The paper, by a logistic regression: .5 % on even",
    "digits, 35 % on odd ones.", "",
    markdown_table(table), logistic_line(even, odd)
  )
}

# ---- Figures 3 and 4: similarity --------------------------------------------------------------

similarity_split <- function(sets, left, pairs) {
  seen <- function(set) set$class != left
  of <- function(set, classes, rows = TRUE) {
    drawn <- similarity_pairs(set$x[rows, ], set$class[rows], pairs, classes = as.character(classes))
    list(x = drawn$x, y = ifelse(drawn$y == "same", 1, -1), domain = drawn$domain)
  }
  set.seed(left)
  digits <- setdiff(0:9, left)
  list(train = of(sets$train, digits, seen(sets$train)), seen = of(sets$test, digits, seen(sets$test)),
       target = of(sets$test, left))
}

part_similarity <- function(rows = 800, pairs = 1000) {
  title <- "MNIST: similarity of digits, one digit left out (Figure 3 top, Figure 4 middle)"
  if (!has_file("train-images-idx3-ubyte.gz")) return(no_data("similarity", title))
  sets <- mnist_digits(rows)
  splits <- lapply(0:9, similarity_split, sets = sets, pairs = pairs)
  runs <- lapply(curve_rules, function(arguments) {
    simplify2array(lapply(splits, function(s) path_curves(arguments, s$train, s$seen, s$target)))
  })
  section(
    "tgreedy", "similarity", title,
    sprintf("Nine digits are the domains, each with %d pairs of this digit and %d pairs of it and another of the nine.",
            pairs, pairs),
    "The target has pairs of the tenth digit, and of it and the others. Mean (standard error) over the ten",
    sprintf("digits left out; products of 400 random rectified features, %d rows a digit. The paper has 2000",
            rows),
    "features of a deep belief network. There the two curves of greedy diverge",
    "after one feature; T-greedy selects up to 25 features that raise the target curve.", "",
    curves_table(runs)
  )
}

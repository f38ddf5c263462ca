# Few-shot classes: characters of Omniglot, pixels or PCA scores. Only definitions.

# The characters of the first alphabets serve to tune methods without a rule of their own and to compute the principal
# components; those of the other alphabets are the test.
omniglot_sets <- function(scores = 40) {
  data <- utils::read.csv(file.path(data_folder(), "omniglot_small1.csv.gz"))
  pixels <- as.matrix(data[grep("^p[0-9]+$", names(data))])
  character <- paste(data$alphabet, data$character)
  first <- data$alphabet %in% sort(unique(data$alphabet))[1:2]
  centre <- colMeans(pixels[first, ])
  axes <- svd(pixels[first, ] - rep(centre, each = sum(first)), nu = 0, nv = scores)$v
  pca <- (pixels - rep(centre, each = nrow(pixels))) %*% axes
  colnames(pca) <- paste0("pc", seq_len(scores))
  part <- function(x, rows) list(x = x[rows, ], character = character[rows])
  lapply(list(pixels = pixels, "PCA scores" = pca), function(x) {
    list(tune = part(x, first), test = part(x, !first))
  })
}

# `ways` characters, `shots` drawings of each to learn from, the others to predict.
episode <- function(set, ways, shots, seed) {
  set.seed(seed)
  chosen <- sample(unique(set$character), ways)
  rows <- which(set$character %in% chosen)
  order <- stats::ave(stats::runif(length(rows)), set$character[rows], FUN = rank)
  train <- rows[order <= shots]
  test <- rows[order > shots]
  varies <- apply(set$x[train, ], 2, function(v) max(v) > min(v))
  as_class <- function(r) factor(set$character[r], levels = sort(chosen))
  list(x = set$x[train, varies], y = as_class(train), new = set$x[test, varies],
       truth = as_class(test))
}

accuracy <- function(scores, e) {
  mean(max.col(scores, "first") == as.integer(e$truth))
}

few_grid <- list(nu = 10^(-2:1), ratio = c(0, 1, 2, 5, 10))

# Of the steps at which the object has the dense estimator, those nearest to these multiples of t_1.
kept_points <- function(fit, ratio) {
  t <- fit$points$t
  at <- vapply(ratio * t[2], function(wanted) which.min(abs(t - wanted)), 1L)
  fit$points$step[at]
}

# Accuracies of the dense and the sparse estimator at every (nu, t / t_1).
msplit_accuracies <- function(e) {
  out <- lapply(few_grid$nu, function(nu) {
    fit <- msplit(e$x, e$y, nu = nu,
                  control = msplit_control(t_ratio = max(few_grid$ratio), nt = 12), choose = "none")
    at <- kept_points(fit, few_grid$ratio)
    lapply(c("dense", "sparse"), function(estimator) {
      scores <- stats::predict(fit, e$new, step = unique(at), type = "link", estimator = estimator)
      known <- apply(scores, 3, accuracy, e)
      known[match(at, unique(at))]
    })
  })
  of <- function(k) vapply(out, `[[`, numeric(length(few_grid$ratio)), k)
  list(dense = of(1), sparse = of(2), ridge = of(1)[1, ])
}

# One lasso for each class, with lambdas relative to the largest lambda of the class.
lasso_accuracies <- function(e) {
  parts <- 10^seq(0, -3, -.25)
  scores <- lapply(levels(e$y), function(class) {
    y <- as.numeric(e$y == class)
    largest <- max(abs(crossprod(scale(e$x) * sqrt(nrow(e$x) / (nrow(e$x) - 1)), y))) / nrow(e$x)
    fit <- glmnet::glmnet(e$x, y, lambda = parts * largest)
    stats::predict(fit, e$new, s = parts * largest)
  })
  vapply(seq_along(parts), function(k) {
    accuracy(vapply(scores, function(s) s[, k], numeric(nrow(e$new))), e)
  }, 0)
}

neighbour_accuracy <- function(e) {
  distance <- -2 * e$new %*% t(e$x) + rep(rowSums(e$x^2), each = nrow(e$new))
  mean(e$y[max.col(-distance, "first")] == e$truth)
}

default_accuracy <- function(e) {
  mean(stats::predict(msplit(e$x, e$y), e$new, type = "class") == e$truth)
}

episode_accuracies <- function(set, ways, shots, seed) {
  e <- episode(set, ways, shots, seed)
  c(list("msplit, default" = default_accuracy(e), "1-NN" = neighbour_accuracy(e)),
    msplit_accuracies(e), if (installed("glmnet")) list(lasso = lasso_accuracies(e)))
}

# Accuracy at the setting that was best on average over the tuning episodes.
few_shot_column <- function(sets, ways, shots, count, tuning) {
  tune <- lapply(seq_len(tuning), function(k) episode_accuracies(sets$tune, ways, shots, k))
  test <- lapply(seq_len(count), function(k) episode_accuracies(sets$test, ways, shots, k))
  vapply(names(test[[1]]), function(method) {
    average <- Reduce(`+`, lapply(tune, `[[`, method)) / tuning
    at <- which.max(average)
    values <- vapply(test, function(one) one[[method]][at], 0)
    best <- max(Reduce(`+`, lapply(test, `[[`, method)) / count)
    sprintf("%.1f (%.1f), %.1f", 100 * mean(values), 100 * stats::sd(values) / sqrt(count),
            100 * best)
  }, "")
}

few_shot_section <- function(part, ways, features, count = 30, tuning = 6) {
  title <- paste0("Omniglot: ", paste(ways, collapse = " and "), " classes from a few drawings, ",
                  features)
  if (!file.exists(file.path(data_folder(), "omniglot_small1.csv.gz"))) {
    return(section("msplit", part, title,
                   paste0("Left out: its data are not in the data folder (", data_folder(), ").")))
  }
  sets <- omniglot_sets()[[features]]
  plan <- expand.grid(shots = c(1, 5), ways = ways)
  cells <- mapply(function(ways, shots) few_shot_column(sets, ways, shots, count, tuning),
                  plan$ways, plan$shots)
  colnames(cells) <- paste0(plan$ways, "-way, shots: ", plan$shots)
  table <- cbind(method = rownames(cells), as.data.frame(cells, optional = TRUE))
  section(
    "msplit", part, title,
    paste0("Per cent of the other drawings that are classified correctly: mean (standard error) over ", count,
           " episodes"),
    "with characters of three alphabets, at the setting (nu, t / t_1, lambda) that was best over",
    paste0(tuning, " episodes of the two other alphabets; after the comma at the setting that is best for these"),
    "episodes. `ridge` is msplit() at t = 0; `msplit, default` chooses nu by itself; there is one lasso for each",
    if (features == "PCA scores") "class. Features: 40 principal components of the two other alphabets' pixels." else
      "class. Features: 28 x 28 grey values.", "",
    markdown_table(table)
  )
}

part_pca <- function() few_shot_section("pca", c(5, 20), "PCA scores")
part_pixels5 <- function() few_shot_section("pixels5", 5, "pixels")
part_pixels20 <- function() few_shot_section("pixels20", 20, "pixels")

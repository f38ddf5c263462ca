# The path object of greedytl() of log odds and log rates, and what its models are worth. Its class has
# "likelihood_path" between "greedytl" and "transfer_path".

# each: the alternatives of greedytl_odds_alternatives(), with their weights.
greedytl_odds_object <- function(frame, part, squares, each, weight, kinds, settings) {
  p <- ncol(frame$x)
  s <- length(kinds)
  total <- p + s + (s > 0)
  columns <- labels_of_all_columns(frame$blueprint)
  sources <- greedytl_odds_sources(frame$sources, kinds)
  label <- c(columns, sources$names)
  path <- squares$path
  steps <- greedytl_odds_steps(frame, part, squares)
  beta <- path$beta
  beta@x <- beta@x * rep(steps$slope, diff(beta@p))
  beta@Dim[1] <- as.integer(total) # with an empty row for the mean of the sources
  beta@Dimnames <- list(label, NULL)
  weighted <- function(what) drop(vapply(each, `[[`, numeric(length(each[[1]][[what]])), what) %*% weight)
  average <- table_sparse_rows(matrix(weighted("beta"), total), label)
  eta <- weighted("fitted")
  left <- vapply(each, `[[`, numeric(part$n), "left")
  family <- part$family
  plain <- part # without the dispersion
  plain$w <- part$w * part$phi
  value <- function(eta) likelihood_value(family, plain, eta)
  table <- table_data_frame(list(
    model = names(each), weight = unname(weight), loo = unname(greedytl_odds_loss(left, part)),
    prior = greedytl_odds_prior(names(each))
  ))
  rows <- likelihood_residuals(family, plain, eta)
  spread <- greedytl_odds_spread(frame, part)
  fit <- path_object_new(
    "greedytl",
    labels = c(title = paste("Greedy transfer learning,", if (family == "poisson") "log rates" else "log odds")),
    beta = beta, a0 = steps$a0, points = path$points, steps = steps$table, best = "average", lambda = NA_real_,
    nobs = part$n, size = sum(part$w > 0), family = family, classes = levels(frame$y),
    link = if (family == "poisson") "log" else "logit", phi = if (family == "poisson") part$phi,
    ridge = greedytl_odds_ridges(each), center = stats::setNames(spread$center, label),
    scale = stats::setNames(spread$scale, label), sources = sources, frame = frame,
    fitted = rows$fitted, residuals = rows$response, deviance_residuals = rows$deviance,
    pearson_residuals = rows$pearson, average = list(beta = average, a0 = weighted("a0")),
    alternatives = table, loo = greedytl_odds_loss(drop(left %*% weight), part),
    deviance = 2 * (likelihood_saturated(family, plain) - value(eta)),
    null_deviance = 2 * (likelihood_saturated(family, plain) - value(part$level + part$offset)),
    log_weights = 0, settings = replace(settings, "family", family)
  )
  class(fit) <- c("greedytl", "likelihood_path", "transfer_path")
  if (s) frame$sources$values <- cbind(part$limited, part$mean)
  path_bound_with_ranges(fit, frame, seq_len(total), BOUND)
}

# list(table, slope, a0): the steps as models of log odds, each calibrated by scores of rows left out.
greedytl_odds_steps <- function(frame, part, squares) {
  path <- squares$path
  w <- part$w
  y <- as.numeric(part$y)
  score <- as.matrix(greedytl_odds_scores(frame, part, path$beta, path$a0))
  held <- squares$held
  seen <- !is.finite(colSums(held))
  seen[1] <- TRUE # without columns there is nothing to calibrate
  held[, seen] <- score[, seen]
  center <- colSums(w * held) / sum(w)
  z <- held - rep(center, each = part$n)
  start <- rep(part$level, ncol(z))
  prior <- greedytl_odds_slope_prior(part)
  line <- cv_calibrate_columns(z, matrix(w, part$n, ncol(z)), y, part$offset, prior, start,
                               rep(prior[["mean"]], ncol(z)), part$family)
  b <- exp(line$l)
  a <- line$a - b * center
  eta <- part$offset + rep(a, each = part$n) + score * rep(b, each = part$n)
  left <- cv_calibrate_left_step(z, y, w, part$offset, prior, line$a, line$l, part$family)
  table <- path$steps[c("lambda", "step", "entered", "type", "size", "gain")]
  table$loss <- unname(greedytl_odds_loss(eta, part))
  part$w <- w * part$phi
  table$log_lik <- apply(eta, 2, function(eta) likelihood_value(part$family, part, eta))
  table$deviance <- 2 * (likelihood_saturated(part$family, part) - table$log_lik)
  table$loo <- unname(greedytl_odds_loss(left, part))
  list(table = table, slope = b, a0 = a + b * path$a0)
}

# The pairs of ridges of the alternatives with all columns, and with features only.
greedytl_odds_ridges <- function(each) {
  parts <- lapply(names(each), function(name) {
    pairs <- each[[name]]$pairs
    if (is.null(pairs)) return(NULL)
    list(model = rep(name, ncol(pairs)), alpha_features = table_nan_to_na(pairs[1, ]),
         alpha_sources = table_nan_to_na(pairs[2, ]), from_mean = pairs[3, ] == 1, criterion = pairs[4, ],
         weight = pairs[5, ])
  })
  parts <- Filter(Negate(is.null), parts)
  if (length(parts)) table_data_frame(table_stacked(parts))
}

# Means and standard deviations of the features, the limited sources and their mean, by the rows' weights.
greedytl_odds_spread <- function(frame, part) {
  w <- part$w / sum(part$w)
  of <- function(x) {
    center <- as.vector(if (isS4(x)) Matrix::crossprod(x, w) else crossprod(x, w))
    square <- if (isS4(x)) as.vector(Matrix::crossprod(x^2, w)) - center^2 else
      as.vector(crossprod((x - rep(center, each = nrow(x)))^2, w))
    list(center = center, scale = sqrt(pmax.int(square, 0)))
  }
  parts <- c(list(of(frame$x)), if (!is.null(part$limited)) list(of(part$limited), of(cbind(part$mean))))
  list(center = unlist(lapply(parts, `[[`, "center"), use.names = FALSE),
       scale = unlist(lapply(parts, `[[`, "scale"), use.names = FALSE))
}

# What a fit keeps of its sources: all of them, and their mean as the last.
greedytl_odds_sources <- function(sources, kinds) {
  if (is.null(sources)) return(NULL)
  kept <- greedytl_object_sources(sources, seq_along(kinds))
  kept$names <- c(sources_label(sources, seq_along(kinds)), MEAN_SOURCE)
  kept$odds <- kinds
  kept
}

#' @rdname path_model
#' @export
path_worth.greedytl <- function(path, step = NULL, lambda = NULL, ..., call = rlang::caller_env()) {
  if (!inherits(path, "likelihood_path")) return(NextMethod())
  if (...length()) arguments_check(call, path_model_arguments("path_worth", path))
  step <- path_worth_check_one_step(path, step, lambda, call)
  worth <- path_worth_unknown(path, step)
  worth$deviance <- if (identical(step, "average")) path$deviance else path$steps$deviance[match(step, path$steps$step)]
  worth$more <- list(deviance = worth$deviance, null.deviance = path$null_deviance)
  path_worth_refused(
    worth, "The coefficients are means over priors and models: the number of parameters is not defined.",
    mend = "Compare models by {.fn cv_path}, or by the leave-one-out log losses in {.code $alternatives} and
            {.code $steps}.",
    verbs = c("logLik", "df.residual", "sigma")
  )
}

# The object that every fitter returns: its constructor, its responses, the names of its columns.

# Was an intercept fitted?
path_object_has_intercept <- function(object) !isFALSE(object$settings$intercept)

# The one constructor. `...` are components, among them beta, a0, points, steps, best, nobs, family, fitted and
# residuals; others are taken from the frame. The defaults of `link`, `coding` and `labels` are those of most methods.
path_object_new <- function(class, ..., link = "identity", coding = c(-1, 1), labels = character(), frame) {
  frame <- unclass(frame) # whose elements are then found faster
  words <- DEFAULT_LABELS
  words[names(labels)] <- labels
  parts <- list(..., link = link, coding = coding, labels = words,
                ordered = is.ordered(frame$y), blueprint = frame$blueprint,
                domains = attr(frame$domain, "levels"),
                na.action = frame$na.action, left_out = frame$left_out)
  if (frame_rows_are_there(frame)) {
    parts$prior_weights <- frame$weights
    if (identical(parts$family, "binomial") && is.matrix(frame$y)) parts$trials <- unname(rowSums(frame$y))
    if (!is.null(frame$weights) && identical(ncol(frame$x), frame$blueprint$p)) {
      parts$means <- unname(Matrix::colMeans(frame$x))
    }
  }
  if (!is.null(frame$expression_of_domain)) parts$expression_of_domain <- frame$expression_of_domain
  if (!frame_rows_are_there(frame)) parts[c("fitted", "residuals")] <- list(NULL)
  if (is.null(parts$elsewhere) && !is.null(frame$unweighted)) parts$elsewhere <- frame_rows_elsewhere(frame, NULL)
  for (lost in c("weights", "sources")) { # arguments that refit() needs again
    if (!is.null(frame[[lost]])) parts$settings$lost <- c(parts$settings$lost, lost)
  }
  labels <- frame_rows_names(frame)
  if (!is.null(labels)) {
    labels <- as.character(labels)
    by_row <- intersect(c("fitted", "residuals", "deviance_residuals", "pearson_residuals"), names(parts))
    parts[by_row] <- lapply(parts[by_row], labels_set_row_names, labels)
  }
  class(parts) <- c(class, "transfer_path")
  parts
}

# The components that all paths have.
#' @export
whole_needed.transfer_path <- function(object) {
  c("beta", "a0", "points", "steps", "best", "lambda", "nobs", "family", "link", "coding", "labels", "ordered",
    "blueprint", "center", "scale", "settings")
}

DEFAULT_LABELS <- c(title = "", lambda = "lambda", size = "columns in the model")

# Steps of each lambda, in the order of the lambdas; positions, not values, since a default lambda
# may depend on the number of rows.
path_object_steps_by_lambda <- function(points) {
  unname(split(points$step, match(points$lambda, unique(points$lambda))))
}

# For steps 0..end of a path that may have ended earlier and then repeats its last step: list(step: the steps to take,
# from 1 on; size: how many numbers each has; at: where these stand among those of steps 1, 2, ..., `size` of each).
path_object_step_places <- function(size, end) {
  k <- length(size)
  step <- c(0:k, rep.int(k, end - k)) + 1L
  here <- c(0L, size)[step]
  list(step = step, size = here, at = sequence(here, cumsum(c(1L, 0L, size))[step]))
}

# The standard deviations of the columns that the models use, by name; those of one class where the classes differ.
path_object_scale <- function(object, class) {
  scale <- object$scale
  if (is.matrix(scale)) stats::setNames(scale[, class], rownames(scale)) else scale
}

# Are the scores those of a logistic model, so that response_scores_softmax() makes them probabilities?
path_object_is_logistic <- function(object) identical(object$link, "logit")

# Classes fitted by squares to the two numbers of `coding` have scores, but neither probabilities nor
# a likelihood.
path_object_has_classes_by_squares <- function(object) {
  object$family != "gaussian" && identical(object$link, "identity")
}

path_object_responses <- function(object) {
  object$responses %||% if (object$family == "multinomial") object$classes else "y"
}

path_object_is_multi <- function(x) length(path_object_responses(x)) > 1L

# Components of a path are lists by response where there are several responses. From component to list and back:
path_object_one_or_list <- function(parts, several) if (several) parts else parts[[1]]

path_object_by_response <- function(parts) if (is.list(parts)) parts else list(parts)

# The part of one response.
path_object_of_response <- function(parts, response) if (is.list(parts)) parts[[response]] else parts

# Names of columns j of Z (all of them without j).
path_object_term_names <- function(object, j = NULL) {
  path_object_design_labels(object$blueprint, object$sources,
                            j %||% seq_len(nrow(path_object_of_response(object$beta, 1))))
}

# Features are followed by sources.
path_object_design_labels <- function(blueprint, sources, j) {
  p <- blueprint$p
  labels <- character(length(j))
  labels[j <= p] <- labels_of_columns(blueprint$columns, j[j <= p])
  labels[j > p] <- sources_label(sources, j[j > p] - p)
  labels
}

# Columns of the design with a coefficient at some step of the path or in its average.
path_object_columns <- function(path) {
  path <- unclass(path) # for a faster `$`
  path_object_used_rows(c(path_object_by_response(path$beta),
                          if (!is.null(path$average)) path_object_by_response(path$average$beta)))
}

# The same of models as path_model() gives them.
path_object_used_columns <- function(models) path_object_used_rows(lapply(models, `[[`, "beta"))

# Numbers of the rows of several matrices of coefficients that are not all zero.
path_object_used_rows <- function(matrices) {
  .Call(C_used_rows, matrices) %||%
    table_distinct_columns(unlist(lapply(matrices, function(beta) which(Matrix::rowSums(beta != 0) > 0))))
}

path_object_used_terms <- function(object, models) path_object_term_names(object, path_object_used_columns(models))

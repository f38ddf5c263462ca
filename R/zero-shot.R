# zero_shot(): predictions of classes without rows, from attributes that describe seen and new classes.

#' Zero-shot classification
#'
#' Recognises classes without any example, from attributes of the classes: `fit <- zero_shot(attributes_seen,
#' attributes_unseen, means_seen)`, then `predict(fit, newdata)`. Use it if every class, seen or unseen, has an
#' *embedding* (attributes or word vectors). Without attributes use [similarity_pairs()]; for classes with examples
#' [shareboost()] or [greedytl()]. The embedding of each unseen class is written as a linear combination of the
#' embeddings of the seen classes. The same combination of the *prototypes* (mean features) of the seen classes is the
#' prototype of the unseen class. A new row is assigned to the class with the nearest prototype.
#'
#' With embeddings \eqn{E_s} (attributes x seen classes) and \eqn{E_t} (attributes x unseen classes), \eqn{B} is
#' estimated by [msplit()] from \eqn{E_t = E_s B}: attributes are the rows, seen classes the features, unseen classes
#' the responses. The prototypes are \eqn{F_t = F_s B} with \eqn{F_s} (features x seen classes) the means of the seen
#' classes. [signals()] gives for each unseen class the seen classes to which it is strongly related.
#'
#' @param embeddings_source,embeddings_target Numeric matrices with one row per attribute and **one column per class**,
#'   of the seen and the unseen classes. Attributes are matched by row name if both matrices have them.
#' @param prototypes_source Numeric matrix with one row per feature and one column per seen class: the means of its
#'   examples. Columns are matched to those of `embeddings_source` by name if both have names.
#' @param ... Arguments of [msplit()], such as `nu` or `control`; for `coef()`, `summary()`,
#'   `plot()`, `autoplot()`, `tidy()` and `glance()` those of the same verb of `fit`.
#' @param intercept Does every combination have its own intercept? In the paper there is none.
#' @param choose How `nu` and the place on the path are chosen. `"ridge"`: ridge regression without a support, as in
#'   [msplit()] for a factor, with the `nu` that has the smallest sum of leave-one-out errors over the unseen classes.
#'   All prototypes then have one scale; an average over supports for each class recognised fewer rows. `"classes"`:
#'   each seen class is left out in turn, and the point with the smallest squared distance between predicted and true
#'   prototypes is chosen. `"none"`: the last step of the first `nu`.
#' @param object A `zero_shot` object.
#' @param newdata New rows: a matrix or data frame with the features of the prototypes, matched by name if
#'   both have names.
#' @param type `"class"`, or `"distance"` (the Euclidean distance to every prototype).
#' @param x,digits As for [print()].
#' @returns `zero_shot()`: an object of class `zero_shot`, a list of `prototypes` (unseen classes x features),
#'   `fit` (the [msplit()] path), `choice` (with `choose = "classes"` a data frame of `t`, `lambda`
#'   and `error`, the mean squared distance over left-out classes; otherwise `NULL`) and `call`.
#'
#'   `predict()`: a factor with one level per unseen class, or a matrix of distances, rows x unseen classes. Rows with
#'   missing values give `NA`. `coef()`, `summary()`, `plot()`, `autoplot()`, `tidy()` and `glance()` are those of
#'   `fit`, whose coefficients are the combinations of the seen classes.
#' @references Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI: realizing feature
#'   selection and dense estimation simultaneously in few-shot and zero-shot learning. *ICML*, PMLR
#'   80, 5912-5921, section 3.5. \doi{10.48550/arXiv.1806.04360}
#' @seealso [msplit()], [signals()]
#' @examples
#' # three properties of every class decide both its attributes and its features
#' set.seed(1)
#' classes <- c(paste0("seen", 1:8), "new1", "new2")
#' hidden <- matrix(rnorm(30), 3, dimnames = list(NULL, classes))
#' attributes <- matrix(rnorm(60), 20) %*% hidden + rnorm(200) / 20
#' features <- matrix(rnorm(12), 4) %*% hidden
#' fit <- zero_shot(attributes[, 1:8], attributes[, 9:10], features[, 1:8], nu = 1)
#' fit
#' rows <- t(features[, c("new1", "new2", "new2")]) + rnorm(12) / 10
#' predict(fit, rows)
#' signals(fit, k = 2)
#' @export
zero_shot <- function(embeddings_source, embeddings_target, prototypes_source, ...,
                      intercept = FALSE, choose = c("ridge", "classes", "none")) {
  call <- arguments_check_spelling()
  source <- zero_shot_check_embedding(embeddings_source, "embeddings_source", "seen", call)
  target <- zero_shot_check_embedding(embeddings_target, "embeddings_target", "new", call)
  target <- zero_shot_match_attributes(source, target, call)
  prototypes <- zero_shot_match_prototypes(prototypes_source, source, call)
  zero_shot_refuse_constant_class(target, call)
  if (!is.null(list(...)$keep)) {
    abort_input("{.fn zero_shot} takes no {.arg keep}.", "keep",
                i = "Leave it out: columns are seen classes here. {.fn msplit} of the embeddings can keep some.",
                call = call)
  }
  explicit <- length(choose) == 1
  choose <- check_choice(choose, c("ridge", "classes", "none"), "choose", call)
  if (choose == "classes" && ncol(source) < 3) {
    abort_input("{.arg choose} is {.val classes}, but there {?is/are} {ncol(source)} seen
                class{?es}.", "choose", i = "Give at least 3, so that one can be left out, or another
                {.arg choose}.", call = call)
  }
  lbi <- identical(list(...)$method, "lbi")
  if (lbi && explicit && choose == "ridge") {
    abort_input("{.arg choose} is {.val ridge}, but {.arg method} is {.val lbi}.", "choose",
                i = "Leave {.arg choose} or {.arg method} out: leave-one-out is computed for the exact path only.",
                call = call)
  }
  frame <- frame_default(source, target, many = TRUE, call = call)
  ridge_rule <- if (choose == "ridge" && !lbi) "ridge" else "none" # all prototypes must have one scale, as scores have
  tuning <- list(..., intercept = intercept, choose = ridge_rule)
  if (choose == "classes") tuning$nu <- tuning$nu %||% MSPLIT_GRID
  fit <- do.call("msplit", c(list(quote(frame)), tuning))
  fit$call <- quote(msplit())
  choice <- NULL
  if (choose == "classes") {
    choice <- zero_shot_choose_by_classes(fit, source, prototypes, call)
    fit <- zero_shot_default_point(fit, choice[which.min(choice$error), ], source, target)
    choice <- choice[c("t", "lambda", "error")]
  }
  models <- path_model(fit, call = call)
  B <- vapply(path_object_responses(fit), function(response) {
    as.vector(models[[response]]$beta)
  }, numeric(ncol(source)))
  made <- t(prototypes %*% B)
  dimnames(made) <- list(colnames(target), rownames(prototypes))
  structure(list(prototypes = made, fit = whole_sealed(fit), choice = choice,
                 call = arguments_methods_light_call(match.call(), "zero_shot")), class = "zero_shot")
}

# The path with another default model: a point, with its fitted values.
zero_shot_default_point <- function(fit, point, source, target) {
  fit$best <- point$step
  fit$best_lambda <- point$lambda
  fit$settings$choose <- "classes"
  fit$fitted[] <- stats::predict(fit, source)
  fit$residuals[] <- target - fit$fitted
  fit
}

# A matrix of numbers with a column for every class, and names for these.
zero_shot_check_embedding <- function(value, argument, kind, call) {
  value <- zero_shot_finite_matrix(value, argument, "attribute", call)
  colnames(value) <- colnames(value) %||% paste0(kind, seq_len(ncol(value)))
  check_names(colnames(value), argument, call)
  value
}

# A matrix of finite numbers, or an error. of: what a row stands for, in words.
zero_shot_finite_matrix <- function(value, argument, of, call) {
  mend <- "Give a matrix of finite numbers with a row for each {of} and a column for each class."
  if (missing(value)) abort_missing(argument, mend, call)
  if (is.data.frame(value)) value <- as.matrix(value)
  if (is.matrix(value) && is.numeric(value) && length(value) && all(is.finite(value))) return(value)
  n_missing <- if (is.numeric(value)) sum(!is.finite(value)) else 0
  what <- if (n_missing) " with {n_missing} missing or infinite value{?s}"
  abort_input(paste0("{.arg {argument}} is {.obj_type_friendly {value}}", what, "."), argument, i = mend, call = call)
}

zero_shot_refuse_constant_class <- function(target, call) {
  same <- colnames(target)[apply(target, 2, function(e) all(e == e[1]))]
  if (length(same)) {
    abort_input("{.arg embeddings_target} is constant for {.val {same}}.", "embeddings_target",
                i = "Give every class attributes that differ.", call = call)
  }
}

zero_shot_match_attributes <- function(source, target, call) {
  if (!is.null(rownames(source)) && !is.null(rownames(target))) {
    check_names(rownames(source), "embeddings_source", call, "row")
    check_names(rownames(target), "embeddings_target", call, "row")
    missing <- setdiff(rownames(source), rownames(target))
    if (length(missing)) {
      abort_input("{.arg embeddings_target} lacks the attribute{?s} {.val {missing}}.",
                  "embeddings_target", i = "Give these rows; they are matched by name.", call = call)
    }
    return(target[rownames(source), , drop = FALSE])
  }
  if (nrow(source) != nrow(target)) {
    abort_input("{.arg embeddings_source} has {nrow(source)} row{?s}, {.arg embeddings_target} has
                {nrow(target)}.", "embeddings_target",
                i = "Give both a row for every attribute and a column for every class.", call = call)
  }
  target
}

zero_shot_match_prototypes <- function(prototypes, source, call) {
  prototypes <- zero_shot_finite_matrix(prototypes, "prototypes_source", "feature", call)
  named <- !is.null(colnames(prototypes)) && all(colnames(source) %in% colnames(prototypes))
  if (named) return(prototypes[, colnames(source), drop = FALSE])
  if (!is.null(colnames(prototypes)) || ncol(prototypes) != ncol(source)) {
    lacking <- setdiff(colnames(source), colnames(prototypes))
    abort_input("{.arg prototypes_source} has no column for {.val {utils::head(lacking, 5)}}.",
                "prototypes_source",
                i = "Give a column for each of the {ncol(source)} seen classes.", call = call)
  }
  prototypes
}

# Mean squared distance of the predicted prototype of each seen class, left out, at every point.
zero_shot_choose_by_classes <- function(fit, source, prototypes, call) {
  points <- fit$points
  errors <- vapply(seq_len(ncol(source)), function(left_out) {
    frame <- frame_default(source[, -left_out, drop = FALSE], source[, left_out], call = call)
    path <- refit(fit, frame, points = points)
    made <- as.matrix(prototypes[, -left_out, drop = FALSE] %*% path$beta)
    colSums((made - prototypes[, left_out])^2)
  }, numeric(nrow(points)))
  points$error <- rowMeans(matrix(errors, nrow(points)))
  points
}

#' @rdname zero_shot
#' @export
predict.zero_shot <- function(object, newdata, type = c("class", "distance"), ...) {
  arguments_of_generic()
  call <- rlang::current_env()
  type <- check_choice(type, c("class", "distance"), "type", call)
  if (missing(newdata) || is.null(newdata)) {
    abort_missing("newdata", "Give rows with the features of the prototypes.", call)
  }
  # features by name where both have names, else in their order
  named <- is.data.frame(newdata) || !is.null(colnames(newdata))
  features <- frame_design_new_blueprint("matrix", if (named) colnames(object$prototypes), ncol(object$prototypes))
  x <- as.matrix(frame_bake(features, newdata, call))
  distance <- vapply(rownames(object$prototypes), function(class) {
    pieces_distances(x, object$prototypes[class, ])
  }, numeric(nrow(x)))
  distance <- matrix(distance, nrow(x), nrow(object$prototypes),
                     dimnames = list(NULL, rownames(object$prototypes)))
  distance <- labels_set_row_names(distance, labels_of_rows(newdata))
  if (type == "distance") return(distance)
  classes <- colnames(distance)
  labels_set_row_names(factor(classes[response_scores_class(-distance)], classes), labels_of_rows(newdata))
}

#' @rdname zero_shot
#' @export
print.zero_shot <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  table <- signals(x$fit, k = 3)
  related <- function(strong) {
    vapply(path_object_responses(x$fit), function(class) {
      mine <- table$response == class & (table$signal == "strong") == strong
      paste(utils::head(table$term[mine], if (strong) Inf else 3), collapse = ", ")
    }, "")
  }
  shown <- data.frame(class = rownames(x$prototypes), strong = related(TRUE), others = related(FALSE))
  description_print(x, list(
    head = c("Zero-shot classes",
             paste0(words_counted(nrow(x$prototypes), "unseen class", "es"), " from ", x$fit$blueprint$p,
                    " seen classes by ", x$fit$nobs, " attributes; ", words_counted(ncol(x$prototypes), "feature"))),
    tables = list(description_table(shown)),
    foot = paste0("\nstrong: seen classes with an effect, at a false discovery rate of .1 for each unseen class; ",
                  "others: the three largest of those not told from 0")
  ), digits)
}

#' @rdname zero_shot
#' @export
coef.zero_shot <- function(object, ...) stats::coef(object$fit, ...)

#' @rdname zero_shot
#' @export
summary.zero_shot <- function(object, ...) summary(object$fit, ...)

#' @rdname zero_shot
#' @export
tidy.zero_shot <- function(x, ...) tidy(x$fit, ...)

#' @rdname zero_shot
#' @export
glance.zero_shot <- function(x, ...) glance(x$fit, ...)

#' @rdname zero_shot
#' @export
plot.zero_shot <- function(x, ...) {
  arguments_check_spelling()
  graphics::plot(x$fit, ...)
  invisible(x)
}

#' @rdname zero_shot
#' @exportS3Method ggplot2::autoplot
autoplot.zero_shot <- function(object, ...) {
  arguments_check_spelling()
  autoplot.msplit(object$fit, ...)
}

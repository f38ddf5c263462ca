# Are there models whose predictions for the rows are not yet known?
sources_need_raw <- function(sources) !is.null(sources$models) && is.null(sources$values)

#' Source hypotheses
#'
#' Puts models trained elsewhere, functions or predictions into one object for the argument `sources` of [greedytl()]:
#' `greedytl(y ~ ., data = d, sources = sources(list(a = model1, b = model2)))`. You need `sources()` only to change how
#' the models predict (`predict`) or on which scale (`scale`): a plain list of models, or a matrix of predictions, can
#' be given directly. Only the predictions of a source for the rows are used. If coefficients with standard errors are
#' known, use [estimates()] and [tlcp()].
#'
#' Predictions given as a matrix are used as they are, and new predictions must be given to [predict()]. Models and
#' functions predict when needed, for the training rows and for new rows. They receive the data in the form in which the
#' fitter received them: `x`, or the rows of `data` used with a formula. The randomised variant of [greedytl()] calls
#' only the sources that it draws.
#'
#' @section Scales: [greedytl()] gives its sources one scale by default, so their predictions should be on the same
#'   scale. Numbers are in the unit of the response. Classifiers give \eqn{2p - 1}, from -1 to 1, where p is the
#'   probability of a class, because a response of two classes is coded -1 and 1. A model of two classes is one source,
#'   and p is the probability of its second class. A model of more classes is one source per class, named `model:class`.
#'   If a model has the two classes of the response in the other order, the sign of its predictions is changed, with a
#'   message. If the names of the classes differ, the second class of the model stands for the second class of the
#'   response. The sign of predictions, functions and models with `predict =` is never changed.
#'
#' What each kind of model gives (p: the probability of a class):
#' * `lm`, and any other model whose [predict()] returns numbers: these numbers.
#' * `glm` (and classes that inherit from it), `glmnet`, `cv.glmnet` (at `lambda.1se`), `gbm` (with all trees): for
#'   classes 2p - 1, otherwise the mean.
#' * `rms::lrm()`, `nnet::multinom()`, `MASS::lda()`, `MASS::qda()`: 2p - 1.
#' * `randomForest`, `ranger`, `rpart`, `nnet`: for classes 2p - 1, otherwise numbers. If a forest has no probabilities,
#'   p is the share of trees that vote for the class.
#' * `e1071::svm()`: for classes 2p - 1 if fitted with `probability = TRUE`, otherwise (two classes) the decision value;
#'   for numbers the numbers.
#' * Paths and [cv_path()] objects of this package: for classes fitted by least squares the scores, for logistic models
#'   2p - 1, for numbers the numbers.
#' * A named vector of coefficients, such as `c("(Intercept)" = 1, age = .05)`: the linear predictor.
#' * [estimates()]: for `"binomial"` 2p - 1, otherwise the linear predictor.
#' * Functions, matrices, and models with `predict =`: their numbers, unchanged.
#'
#' With `scale = "link"` models of classes give log odds instead (of a class against the others, with p limited to .001
#' to .999), and a `glm` or `glmnet` of numbers gives its linear predictor. Log odds are large if probabilities are near
#' 0 or 1, as in a logistic model of classes that can be separated. [print()] shows the scale of each source.
#'
#' [greedytl()] with `family = "binomial"` needs log odds. From classifiers it computes them by their probabilities, on
#' either scale. Numbers of functions, matrices and models with `predict =` are log odds with `scale = "link"`.
#' Otherwise they are read as probabilities if all are between 0 and 1, as 2p - 1 if all are between -1 and 1, and as
#' log odds if some are outside; a message says so. The folds of [cv_path()] and [compare_paths()] read them as the fit
#' to all rows does. In few rows log odds may by chance all be between -1 and 1, so give `scale = "link"` for log odds.
#' Probabilities are limited to .001 to .999, and a message says how many were 0 or 1. New predictions are read in the
#' same way. With `family = "poisson"` sources give rates for an exposure of 1, or log rates with `scale = "link"`; with
#' `family = "cox"` they give log hazards.
#'
#' @param x A numeric matrix, data frame or `dgCMatrix` of predictions (one row per row of the target, one column per
#'   source), or a list of models, functions, [estimates()] and named vectors of coefficients. A function is called with
#'   the data and returns one number per row. Terms of coefficients are named as in [lm()].
#' @param predict `NULL`, or a `function(model, newdata)` that returns one number per row. It is used for every model in
#'   the list, and its numbers are not changed. Give it for models whose [predict()] does not take a data frame. For
#'   'xgboost', for example, give `function(model, newdata) predict(model, as.matrix(newdata))`, with the columns of
#'   `newdata` to which the model was fitted.
#' @param scale `"response"` or `"link"`, see below.
#' @param ... Not used; anything given is an error.
#' @returns An object of class `transfer_sources`: a list with `values` (matrix of predictions, or `NULL`), `models`
#'   (list, or `NULL`), `predict`, `names` (one per source; `source1`, `source2`, ... if none were given), `n_sources`,
#'   `scale` and `scales` (in words, one per source). If a model is several sources: `of` (the model of each source) and
#'   `column` (its class; 0 for a model that is one source). In a list of more than 10,000 models each must be one
#'   source. A source that predicts the same for all rows of the fit says nothing about them and never enters; a message
#'   names it.
#'
#' @section Errors: Sources that fail, or do not return one finite number per row, are named together in one error. Two
#'   sources with the same name are an error.
#' @references Kuzborskij, Orabona and Caputo (2017), section 3, \doi{10.1016/j.cviu.2016.09.003}.
#' @examples
#' # three models of fuel use learnt on heavy cars, to be used on light ones
#' heavy <- mtcars[mtcars$wt > 3, ]
#' light <- mtcars[mtcars$wt <= 3, ]
#' old <- sources(list(
#'   weight = lm(mpg ~ wt, heavy),
#'   engine = lm(mpg ~ hp + disp, heavy),
#'   rule   = function(d) 40 - 5 * d$wt
#' ))
#' old
#' fit <- greedytl(mpg ~ wt + hp + qsec, data = light, sources = old)
#' coef(fit)
#' @export
sources <- function(x, predict = NULL, scale = c("response", "link"), ...) {
  call <- arguments_check()
  if (missing(x)) {
    abort_input("{.arg x} is missing.", "sources", i = "Give predictions, models or functions.", call = call)
  }
  sources_make(x, predict, check_choice(scale[1], c("response", "link"), "scale", call), call)
}

sources_make <- function(x, predict = NULL, scale = "response", call) {
  if (inherits(x, "transfer_sources")) {
    if (is.null(x$n_sources)) {
      abort_input("{.arg sources} has the class of what {.fn sources} returns, but not its components.", "sources",
                  i = "Give what {.fn sources} returns as it is.", call = call)
    }
    return(x)
  }
  if (!is.null(predict) && !is.function(predict)) {
    abort_input("{.arg predict} is {.obj_type_friendly {predict}}.", "sources",
                i = "Give a {.code function(model, newdata)}.", call = call)
  }
  if (is.matrix(x) || is.data.frame(x) || is(x, "Matrix")) return(sources_of_values(x, scale, call))
  if (inherits(x, "transfer_estimates")) x <- lapply(x$sites, function(site) estimates_new(list(source1 = site)))
  if (sources_is_model(x) || sources_adapter_is_score(x)) x <- list(x)
  if (!is.list(x)) {
    abort_kind(x, "sources", "Give a matrix of predictions or a list of models or functions.", call)
  }
  if (length(x) <= LONG_LIST || sources_adapter_is_score(x[[1]])) {
    scores <- which(vapply(x, sources_adapter_is_score, NA))
    x[scores] <- lapply(scores, function(k) sources_adapter_score_estimates(x[[k]], sources_model_called(x, k), call))
  }
  sources_check_models(x, call)
  if (!is.null(names(x))) names(x)[names(x) == ""] <- paste0("source", which(names(x) == ""))
  check_names(names(x), "sources", call)
  source_names <- names(x) %||% if (length(x) <= 1000) paste0("source", seq_along(x))
  made <- sources_new(models = x, predict = predict, names = source_names, n_sources = length(x),
                     scale = scale)
  if (is.null(predict) && length(x) <= LONG_LIST) sources_spread(made, call) else made
}

LONG_LIST <- 10000 # models; those of a longer list are checked when the fit asks for their predictions

# Models of several classes become several sources.
sources_spread <- function(sources, call) {
  about <- lapply(sources$models, sources_adapter_notes, sources$scale)
  sources$scales <- vapply(about, `[[`, "", "says")
  columns <- lapply(about, `[[`, "columns")
  count <- pmax(1L, lengths(columns))
  if (all(count == 1L)) return(sources)
  of <- rep(seq_along(count), count)
  sources$of <- of
  sources$column <- ifelse(count[of] > 1, sequence(count), 0L)
  sources$scales <- sources$scales[of]
  labels <- sources$names %||% paste0("source", seq_along(count))
  several <- count[of] > 1
  sources$names <- labels[of]
  sources$names[several] <- paste0(labels[of[several]], ":", unlist(columns[count > 1]))
  sources$n_sources <- length(of)
  check_names(sources$names, "sources", call)
  sources
}

sources_new <- function(values = NULL, models = NULL, predict = NULL, names, n_sources, scale = "response") {
  structure(list(values = values, models = models, predict = predict, names = names, n_sources = n_sources,
                 scale = scale, scales = NULL), class = "transfer_sources")
}

sources_of_values <- function(x, scale, call) {
  if (is.data.frame(x)) {
    x <- frame_design_matrix(x, "sources", "Give one column of predictions for each source.", call)
    rownames(x) <- NULL
  }
  x <- frame_design_as_matrix(x, "sources", call)
  check_names(colnames(x), "sources", call)
  names <- colnames(x) %||% paste0("source", seq_len(ncol(x)))
  sources_new(values = x, names = names, n_sources = ncol(x), scale = scale)
}

# A fitted model is anything with a class, or a function.
sources_is_model <- function(x) is.function(x) || (is.object(x) && !is.factor(x))

sources_check_models <- function(models, call) {
  if (length(models) > LONG_LIST) return(invisible())
  wrong <- which(!vapply(models, sources_is_model, NA))
  if (length(wrong)) {
    it <- models[[wrong[1]]]
    name <- sources_model_called(models, wrong[1])
    abort_input("Source {name} is {.obj_type_friendly {it}}.", "sources",
                i = "Give models with a {.fn predict} method, functions, or a matrix of predictions with a column
                     for each source.", call = call)
  }
}

# How errors call model k of a list: by its name, else by its number.
sources_model_called <- function(models, k) {
  name <- rlang::names2(models)[k]
  if (nzchar(name)) words_in_quotes(name) else k
}

sources_as <- function(sources, n, call) {
  sources <- sources_make(sources, call = call)
  if (!isTRUE(sources$n_sources >= 0) || !is.null(sources$values) && length(dim(sources$values)) != 2L) {
    abort_input("{.arg sources} is a part of what {.fn sources} returned.", "sources", i = "Give the whole of it.",
                call = call)
  }
  if (sources$n_sources == 0) {
    tell("`sources` is empty, so that none are used.", class = "transelect_message_empty")
    return(NULL)
  }
  if (!is.null(sources$values) && nrow(sources$values) != n) {
    abort_input("{.arg sources} has {nrow(sources$values)} row{?s}, the data {n}.", "sources",
                i = "Give the predictions of every source for every row.", call = call)
  }
  sources
}

# The sources for a response `y`: where a model has its two classes in the other order, the sign of its predictions is
# changed, so that all are positive for the same class.
sources_for_response <- function(sources, y) {
  if (is.null(sources$models) || !is.null(sources$predict) || nlevels(y) != 2) return(sources)
  sources$response <- levels(y)
  if (length(sources$models) > LONG_LIST) return(sources)
  turned <- vapply(sources$models, sources_is_reversed, NA, sources$response)
  if (any(turned)) {
    one <- sum(turned) == 1
    source_names <- names(sources$models) %||% paste0("source", seq_along(turned))
    tell(paste0("Changing the sign of the source", if (!one) "s", " ", words_in_quotes(source_names[turned]),
                if (one) ", whose second class is " else ", whose second classes are ", words_in_quotes(levels(y)[1]),
                "; that of the response is ", words_in_quotes(levels(y)[2]), "."),
         class = "transelect_message_turned")
  }
  sources
}

# Does a model have the two classes in the other order? Sources of coefficients name no classes.
sources_is_reversed <- function(model, classes) {
  length(classes) == 2 && !inherits(model, "transfer_estimates") &&
    identical(as.character(source_classes(model)), rev(classes))
}

sources_label <- function(sources, j = seq_len(sources$n_sources)) {
  if (is.null(sources$names)) paste0("source", j) else sources$names[j]
}

# The probabilities of the second of two classes by the sources, rows x those that have them, and their numbers as the
# attribute `at`: log odds where the sources are asked for these, else (h + 1)/2 where all predictions of a source are
# within -1 and 1. NULL without values.
sources_probabilities <- function(sources) {
  if (is.null(sources$values)) return(NULL)
  h <- as.matrix(sources$values)
  of_odds <- identical(sources$scale, "link")
  usable <- which(apply(h, 2, function(value) all(is.finite(value)) && (of_odds || all(abs(value) <= 1))))
  h <- unname(h[, usable, drop = FALSE])
  structure(if (of_odds) stats::plogis(h) else (h + 1) / 2, at = unname(usable))
}

# Which model source j is.
sources_model_number <- function(sources, j) if (is.null(sources$of)) j else sources$of[j]

# Predictions of sources j for the rows of `newdata`, a column each, every model asked once; NA where
# `missing` rows are allowed. All that fail are one error.
sources_ask <- function(sources, j, newdata, n, call, allow_missing = FALSE) {
  asked <- sources_predictions_or_failures(sources, j, newdata, n, allow_missing)
  if (length(asked$failed)) sources_abort(asked$failed, call)
  asked$values
}

# list(values, failed): what is wrong with those that failed, by their names; their values are zero.
sources_predictions_or_failures <- function(sources, j, newdata, n, allow_missing = FALSE) {
  values <- matrix(0, n, length(j))
  failed <- character()
  if (n == 0) return(list(values = values, failed = failed)) # models of several packages fail for no rows
  model_of <- sources_model_number(sources, j)
  for (model in unique(model_of)) {
    of_model <- which(model_of == model)
    value <- sources_try(sources, model, newdata)
    column <- if (is.null(sources$of)) 0L else sources$column[j[of_model]] # 0: all of a model that is one source
    wrong <- value$problem %||% sources_wrong_values(value$value, column, n, allow_missing)
    if (is.null(wrong)) {
      values[, of_model] <- as.matrix(value$value)[, pmax(column, 1L)]
    } else {
      label <- sources_label(sources, j[of_model[1]])
      failed[if (length(of_model) > 1) sub(":[^:]*$", "", label) else label] <- wrong
    }
  }
  list(values = values, failed = failed)
}

sources_try <- function(sources, model, newdata) {
  model <- sources$models[[model]]
  tryCatch({
    value <- if (is.null(sources$predict)) {
      value <- predict_source(model, newdata, sources$scale)
      if (sources_is_reversed(model, sources$response)) -value else value
    } else {
      sources$predict(model, newdata)
    }
    if (is(value, "Matrix") || is.data.frame(value)) value <- as.matrix(value)
    if (length(dim(value)) == 1) value <- as.vector(value) # of mgcv::gam()
    list(value = value)
  }, error = function(e) list(problem = paste("could not predict:", conditionMessage(e))))
}

# What is wrong with the values of a model, in words, or NULL.
sources_wrong_values <- function(value, column, n, allow_missing) {
  width <- if (is.null(dim(value))) 1L else if (length(dim(value)) == 2) ncol(value) else 0L
  fits <- if (column[1] == 0) width == 1 else width >= max(column)
  if (!is.numeric(value) || NROW(value) != n || !fits) {
    size <- if (is.null(dim(value))) paste("of length", length(value)) else
      paste("of", paste(dim(value), collapse = " x "))
    return(paste0("returned ", cli::format_inline("{.obj_type_friendly {value}}"), " ", size, " for ", n,
                  if (n == 1) " row" else " rows"))
  }
  bad <- sum(!is.finite(as.matrix(value)[, pmax(column, 1L)]))
  if (bad && !allow_missing) {
    paste0("returned ", bad, if (bad == 1) " value that is" else " values that are", " not finite")
  }
}

sources_abort <- function(failed, call) {
  lines <- sources_failure_lines(failed)
  abort_input(
    "{lines[1]}", "sources", sources_failure_bullets(lines)[-1],
    i = "Give sources that return one finite number for each row; {.arg predict} of {.fn sources} can make them
         do so.",
    call = call
  )
}

# What is wrong with the sources that failed, by their names: a line for those of which the same is to be said, at most
# ten lines.
sources_failure_lines <- function(failed) {
  alike <- split(names(failed), factor(failed, unique(failed)))
  who <- paste(ifelse(lengths(alike) > 1, "Sources", "Source"), vapply(alike, words_in_quotes, "", most = 10))
  shown <- seq_len(min(10, length(alike)))
  more <- sum(lengths(alike[-shown]))
  c(paste0(who, " ", names(alike), ".")[shown], if (more) paste(words_counted(more, "more source"), "failed."))
}

# Bullets of an error that show the strings `lines`, which may have braces, as they are.
sources_failure_bullets <- function(lines) {
  stats::setNames(paste0("{lines[", seq_along(lines), "]}"), rep("x", length(lines)))
}

# A message where sources predict the same for all rows: as constant features they never enter.
sources_tell_constant <- function(frame) {
  values <- frame$sources$values
  n <- nrow(values)
  if (is.null(values) || n < 2) return(invisible())
  same <- function(a, b) is.finite(a + b) & abs(a - b) <= 1e-12 * pmax.int(abs(a), abs(b))
  ends <- as.matrix(values[c(1L, n), , drop = FALSE])
  constant <- which(same(ends[1L, ], ends[2L, ])) # few, of many sources
  if (length(constant)) {
    rows <- as.matrix(values[, constant, drop = FALSE])
    constant <- constant[same(apply(rows, 2, max), apply(rows, 2, min))]
  }
  if (!length(constant)) return(invisible())
  tell(paste0("Leaving out the source", if (length(constant) > 1) "s", " ",
              words_in_quotes(sources_label(frame$sources, constant)),
              ": the prediction is the same for all ", words_counted(n, "row"), "."),
       class = "transelect_message_constant")
}

# Sources that predict once: sources_evaluated() keeps their predictions for the rows `raw` in the environment
# `answers`; sources_remembered() returns the sources with these predictions if they have been made, else unchanged.
sources_remembering <- function(sources) {
  if (sources_need_raw(sources)) sources$answers <- new.env(parent = emptyenv())
  sources
}

sources_remembered <- function(sources, raw) {
  known <- sources$answers
  if (!is.null(known) && identical(known$of, list(sources, raw))) sources$values <- known$values
  sources$answers <- NULL
  sources
}

sources_evaluated <- function(sources, raw, n, call) {
  known <- sources_remembered(sources, raw)
  if (!sources_need_raw(known)) return(known)
  values <- sources_ask(sources, seq_len(sources$n_sources), raw, n, call)
  known$values <- matrix(values, nrow = n, ncol = sources$n_sources, dimnames = list(NULL, sources$names))
  if (!is.null(sources$answers)) list2env(list(of = list(sources, raw), values = known$values), sources$answers)
  known
}

# What a fit keeps: the models of sources j.
sources_kept_models <- function(sources, j) {
  model_of <- sources_model_number(sources, j)
  asked <- list(scale = sources$scale, response = sources$response)
  if (is.null(sources$of)) return(c(list(models = sources$models[model_of]), asked))
  models <- unique(model_of)
  c(list(models = sources$models[models], of = match(model_of, models), column = sources$column[j]), asked)
}

#' @export
print.transfer_sources <- function(x, ...) {
  arguments_check()
  kind <- if (is.null(x$models)) "predictions" else "models or functions"
  cat("Sources: ", x$n_sources, " (", kind, ")\n", sep = "")
  shown <- seq_len(min(x$n_sources, 8))
  labels <- sources_label(x, shown)
  says <- x$scales[shown] %||% rep("as given", length(shown))
  cat(paste0("  ", format(labels), "  ", says), sep = "\n")
  if (x$n_sources > 8) cat("  ...\n")
  invisible(x)
}

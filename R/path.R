# The object that every fitter returns: its constructor; its models, path_model(), on which the verbs are written; its
# predictions; the generic by which its method is fitted again.

# The one constructor. `...` are components, among them beta, a0, points, steps, best, nobs, family, fitted and
# residuals; others are taken from the frame. The defaults of `link`, `coding` and `labels` are those of most methods.
new_path <- function(class, ..., link = "identity", coding = c(-1, 1), labels = character(), frame) {
  frame <- unclass(frame) # whose elements are then found faster
  words <- DEFAULT_LABELS
  words[names(labels)] <- labels
  parts <- list(..., link = link, coding = coding, labels = words,
                ordered = is.ordered(frame$y), blueprint = frame$blueprint,
                domains = levels(frame$domain),
                na.action = frame$na.action, left_out = frame$left_out)
  if (has_rows(frame)) parts$prior_weights <- frame$weights
  if (!is.null(frame$expression_of_domain)) parts$expression_of_domain <- frame$expression_of_domain
  if (!has_rows(frame)) parts[c("fitted", "residuals")] <- list(NULL)
  if (is.null(parts$elsewhere) && !is.null(frame$unweighted)) parts$elsewhere <- rows_elsewhere(frame, NULL)
  for (lost in c("weights", "sources")) { # arguments that refit() needs again
    if (!is.null(frame[[lost]])) parts$settings$lost <- c(parts$settings$lost, lost)
  }
  labels <- frame_row_names(frame)
  if (!is.null(labels)) {
    labels <- as.character(labels)
    by_row <- intersect(c("fitted", "residuals", "deviance_residuals", "pearson_residuals"), names(parts))
    parts[by_row] <- lapply(parts[by_row], with_row_names, labels)
  }
  class(parts) <- c(class, "transfer_path")
  parts
}

DEFAULT_LABELS <- c(title = "", lambda = "lambda", size = "columns in the model")

# ---- steps -----------------------------------------------------------------------------------------

# Steps of each lambda, in the order of the lambdas; positions, not values, since a default lambda
# may depend on the number of rows.
steps_by_lambda <- function(points) {
  unname(split(points$step, match(points$lambda, unique(points$lambda))))
}

# For steps 0..end of a path that may have ended earlier and then repeats its last step: list(step: the steps to take,
# from 1 on; size: how many numbers each has; at: where these stand among those of steps 1, 2, ..., `size` of each).
step_places <- function(size, end) {
  k <- length(size)
  step <- c(0:k, rep.int(k, end - k)) + 1L
  here <- c(0L, size)[step]
  list(step = step, size = here, at = sequence(here, cumsum(c(1L, 0L, size))[step]))
}

# ---- what its responses and scores are ------------------------------------------------------------

# The standard deviations of the columns that the models use, by name; those of one class where the classes differ.
path_scale <- function(object, class) {
  scale <- object$scale
  if (is.matrix(scale)) stats::setNames(scale[, class], rownames(scale)) else scale
}

# Are the scores those of a logistic model, so that softmax() makes them probabilities?
is_logistic <- function(object) identical(object$link, "logit")

# Classes fitted by squares to the two numbers of `coding` have scores, but neither probabilities nor
# a likelihood.
classes_by_squares <- function(object) {
  object$family != "gaussian" && identical(object$link, "identity")
}

# The scores of classes fitted by squares on the scale of classes coded -1 and 1.
scores_of_signs <- function(object, score) {
  if (!classes_by_squares(object)) return(score)
  (2 * score - sum(object$coding)) / diff(object$coding)
}

responses <- function(object) {
  object$responses %||% if (object$family == "multinomial") object$classes else "y"
}

path_is_multi <- function(x) length(responses(x)) > 1L

# Components of a path are lists by response where there are several responses. From component to list and back:
one_or_list <- function(parts, several) if (several) parts else parts[[1]]

by_response <- function(parts) if (is.list(parts)) parts else list(parts)

# The part of one response.
of_response <- function(parts, response) if (is.list(parts)) parts[[response]] else parts

# ---- the same method with the same settings, fitted to other rows --------------------------------

#' Fit a path again to other rows
#'
#' Fits the method of a path to other rows, with the settings of the path and with its columns, coded as in
#' the path.
#'
#' [update()][stats::update] instead evaluates the call anew, with the arguments that are to differ, and gives the same
#' coefficients where the new rows are coded as those of the path were. `update(fit, data = )` takes from the new data
#' the levels of factors, the classes, what terms such as `poly(x, 2)` and `scale(x)` compute of the rows, and the
#' variables that a `.` stands for; `refit()` has those of the path. `update()` follows the `subset`, `na.action` and
#' `sources` of the call, and its result has the new call; `refit()` leaves out the incomplete rows and no others, needs
#' sources again, and keeps the call of the path. For a path without a call, as within a function that [cv_path()]
#' runs, `update(fit, data, ...)` is `refit(fit, data, ...)`.
#'
#' The generic is that of package generics, so that the packages of tidymodels have the same.
#'
#' A setting that was left to its default is chosen anew from the new rows, for example a ridge by evidence.
#' A path does not keep sources, rows without a response, or weights that no formula finds in `data`: where the fit had
#' them, they must be given again, or as `NULL`. Classes that the path does not know are an error.
#' Thresholds of [stumps()] are taken from the new rows; the centres and radii of [pieces()] are those of the path.
#'
#' @param object A fitted path.
#' @param data The new rows, in a form that [predict()] takes; for a path fitted by formula with the response,
#'   the weights and the domains. Rows with a missing value are left out. Or [moments()] of the columns of the path. A
#'   `refit()` method that you write for a path of your own must also take as `data` what [cv_path()] gives
#'   a fitting function, with `points`, and return a path.
#' @param y For a path fitted to a matrix or data frame: the response of the rows.
#' @param weights,domain,sources,offset,strata As for the fitter, a value for each row. For a path fitted by formula all
#'   but `sources` are found in `data`.
#' @param points NULL, or for a path with times (of [msplit()]) its component `points`: the path of the new rows is
#'   then computed at these times, and no model on it is chosen.
#' @param ... Settings that are to differ.
#' @returns A path of the same class.
#' @references The methods are those of the fitters; their pages have the references.
#' @seealso [path_model()], [new_transfer_path()]
#' @examples
#' first <- greedytl(mpg ~ ., data = mtcars[1:20, ], max_steps = 3)
#' second <- refit(first, mtcars[21:32, ])
#' cbind(first = coef(first, step = 3), second = coef(second, step = 3))
#' @name refit.transfer_path
NULL

#' @importFrom generics refit
#' @export
generics::refit

# The fitter of a path, also of one to whose class a user has added: a method of this package, or a path of a user's.
path_method <- function(path) Find(function(class) !is.null(frame_method(class)), class(path)) %||% class(path)[1]
# ---- the models asked for -----------------------------------------------------------------------------

#' Coefficients and fit of a model on a path
#'
#' All verbs of [transfer_path] are written on three generic functions. A class of paths may have methods of
#' its own for them; otherwise the default methods use the components of [new_transfer_path()].
#'
#' * `path_model()` returns the coefficients of the models asked for. [coef()], [predict()], [variable.names()],
#'   [tidy()], [augment()] and the pictures call it.
#' * `path_worth()` returns how well one model fits: residual sum of squares, degrees of freedom, likelihood.
#'   [deviance()], [logLik()], [df.residual()], [sigma()], [glance()] and [summary()] call it.
#' * [refit()][refit.transfer_path] fits the same method with the same settings to other rows.
#'
#' @param path A fitted path.
#' @param step,lambda Which model, as for [transfer_path].
#' @param class For more than two classes, or several responses: the name of one of them; `NULL` for
#'   all.
#' @param domain For [tlcp()]: the domain whose model is wanted; `NULL` is the target.
#' @param t,nu For [msplit()]: a time on the path, and the `nu` of the path; [coef.msplit] describes its further
#'   arguments.
#' @param report TRUE for the model to be reported, where a method has another one to predict with:
#'   the sparse estimator of [msplit()].
#' @param ... Further arguments of the method of the class. Others are errors.
#' @param call The call that errors name, an environment as in [rlang::abort()].
#' @returns `path_model()`: a list with an element for each response (one named `"y"`, or one for
#'   each of several classes or responses). Each is a list of `beta`, a `dgCMatrix` with a row for each
#'   column of the design and a column for each model; `a0`, the intercepts; `step`, the steps of the models;
#'   `calibration`, `NULL` or a matrix of two rows a and b and a column for each model, with which
#'   `plogis(a + b * score)` is the probability of the class (score: prediction of classes coded -1 and 1).
#'
#'   `path_worth()`: a list about one model: `step`; `place`, a list of further numbers that identify it, such as
#'   a time (may be empty); `size`, the number of columns it uses (`NULL`: they are counted in
#'   `path_model()`); `rss`, `df`, `deviance`, `log_lik`; `log_lik_df` and `log_lik_nobs`, the degrees
#'   of freedom and the number of observations of `log_lik`; `more`, further columns of
#'   [glance()]. Where a number is `NA`, `refused` says why: a list named by the verbs
#'   (`deviance`, `logLik`, `df.residual`, `sigma`), each element a list of `what` is wrong, the `argument` that the
#'   error is about and `mend`, what to do.
#' @seealso [new_transfer_path()]
#' @references Fitted values, likelihoods and degrees of freedom are those of each method, whose page has the
#'   references.
#' @examples
#' fit <- greedytl(mpg ~ ., data = mtcars)
#' path_model(fit, step = 2)$y$beta
#' path_worth(fit, step = 2)$rss
#' @export
path_model <- function(path, ...) UseMethod("path_model")

#' @rdname path_model
#' @export
path_model.transfer_path <- function(path, step = NULL, lambda = NULL, class = NULL, ...,
                                     report = FALSE, call = rlang::caller_env()) {
  if (...length()) check_arguments(call, method_arguments("path_model", path))
  wanted <- if (is.null(class)) responses(path) else check_class(path, class, call)
  step <- check_step(path, step, lambda, call)
  if (is_named_step(path, step)) {
    model <- path$named[[step]]
    take <- 1L
  } else if (identical(step, "average")) {
    model <- path$average
    take <- match(path_points(path, lambda, call)$lambda[1], path$lambda)
  } else {
    model <- path
    here <- which(path$points$lambda %in% path_points(path, lambda, call)$lambda[1]) # columns of one lambda
    take <- here[match(step, path$points$step[here])]
  }
  models <- lapply(wanted, function(response) {
    list(beta = of_response(model$beta, response)[, take, drop = FALSE], a0 = of_response(model$a0, response)[take],
         step = step, calibration = if (!is.null(path$calibration)) calibration_at(path, response, step, take))
  })
  names(models) <- wanted
  models
}

# The two numbers of plogis() at one step or more, a 2 x steps matrix; NULL where there are none. No scores of rows
# held out exist for models that are named by a word.
calibration_at <- function(object, response, step, take) {
  if (is_named_step(object, step)) return(NULL)
  part <- object$calibration[[if (identical(step, "average")) "average" else "points"]]
  k <- match(response, responses(object))
  matrix(part[, k, take], 2)
}

# The arguments that the method of path_model() or path_worth() for this path has beside those of every path.
method_arguments <- function(question, path) {
  known <- c("path", "step", "lambda", "class", "report", "call", "...")
  own <- lapply(class(path), function(class) {
    answer <- utils::getS3method(question, class, optional = TRUE, envir = topenv())
    if (!is.null(answer)) names(formals(answer))
  })
  setdiff(unlist(own), known)
}

path_steps <- function(object, lambda = NULL) path_points(object, lambda)$step

# Does the path have an average over the steps of each lambda? A method that names models by words (`named`) has none:
# its named models stand beside the path.
path_average <- function(object) identical(object$best, "average") && is.null(object$named)

is_named_step <- function(object, step) {
  is.character(step) && length(step) == 1 && step %in% names(object$named)
}

# The rows of `points` of one lambda.
path_points <- function(object, lambda = NULL, call = rlang::caller_env()) {
  points <- object$points
  lambda <- lambda %||% object$best_lambda %||% points$lambda[1]
  if (is.atomic(lambda) && is.na(lambda[1])) return(points)
  known <- unique(points$lambda)
  at <- if (is.numeric(lambda) && length(lambda) == 1) {
    which(abs(known - lambda) <= 1e-10 * abs(lambda))
  }
  if (length(at) != 1) {
    if (all(is.na(known))) {
      abort_input("{.arg lambda} is {.val {lambda}}, but this path has no lambda.", "lambda",
                  i = if (is.null(object$ridge)) "Leave it out: {.arg step} names a model." else
                    "Leave it out: the ridges of the fit are in {.code $ridge}.", call = call)
    }
    abort_value(lambda, "lambda", "Give one that the fit has: {.val {known}}.", call)
  }
  points[!is.na(points$lambda) & points$lambda == known[at], , drop = FALSE]
}

# The step that is meant: where none is named, or "default", the one that the method chose; for another lambda than the
# first, the last step of its path.
asked_step <- function(object, step, lambda, call) {
  same <- identical(step, "default") || identical(step, "best") && !"best" %in% names(object$named)
  if (!is.null(step) && !same) return(step)
  if (path_average(object) || is.null(lambda)) return(object$best)
  points <- path_points(object, lambda, call)
  known <- unique(object$points$lambda)
  own <- if (is_named_step(object, object$best)) known[length(known) == 1] else
    object$best_lambda %||% known[1]
  if (points$lambda[1] %in% own) object$best else max(points$step)
}

check_step <- function(object, step, lambda, call) {
  step <- asked_step(object, step, lambda, call)
  if (is_named_step(object, step)) return(step)
  known <- path_points(object, lambda, call)$step
  last <- max(known)
  if (identical(step, "average") && is.null(object$named)) {
    if (path_average(object)) return(step)
    abort_input("{.arg step} is {.val average}, but this method does not average its path.", "step",
                i = "Give numbers from 0 to {last}, or {.val default}.", call = call)
  }
  if (!is.numeric(step) || !length(step) || anyNA(step) || any(!step %in% known)) {
    words <- c("default", if (path_average(object)) "average" else names(object$named))
    choices <- ", or {.or {.val {words}}}"
    give <- if (length(known) == last + 1) "Give whole numbers from 0 to {last}" else
      "Give some of {.val {known}}, which {.arg record} has kept"
    abort_value(step, "step", paste0(give, choices, "."), call)
  }
  as.integer(step)
}

# `kind`: what the caller calls it.
check_class <- function(object, class, call, kind = "class") {
  known <- path_is_multi(object) && is.atomic(class) && length(class) == 1 && class %in% responses(object)
  if (!known) {
    mend <- if (path_is_multi(object)) "Name one of {.val {responses(object)}}." else
      "Leave it out: the fit has one path."
    abort_value(class, kind, mend, call)
  }
  as.character(class)
}

# Names of columns j of Z (all of them without j).
term_names <- function(object, j = NULL) {
  design_labels(object$blueprint, object$sources, j %||% seq_len(nrow(of_response(object$beta, 1))))
}

# Features are followed by sources.
design_labels <- function(blueprint, sources, j) {
  p <- blueprint$p
  out <- character(length(j))
  out[j <= p] <- column_labels(blueprint$columns, j[j <= p])
  out[j > p] <- source_label(sources, j[j > p] - p)
  out
}

# Columns of the design with a coefficient in some model of the path, but for those that a word names.
path_columns <- function(path) {
  beta <- c(by_response(path$beta), if (!is.null(path$average)) by_response(path$average$beta))
  used_columns(lapply(beta, function(b) list(beta = b)))
}

# The same of models as path_model() gives them.
used_columns <- function(models) {
  distinct_columns(unlist(lapply(models, function(m) {
    if (!inherits(m$beta, "dgCMatrix")) return(which(Matrix::rowSums(m$beta != 0) > 0))
    none <- m$beta@x == 0
    distinct_columns((if (any(none)) m$beta@i[!none] else m$beta@i) + 1L)
  })))
}

# ---- models as coef() and variable.names() return them ------------------------------------------------

# Models as path_model() gives them -> what coef() returns. A Cox model has no intercept.
coef_shape <- function(models, object) {
  cox <- object$family == "cox"
  names <- c(if (!cox) "(Intercept)", term_names(object))
  out <- lapply(models, function(at) {
    if (length(at$a0) == 1) {
      return(stats::setNames(c(if (!cox) at$a0, as.vector(at$beta)), names))
    }
    both <- if (cox) at$beta else rbind(methods::as(matrix(at$a0, 1), "CsparseMatrix"), at$beta)
    dimnames(both) <- list(names, at$step)
    both
  })
  if (length(out) > 1) out else out[[1]]
}

used_terms <- function(object, models) term_names(object, used_columns(models))

# ---- predict(): new data -> design -> scores -> what was asked for ------------------------------

#' @rdname transfer_path
#' @export
predict.transfer_path <- function(object, newdata, sources = NULL, ..., step = NULL, lambda = NULL,
                                  type = NULL, offset = NULL, times = NULL, bound = NULL, se.fit = FALSE,
                                  interval = "none", level = .95, na.action = stats::na.pass) {
  call <- rlang::current_env()
  more <- generic_arguments(method_arguments("path_model", object))
  if (rlang::is_string(interval, "conformal")) {
    at <- c(list(step = step, lambda = lambda), more)
    return(path_predict_conformal(object, newdata, at, sources, level, parent.frame(), call))
  }
  type <- check_type(object, type, times, call)
  errors <- asked_errors(object, se.fit, interval, level, type, call)
  if (missing(newdata)) newdata <- NULL
  if (type %in% c("coefficients", "nonzero")) {
    models <- rlang::inject(path_model(object, step, lambda, !!!more, call = call))
    return(if (type == "nonzero") used_terms(object, models) else coef_shape(models, object))
  }
  if (is.null(newdata)) {
    plain <- is.null(c(step, lambda, offset, times)) && !length(more) && is.null(errors)
    return(predicted_training(object, type, plain, call))
  }
  if (!is.null(offset)) {
    object$offset$given <- check_offset(offset, length(offset), call)
    object$blueprint <- without_offsets(object$blueprint)
  }
  found <- row_scores(object, newdata, sources, step, lambda, more, bound, call)
  scores <- found$scores
  step <- found$models[[1]]$step
  if (!is.null(errors)) {
    errors <- c(errors, score_errors(object, newdata, step, found$domain, call))
    return(with_errors(scores, errors, type, object, newdata, na.action, call))
  }
  if (type %in% c("survival", "expected")) {
    return(survival_at(object, step, scores, times, type, newdata, found$domain, call))
  }
  if (type == "prob" && classes_by_squares(object)) {
    if (is.null(found$models[[1]]$calibration)) {
      # cross-validation holds out the models of steps, not those that a word names or that are of another estimator
      abort_input("{.arg type} is {.val prob}, but the scores of the model asked for are not calibrated.", "type",
                  i = "Give {.arg step} as a number, {.val min} or {.val 1se} of a {.fn cv_path} object: the scores of
                       these models were held out. {.code type = \"link\"} gives the scores.", call = call)
    }
    scores <- calibrated_scores(lapply(scores, scores_of_signs, object = object), found$models)
  }
  treat_missing(scores_as(type, scores, object, step, newdata), na.action, call)
}

# Conformal intervals of new rows, which need refits and so what stands on a higher floor. at: the arguments by which
# predict() chooses a model; env: where the call of the path is evaluated.
path_predict_conformal <- function(path, newdata, at, sources, level, env, call) UseMethod("path_predict_conformal")

# The kind of prediction that is asked for, refused if the path cannot give it; where none is named, the default.
check_type <- function(object, type, times, call) {
  classes <- !is.null(object$classes)
  type <- type %||% if (object$link == "identity") "response" else "link"
  if (identical(type, "class") && !classes) {
    abort_input("{.arg type} is {.val class}, but the response is numeric.", "type",
                i = "Give {.val response}.", call = call)
  }
  survival <- !is.null(object$baseline)
  known <- c("response", "link", if (classes) c("class", "prob"), if (survival) c("lp", "risk", "expected", "survival"),
             "coefficients", "nonzero")
  if (!rlang::is_string(type, known)) abort_type(type, object, known, call)
  type <- switch(type, lp = "link", risk = "response", type)
  if (type == "prob" && classes_by_squares(object) && is.null(object$calibration)) {
    abort_input("{.arg type} is {.val prob}, but classes fitted by squares have scores.", "type",
                i = "Use {.fn cv_path}, or {.code prob = TRUE} of {.fn greedytl} and {.fn tgreedy}: both calibrate
                     the scores of rows left out. {.code type = \"link\"} gives the scores.",
                call = call)
  }
  if (!is.null(times) && !type %in% c("survival", "expected")) {
    abort_input("{.arg times} is given, and {.arg type} is {.val {type}}.", "times",
                i = if (survival) "Leave it out, or give {.code type = \"survival\"}." else
                  "Leave it out: this is no Cox model.", call = call)
  }
  type
}

# Scores as what was asked for: classes, scores, or predictions on the scale of fitted() (calibrated
# probabilities are that already); with the names of the rows of new data.
scores_as <- function(type, scores, object, step, newdata) {
  if (!type %in% c("link", "class") && object$link != "identity") scores <- fitted_scale(scores, object)
  out <- if (type == "class") score_classes(scores, object, step) else score_shape(scores, object, step)
  if (inherits(newdata, "transfer_frame")) out else with_row_names(out, row_labels(newdata))
}

# The scores of a logistic model become the probabilities that fitted() has.
fitted_scale <- function(scores, object) {
  if (identical(object$link, "log")) return(lapply(scores, exp))
  if (is_logistic(object)) class_probabilities(scores) else scores
}

# Scores of several classes (one matrix each) become a softmax; of two, log odds, the second one's
# probability. (plogis() drops the shape of a matrix without rows.)
class_probabilities <- function(scores) {
  if (length(scores) == 1) return(lapply(scores, function(s) replace(s, TRUE, stats::plogis(s))))
  share <- softmax(matrix(unlist(scores, use.names = FALSE), ncol = length(scores)))
  Map(function(s, class) replace(s, TRUE, share[, class]), scores, seq_along(scores))
}

# The models of new rows and their scores: list(models, scores, domain). Where rows have models of their own, by domain,
# `models` are those of the first row.
row_scores <- function(object, newdata, sources, step, lambda, more, bound, call) {
  domain <- if (!inherits(newdata, "transfer_frame")) row_domains(object, newdata, more$domain, call)
  distinct <- unique(domain)
  models_of <- function(more) rlang::inject(path_model(object, step, lambda, !!!more, call = call))
  if (length(distinct) < 2L) {
    if (length(distinct)) more$domain <- distinct
    models <- models_of(more)
    scores <- score_matrices(object, models, newdata, sources, bound, call)
    return(list(models = models, scores = scores, domain = more$domain))
  }
  each <- lapply(distinct, function(name) models_of(replace(more, "domain", name)))
  scores <- score_matrices(object, each, newdata, sources, bound, call, of = match(domain, distinct))
  list(models = each[[1L]], scores = scores, domain = domain)
}

# The domain of each new row where paths have models by domain: names, NA for the common model, or NULL for the model
# that `domain` alone says.
row_domains <- function(object, newdata, domain, call) UseMethod("row_domains")

#' @export
row_domains.transfer_path <- function(object, newdata, domain, call) NULL

# For each response a matrix of scores, rows x steps. Only columns with a coefficient are looked at, and only sources
# with one are asked. bound: as in predict(); of: NULL, or for each row which one of several `models` is its own.
score_matrices <- function(object, models, newdata, sources, bound, call, of = NULL) {
  if (!is.null(sources) && is.null(object$sources)) {
    abort_input("{.arg sources} is given, but the fit has none.", "sources", i = "Leave it out.",
                call = call)
  }
  columns <- used_columns(if (is.null(of)) models else unlist(models, recursive = FALSE))
  p <- object$blueprint$p
  from_x <- columns[columns <= p]
  from_sources <- columns[columns > p] - p
  framed <- inherits(newdata, "transfer_frame")
  z <- if (framed) {
    framed_design(object$blueprint, newdata)[, from_x, drop = FALSE]
  } else {
    bake_columns(object$blueprint, from_x, newdata, call)
  }
  n <- nrow(z)
  z <- with_bounded_tails(z, from_x, models[[1]]$tails)
  if (length(from_sources)) {
    h <- if (framed && !needs_raw(newdata$sources)) {
      newdata$sources$values[, from_sources, drop = FALSE]
    } else if (framed) {
      ask_sources(newdata$sources, from_sources, newdata$raw, n, call)
    } else {
      new_sources_values(object, from_sources, newdata, sources, n, call)
    }
    z <- if (ncol(z)) cbind(z, h) else h
  }
  near <- bounded_columns(object, columns, z, bound, told = !framed, call)
  if (!is.null(near$far)) tell_far(term_names(object, near$far$column), near$far)
  offset <- if (framed) newdata$offset else if (!is.null(object$offset)) new_offset(object, newdata, n, call)
  score <- function(m, rows) {
    beta <- m$beta[columns, , drop = FALSE]
    z <- if (is.null(rows)) near$z else near$z[rows, , drop = FALSE]
    value <- as.matrix(z %*% beta)
    value + rep(if (is.null(near$level)) m$a0 else m$a0 + as.vector(near$level %*% beta), each = nrow(z))
  }
  if (is.null(of)) {
    return(lapply(models, function(m) {
      value <- score(m, NULL)
      matrix(if (is.null(offset)) value else value + offset, n, length(m$a0))
    }))
  }
  lapply(stats::setNames(nm = names(models[[1L]])), function(response) {
    value <- matrix(0, n, length(models[[1L]][[response]]$a0))
    for (k in seq_along(models)) {
      rows <- which(of == k)
      value[rows, ] <- score(models[[k]][[response]], rows)
    }
    if (is.null(offset)) value else value + offset
  })
}

# Scores as a vector, a matrix (a column for each step, or a class) or an array (rows x classes x steps).
score_shape <- function(scores, object, step) {
  many <- path_is_multi(object)
  single <- ncol(scores[[1]]) == 1
  if (!many) {
    if (single) return(as.vector(scores[[1]]))
    return(structure(scores[[1]], dimnames = list(NULL, step)))
  }
  n <- nrow(scores[[1]])
  if (single) {
    return(matrix(unlist(scores, use.names = FALSE), n, length(scores), dimnames = list(NULL, names(scores))))
  }
  stack <- array(unlist(scores, use.names = FALSE), c(n, length(step), length(scores)))
  stack <- aperm(stack, c(1, 3, 2))
  dimnames(stack) <- list(NULL, names(scores), step)
  stack
}

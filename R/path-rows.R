# What a fit says of its rows: weights, names, residuals of several kinds, leverages, simulated responses.

#' Rows of a fit
#'
#' Which rows influence the fit? `hatvalues(fit)`, `rstudent(fit)`, `cooks.distance(fit)` and `influence(fit)` are as
#' for [lm()] and [glm()]; `weights()`, `case.names()` and `simulate()` give weights, names and simulated responses. Use
#' the diagnostics for a [tlcp()] fit with `select = FALSE` that borrows nothing. For other fits they are errors: after
#' a search the responses influence which columns are in the model, and with borrowing they influence the prior.
#'
#' The diagnostics come from the same model fitted by [lm()] or [glm()], also those of the package car
#' (`influencePlot()`, `residualPlots()`, `avPlots()`, `crPlots()`, `outlierTest()`, `qqPlot()` and others). `dffits()`,
#' `covratio()` and `influence.measures()` of package stats are not generic: give them an [lm()]. A fit keeps no
#' training rows. These verbs look for the data that the call of the fit names, and check that they are those of the
#' fit; or give them as `data`.
#'
#' @param object,model A fitted path.
#' @param infl,do.coef As in [influence()] and [dfbetas()].
#' @param data The rows of the fit. If left out, the data that its call names.
#' @param type For `weights()`: `"prior"`, or for a likelihood `"working"`: the weights of the last step of iteratively
#'   reweighted least squares. For `rstandard()` and `rstudent()` of a likelihood: `"deviance"` or `"pearson"`,
#'   as for [glm()].
#' @param nsim,seed As in [simulate()].
#' @param ... Not used by `weights()`, `case.names()` and `simulate()`; arguments of the methods for [lm()] and [glm()].
#' @returns Numbers with the names of the rows, as for [lm()]; for `influence()` a list of them. `weights()` is 1 for
#'   every row if the fit had none. `simulate()`: a data frame with `nsim` columns.
#' @references Belsley, D. A., Kuh, E. and Welsch, R. E. (1980). *Regression Diagnostics*. Wiley.
#' @seealso [transfer_path]
#' @examples
#' fit <- tlcp(mpg ~ wt + hp, data = mtcars, select = FALSE)
#' head(hatvalues(fit), 3)
#' head(simulate(fit, nsim = 2, seed = 1), 3)
#' @name fit-rows
NULL

#' @rdname fit-rows
#' @importFrom stats weights
#' @export
weights.transfer_path <- function(object, type = c("prior", "working"), ...) {
  call <- rlang::current_env()
  arguments_of_generic()
  path_rows_refuse_rowless(object, call)
  type <- check_choice(type, c("prior", "working"), "type", call)
  prior <- path_rows_prior_weights(object) * (object$trials %||% 1)
  if (type == "working") prior <- prior * path_rows_mean_slope(object)
  names(prior) <- path_rows_case_labels(object)
  stats::naresid(object$elsewhere %||% object$na.action, prior)
}

path_rows_prior_weights <- function(object) as.vector(object$prior_weights %||% rep(1, NROW(object$fitted)))

path_rows_case_labels <-
  function(object) if (is.null(dim(object$fitted))) names(object$fitted) else rownames(object$fitted)

# The derivative of the mean by the linear predictor, at the fitted values.
path_rows_mean_slope <- function(object) {
  fitted <- as.vector(object$fitted)
  switch(object$link, logit = fitted * (1 - fitted), log = fitted, rep(1, length(fitted)))
}

#' @rdname fit-rows
#' @importFrom stats case.names
#' @export
case.names.transfer_path <- function(object, ...) {
  arguments_of_generic(same = "full")
  path_rows_refuse_rowless(object, rlang::current_env())
  path_rows_case_labels(object) %||% as.character(seq_len(NROW(object$fitted)))
}

path_rows_residual_scale <- function(model) if (inherits(model, "likelihood_path")) 1 else stats::sigma(model)

path_rows_scaled_weights <- function(object) {
  w <- path_rows_prior_weights(object)
  if (inherits(object, "likelihood_path")) w else w / mean(w)
}

# The design of the rows of the fit, from `data` or from where its call says that they are; an error where they are not
# found, or are others.
path_rows_training_design <- function(object, data, env, call) path_rows_training(object, data, env, call)$X

# list(X, rows): path_rows_training_design() and the data that it is made of. The call's names are looked for from `env`
# on, and in the functions that are running: one of another package may ask for the data of its caller.
path_rows_training <- function(object, data, env, call) {
  if (!is.null(data)) {
    found <- list(path_rows_design_of(object, data))
  } else {
    named <- object$call$data %||% object$call$x
    found <- list()
    for (place in c(env, rev(sys.frames()))) {
      rows <- tryCatch(eval(named, place), error = function(e) NULL)
      if (is.null(rows) || is.function(rows)) next
      found <- c(found, list(path_rows_design_of(object, rows)))
      if (isTRUE(found[[length(found)]]$same)) break
    }
  }
  if (length(found) && isTRUE(found[[length(found)]]$same)) return(found[[length(found)]])
  other <- any(lengths(found) > 0)
  abort_input(if (other) "The data found by the call are not the rows of the fit." else
    "The rows of the fit are not found by its call.", "data",
    i = "Give them as {.arg data}: a fit keeps no training rows.", call = call)
}

path_rows_without_left_out <- function(object, rows) {
  if (nrow(rows) == NROW(object$fitted)) return(rows)
  rows[match(path_rows_case_labels(object), labels_of_rows(rows)), , drop = FALSE]
}

# list(X, rows, same): the design of the rows of the fit among `rows`, and whether it is that of the fit; NULL where
# `rows` do not have them.
path_rows_design_of <- function(object, rows) {
  X <- tryCatch({
    design <- stats::model.matrix(object, rows)
    rownames(design) <- labels_of_rows(rows)
    design
  }, error = function(e) NULL)
  labels <- path_rows_case_labels(object)
  if (!is.null(X) && nrow(X) != NROW(object$fitted)) {
    X <- if (!is.null(labels) && all(labels %in% rownames(X))) X[labels, , drop = FALSE]
  }
  if (is.null(X)) return(NULL)
  unchecked <- path_object_is_multi(object) || !is.null(object$sources) || !is.null(object$offset)
  list(X = X, rows = rows, same = unchecked || path_rows_is_design_of(X, object))
}

# Does the default model give the fitted values for the rows of X?
path_rows_is_design_of <- function(X, object) {
  b <- stats::coef(object)
  b <- b[names(b) %in% colnames(X)] # not the intercept, 0, of a fit without one
  eta <- drop(X[, names(b), drop = FALSE] %*% b)
  fitted_eta <- switch(object$link, logit = stats::qlogis(object$fitted), log = log(object$fitted), object$fitted)
  if (object$family == "cox") eta <- eta + object$a0[object$best + 1]
  max(abs(eta - fitted_eta)) <= 1e-6 * (1 + max(abs(fitted_eta)))
}

#' @rdname fit-rows
#' @importFrom stats simulate
#' @export
simulate.transfer_path <- function(object, nsim = 1, seed = NULL, ...) {
  arguments_of_generic()
  call <- rlang::current_env()
  path_rows_refuse_rowless(object, call)
  nsim <- check_number(nsim, "nsim", 1, call, whole = TRUE, high = floor(.Machine$integer.max / NROW(object$fitted)))
  if (!is.null(seed)) {
    seed <- check_number(seed, "seed", -.Machine$integer.max, call, whole = TRUE, high = .Machine$integer.max)
  }
  counts <- object$family == "binomial" && is.null(object$classes) &&
    !all(path_rows_round_response(object) %in% 0:1)
  of_classes <- path_object_is_logistic(object) && is.matrix(object$fitted) # a column of probabilities for each class
  drawable <- of_classes || object$family %in% c("gaussian", "binomial", "poisson") && !path_object_is_multi(object)
  if (path_object_has_classes_by_squares(object) || counts || !drawable) {
    abort_input("Responses of this fit cannot be simulated.", "object",
                i = if (counts) "It does not keep the numbers of trials." else
                  "Fit a numeric response, or give {.code family = \"binomial\"} or {.val poisson}: other fits have no
                   distribution of the response to draw from.", call = call)
  }
  if (!exists(".Random.seed", envir = globalenv(), inherits = FALSE)) stats::runif(1)
  state <- get(".Random.seed", envir = globalenv())
  used <- state
  if (!is.null(seed)) {
    on.exit(assign(".Random.seed", state, envir = globalenv()))
    set.seed(seed)
    used <- structure(seed, kind = as.list(RNGkind()))
  }
  mean <- as.vector(object$fitted)
  n <- NROW(object$fitted) * nsim
  value <- if (of_classes) path_rows_drawn_classes(object$fitted, nsim) else switch(object$family,
    gaussian = mean + stats::rnorm(n, sd = path_rows_residual_scale(object) / sqrt(path_rows_scaled_weights(object))),
    binomial = stats::rbinom(n, 1, mean), poisson = stats::rpois(n, mean)
  )
  drawn <- as.data.frame(matrix(value, ncol = nsim))
  numbers <- identical(object$classes, c("0", "1")) # zeros and ones are given back as such
  if (!is.null(object$classes) && !numbers) drawn[] <- lapply(drawn,
                                                            function(v) factor(object$classes[v + 1],
                                                                               levels = object$classes))
  names(drawn) <- paste0("sim_", seq_len(nsim))
  labels <- path_rows_case_labels(object)
  if (!is.null(labels) && !anyDuplicated(labels)) row.names(drawn) <- labels
  attr(drawn, "seed") <- used
  drawn
}

# For each row nsim numbers of classes, from 0 on, drawn with the probabilities in its row of `share`.
path_rows_drawn_classes <- function(share, nsim) {
  above <- apply(share, 1, cumsum)[-ncol(share), , drop = FALSE] # classes x rows
  colSums(above[, rep(seq_len(nrow(share)), nsim), drop = FALSE] < rep(stats::runif(nrow(share) * nsim),
                                                                       each = nrow(above)))
}

# Responses of a binomial fit: fitted values and residuals added up.
path_rows_round_response <- function(object) round(as.vector(object$fitted + object$residuals), 8)

path_rows_refuse_rowless <- function(object, call) {
  if (is.null(object$fitted)) {
    abort_input("This path was fitted from moments: there are no rows to fit.", "fitted",
                i = "Use {.fn predict} with {.arg newdata}.", call = call)
  }
}

#' The irrepresentable condition
#'
#' Are your features too correlated for the lasso, or [msplit()], to find the true support, even from many rows?
#' `irrepresentable(x, support = c("a", "b"))` computes the irrepresentable condition: the features outside the support
#' must not be too strongly correlated with those inside. The sparse estimator of [msplit()] has its own condition for
#' every `nu`, which is weaker for a larger `nu`. The conditions depend only on the features and the support, not on the
#' noise. They say nothing about how well a model predicts (use [cv_path()]) or about how sure an effect
#' is (use [signals()]).
#'
#' With \eqn{G = X'X/n} of the standardised features and the support S, the condition of the lasso is
#' \deqn{\max_{j \notin S} |G_{jS} G_{SS}^{-1} s| < 1,}{max over j outside S of |G_jS G_SS^-1 s| < 1,}
#' where s are the signs of the coefficients. For all choices of signs it is the largest sum of the absolute entries of
#' a row \eqn{G_{jS} G_{SS}^{-1}}. For the sparse estimator of [msplit()] G is replaced by the curvature of the split
#' loss in \eqn{\Gamma} after B is minimised out (Huang et al., Theorem 1),
#' \deqn{H = \frac1\nu \{I - (I + \nu G)^{-1}\} = G (I + \nu G)^{-1},}{
#' H = (I - (I + nu G)^-1) / nu = G (I + nu G)^-1,} For `nu = 0` this is G. For large `nu` it approaches the projection
#' onto the rows of X, divided by `nu`. With full column rank this projection has no entries between features, so the
#' condition holds. But with a large `nu` the signal is smaller.
#'
#' The condition is about the true support. For a chosen support it says whether this support could have been found if
#' it were the true one. If the condition fails, features outside may have been mistaken for those inside.
#'
#' @param x Features: a numeric matrix, `dgCMatrix` or data frame; with a fit the rows of the fit, whose columns are
#'   found by name. The p x p matrix of products of the columns is formed.
#' @param support The features inside: names or numbers of columns, or a logical vector; or
#'   an [msplit()] fit with one response, whose sparse estimator gives support and signs.
#' @param nu Numbers from 0 on; 0 is the lasso. `NULL`: 0, and .1, 1, 10 and 100 or the `nu` of the
#'   fit's model.
#' @param signs `NULL`, or the signs of the coefficients inside, numbers in the order of `support`.
#' @param step With a fit: the step whose support is meant. `NULL`: the default of the fit.
#' @param standardize,intercept As in [msplit()]: divide by standard deviations, centre?
#' @param ... Not used; anything given is an error.
#' @returns A data frame with one row per `nu`: `nu`; `any_signs`, the left side of the condition for all choices of
#'   signs; `these_signs`, the left side for the given signs (`NA` without them); `feature`, the feature outside with
#'   the largest value (`NA` if there is none); `holds`: is the value below 1? (`these_signs` if they are
#'   known, else `any_signs`).
#' @references
#' Zhao, B., Sun, X., Fu, Y., Yao, Y. and Wang, Y. (2018). MSplit LBI: realizing feature selection and
#' dense estimation simultaneously in few-shot and zero-shot learning. *ICML*, PMLR 80, 5912-5921,
#' sections 3.1 to 3.3. \doi{10.48550/arXiv.1806.04360}
#'
#' Huang, C., Sun, X., Xiong, J. and Yao, Y. (2016). Split LBI: an iterative regularization path with
#' structural sparsity. *Advances in Neural Information Processing Systems* 29, Theorem 1.
#'
#' Zhao, P. and Yu, B. (2006). On model selection consistency of lasso. *Journal of Machine Learning
#' Research* 7, 2541-2563.
#' @seealso [msplit()], [signals()]
#' @examples
#' # The third feature is like the sum of the first two: a lasso may choose it in their place
#' set.seed(1)
#' x <- matrix(rnorm(600), 200, dimnames = list(NULL, c("a", "b", "c")))
#' x[, "c"] <- .7 * x[, "a"] + .7 * x[, "b"] + .3 * x[, "c"]
#' irrepresentable(x, c("a", "b"))
#' irrepresentable(x, c("a", "b"), signs = c(1, -1))
#'
#' # Of a fit
#' fit <- msplit(mpg ~ ., data = mtcars, nu = 5, choose = "none")
#' irrepresentable(mtcars, fit, step = 3)
#' @export
irrepresentable <- function(x, support, nu = NULL, signs = NULL, step = NULL, standardize = TRUE,
                            intercept = TRUE, ...) {
  call <- arguments_check()
  if (missing(support)) {
    abort_missing("support", "Give an {.fn msplit} fit, or names or numbers of columns.", call)
  }
  standardize <- check_flag(standardize, "standardize", call)
  intercept <- check_flag(intercept, "intercept", call)
  inside <- if (inherits(support, "transfer_path")) {
    irrepresentable_support_of_fit(support, x, step, signs, call)
  } else {
    irrepresentable_given_support(x, support, step, signs, call)
  }
  nu <- check_numbers(nu %||% inside$nu, "nu", function(v) v >= 0, "Give finite numbers, none below 0.", call)
  x <- as.matrix(inside$x)
  if (!all(is.finite(x))) {
    abort_input("{.arg x} has values that are missing or infinite.", "x", i = "Leave such rows out.",
                call = call)
  }
  if (intercept) x <- sweep(x, 2, colMeans(x))
  size <- sqrt(colMeans(x^2))
  constant <- size <= 1e-12 * max(size, .Machine$double.xmin)
  if (any(constant[inside$at])) {
    abort_input("{.arg support} has a column that does not vary:
                 {.val {inside$names[inside$at][constant[inside$at]][1]}}.", "support",
                i = "Leave it out.", call = call)
  }
  if (standardize) x <- sweep(x, 2, ifelse(constant, 1, size), "/")
  parts <- svd(x, nu = 0)
  parts$d <- parts$d^2 / nrow(x)
  if (length(inside$at) && qr(x[, inside$at, drop = FALSE], tol = 1e-9)$rank < length(inside$at)) {
    abort_input("The columns in {.arg support} are linearly dependent.", "support",
                i = "Leave out columns that are combinations of the others.", call = call)
  }
  do.call(rbind, lapply(nu, irrepresentable_row, parts = parts, inside = inside))
}

irrepresentable_row <- function(nu, parts, inside) {
  members <- inside$at
  outside <- setdiff(seq_along(inside$names), members)
  if (!length(members) || !length(outside)) {
    return(data.frame(nu = nu, any_signs = 0, these_signs = if (is.null(inside$signs)) NA_real_ else 0,
                      feature = NA_character_, holds = TRUE))
  }
  curve <- parts$v[members, , drop = FALSE] %*% (parts$d / (1 + nu * parts$d) * t(parts$v))
  shares <- t(.Call(C_spd_solve, curve[, members, drop = FALSE], curve[, outside, drop = FALSE]))
  any_signs <- rowSums(abs(shares))
  these <- if (is.null(inside$signs)) rep(NA_real_, length(outside)) else
    abs(drop(shares %*% inside$signs))
  deciding <- if (is.null(inside$signs)) any_signs else these
  data.frame(nu = nu, any_signs = max(any_signs), these_signs = max(these),
             feature = inside$names[outside[which.max(deciding)]], holds = max(deciding) < 1)
}

# list(x, names, at, signs, nu) of columns that are named, numbered or marked.
irrepresentable_given_support <- function(x, support, step, signs, call) {
  if (!is.null(step)) {
    abort_input("{.arg step} is given without a fit.", "step",
                i = "It says which step of a fit is meant. Leave it out.", call = call)
  }
  built <- frame_design_from_data(x, call = call)
  names <- labels_of_all_columns(built$blueprint)
  members <- if (is.character(support)) match(support, names) else if (is.logical(support)) {
    if (length(support) == length(names)) which(support) else NA
  } else if (is.numeric(support)) {
    match(support, seq_along(names))
  } else NA
  if (anyNA(members) || anyDuplicated(members)) {
    abort_input("{.arg support} does not name columns of {.arg x}.", "support",
                i = "Give names or numbers of columns, each once, {.code TRUE} or {.code FALSE} for
                     each of the {length(names)}, or an {.fn msplit} fit.", call = call)
  }
  if (!is.null(signs)) {
    if (!is.numeric(signs) || length(signs) != length(members) || anyNA(signs) || any(signs == 0)) {
      abort_value(signs, "signs",
                  "Give {length(members)} numbers, none of them 0: one for each column in {.arg support}.", call)
    }
    signs <- sign(signs)
  }
  list(x = built$x, names = names, at = members, signs = signs, nu = c(0, .1, 1, 10, 100))
}

# irrepresentable_given_support() of the sparse estimator of a fit.
irrepresentable_support_of_fit <- function(fit, x, step, signs, call) {
  if (!inherits(fit, "msplit") || length(path_object_responses(fit)) > 1) {
    abort_input("{.arg support} is a fit of another kind, or of several responses.", "support",
                i = "Give an {.fn msplit} fit with one response, or the columns.", call = call)
  }
  if (!is.null(signs)) {
    abort_input("{.arg signs} is given with a fit, which has its own.", "signs",
                i = "Leave it out, or give the columns in place of the fit.", call = call)
  }
  model <- path_model(fit, step, report = TRUE, call = call)[[1]]
  check_single(length(model$a0), "step", call)
  beta <- as.vector(model$beta)
  nu <- unique(c(0, fit$best_lambda %||% fit$lambda[1]))
  list(x = frame_bake_argument(fit$blueprint, x, "x", call), names = path_object_term_names(fit), at = which(beta != 0),
       signs = sign(beta[beta != 0]), nu = nu)
}

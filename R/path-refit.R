# The same method with the same settings, fitted to other rows.

#' Fit the same again
#'
#' Fits the method of a path to other rows with the settings that the path was fitted with: the same
#' columns, coded as those of the path. ([update()][stats::update] instead evaluates the call anew,
#' and may change any argument.)
#'
#' What was left to its default is chosen anew from the rows, as a ridge by evidence. Predictions of
#' sources and rows without a response belong to the rows of a fit and must be given again.
#'
#' @param path A fitted path.
#' @param data The rows: what [predict()] takes, and for a path of a formula the response, the weights
#'   and the domains too. Rows with a missing value are left out. A method for a path of your own
#'   also gets here what [cv_path()] gives a fitting function, and returns what that does.
#' @param y For a path fitted to a matrix or data frame: the response of the rows.
#' @param weights,domain,sources For such a path: as for the fitter; NULL where there are none.
#' @param ... Settings that are to differ.
#' @returns A path of the same class.
#' @references Each method's page names its source.
#' @seealso [path_model()], [new_transfer_path()]
#' @examples
#' first <- greedytl(mpg ~ ., data = mtcars[1:20, ], max_steps = 3)
#' second <- refit(first, mtcars[21:32, ])
#' cbind(first = coef(first, step = 3), second = coef(second, step = 3))
#' @export
refit <- function(path, ...) UseMethod("refit")

#' @rdname refit
#' @export
refit.transfer_path <- function(path, data, y = NULL, ..., weights = NULL, domain = NULL,
                                sources = NULL) {
  call <- rlang::current_env()
  method <- class(path)[1]
  settings <- path$settings$given
  if (is.null(settings) || inherits(path, "likelihood_path")) {
    abort_input("A path of {.fn {method}} does not say how it was fitted.", "path",
                i = "Use {.fn update}, or write {.fn refit.{method}} for a method of your own.",
                call = call)
  }
  lost <- setdiff(path$settings$lost, names(list(...)))
  if (length(lost)) {
    abort_input("The fit had {.arg {lost}}, which it does not keep.", lost, i = "Give it again.",
                call = call)
  }
  frame <- if (inherits(data, "transfer_frame")) data else
    refit_frame(path, data, y, weights, domain, sources, call)
  settings[...names()] <- list(...)
  fit <- do.call(method, c(list(quote(frame)), settings))
  fit[c("call", "formula")] <- path[c("call", "formula")]
  fit
}

# The frame of new rows, its columns those of the path.
refit_frame <- function(path, data, y, weights, domain, sources, call) {
  if (path$blueprint$kind == "map") {
    abort_input("{.arg path} is a fit to stumps or pieces.", "path",
                i = "Make them of the new rows, and use {.fn shareboost}.", call = call)
  }
  x <- bake(path$blueprint, data, call)
  if (!is.null(path$formula)) {
    extra <- function(name) {
      eval(path$call[[name]], as.data.frame(data), rlang::f_env(path$formula))
    }
    y <- eval(rlang::f_lhs(path$formula), as.data.frame(data), rlang::f_env(path$formula))
    weights <- extra("weights")
    domain <- extra("domain")
  }
  if (is.null(y)) {
    abort_input("{.arg y} is missing.", "y", i = "Give the response of the rows of {.arg data}.",
                call = call)
  }
  whole <- Matrix::rowSums(is.na(x)) == 0 & stats::complete.cases(y)
  part <- function(value) if (!is.null(value)) response_rows(value, whole)
  if (!is.null(path$classes)) y <- factor(y, path$classes)
  frame <- frame_default(x[whole, , drop = FALSE], part(y), weights = part(weights),
                         domain = part(domain), sources = sources, many = TRUE, call = call)
  frame$blueprint <- path$blueprint
  frame$row_labels <- row_labels(data)[whole]
  frame
}

# Products of pairs of columns as features, never written out.

#' Products of pairs of columns
#'
#' Every product \eqn{x_a x_b} of two columns as a feature for [shareboost()], [greedytl()] or [tgreedy()]:
#' `greedytl(products(x, singles = TRUE), y)`. Use it to search among all interactions of many columns. For a few
#' interactions write them in a formula; `tlcp(hierarchy = TRUE)` takes an interaction only with its main effects. The
#' products are not stored, since they soon exceed the memory: p columns have p (p - 1) / 2 products (190,036 for 617
#' columns). A step reads only the columns of `x`, with as many operations as for stored products.
#'
#' A path on products has one column per feature that entered, named like `"age:weight"`, `"age^2"` or `"age"`; new rows
#' are matched by the columns of `x`. The path is the same as on the matrix of all products, with columns centred and
#' scaled. Products of columns with means far from zero are correlated with the columns themselves. To avoid this,
#' centre the columns first, and new rows by the means of the rows of the fit. (The paper of [shareboost()] uses
#' uncentred columns.)
#'
#' @param x A numeric matrix, `dgCMatrix` (made dense) or data frame, n rows and p columns.
#' @param squares Add the square of every column?
#' @param singles Add the columns themselves?
#' @param ... Not used; anything given is an error.
#' @returns An object of class `c("products", "feature_map")` to be given to [shareboost()], [greedytl()], [tgreedy()]
#'   or [cv_path()] in place of `x`. `keep` takes names, or numbers in this order: the columns themselves, then the
#'   products of the first column, of the second, ... (If features are kept, [tgreedy()] stores the products.)
#' @references
#' Shalev-Shwartz, S., Wexler, Y. and Shashua, A. (2011). ShareBoost: efficient multiclass learning
#' with feature sharing. *Advances in Neural Information Processing Systems* 24, section 7.1: products of
#' pairs as features. \doi{10.48550/arXiv.1109.0820}
#' @seealso [stumps()], [pieces()]
#' @examples
#' fit <- shareboost(products(iris[1:4], squares = TRUE), iris$Species, max_steps = 3)
#' fit
#' predict(fit, iris[c(1, 51, 101), ])
#'
#' # columns and products side by side, for numbers
#' cars <- scale(mtcars[-1])
#' coef(greedytl(products(cars, singles = TRUE), mtcars$mpg, max_steps = 5), step = 5)
#' @export
products <- function(x, squares = FALSE, singles = FALSE, ...) {
  call <- arguments_check()
  check_flag(squares, "squares", call)
  check_flag(singles, "singles", call)
  map <- frame_map_new("products", x, call, squares = squares, singles = singles)
  p <- ncol(map$x)
  units <- p * (p + if (squares) 1 else -1) / 2 + if (singles) p else 0
  if (units == 0) {
    abort_input("{.arg x} has one column.", "x", i = "Give two columns or more, or
                 {.code squares = TRUE}.", call = call)
  }
  if (units > .Machine$integer.max) {
    abort_input("{.arg x} has {p} columns, which have {units} products.", "x",
                i = "Give fewer columns: there may be {(.Machine$integer.max)} products at most.", call = call)
  }
  map$units <- units
  beside <- c(if (squares) "squares", if (singles) "the columns themselves")
  map$says <- paste0("Products: ", units, " features of ", p, " columns",
                     if (length(beside)) paste0(" (with ", paste(beside, collapse = " and "), ")"))
  products_refuse_names(map, call)
  map
}

# An error where two products would have the same name, made of the names of their columns.
products_refuse_names <- function(map, call) {
  if (!any(grepl("[:^]", map$blueprint$columns))) return(invisible())
  labels <- products_labels(map, seq_len(map$units), map$blueprint$columns, ncol(map$x))
  if (anyDuplicated(labels)) {
    twice <- labels[anyDuplicated(labels)]
    abort_input("Two products of columns of {.arg x} would be called {.val {twice}}.", "x",
                i = "Give the columns names without {.val {':'}}.", call = call)
  }
}

# list(first, second): the columns of features j; first is 0 of a column itself.
products_factors <- function(map, j, p) {
  before <- if (map$singles) p else 0
  counts <- p - seq_len(p) + map$squares
  start <- before + c(0, cumsum(counts))
  first <- findInterval(j - 1, start, left.open = FALSE)
  # the last column has no product of its own without squares: its start is that of the next
  single <- j <= before
  second <- ifelse(single, j, first + (1 - map$squares) + (j - 1 - start[pmax(first, 1)]))
  list(first = as.integer(ifelse(single, 0, first)), second = as.integer(second))
}

products_labels <- function(map, j, columns, p) {
  of <- products_factors(map, j, p)
  first <- rep("", length(j))
  first[of$first > 0] <- labels_of_columns(columns, of$first[of$first > 0])
  second <- labels_of_columns(columns, of$second)
  ifelse(of$first == 0, second, ifelse(of$first == of$second, paste0(first, "^2"), paste0(first, ":", second)))
}

# The blueprint of features j, in their order.
products_blueprint <- function(map, j, base, p) {
  of <- products_factors(map, j, p)
  frame_design_new_blueprint("map", products_labels(map, j, base$columns, p), length(j), base = base,
                             expand = products_expand, first = of$first, second = of$second)
}

products_expand <- function(blueprint, x) {
  columns <- as.matrix(x[, blueprint$second, drop = FALSE])
  pair <- blueprint$first > 0
  columns[, pair] <- columns[, pair] * as.matrix(x[, blueprint$first[pair], drop = FALSE])
  columns
}

products_frame_labels <- function(frame, j) {
  if (!frame_is_mapped(frame)) return(labels_of_columns(frame$blueprint$columns, j))
  products_labels(frame$x, j, frame$blueprint$columns, ncol(frame$x))
}

# Values of one feature.
products_frame_feature <- function(frame, j) {
  if (!frame_is_mapped(frame)) return(frame$x[, j])
  drop(products_frame(frame, j)$x)
}

# The frame with features j written out, in place of all products.
products_frame <- function(frame, j) {
  frame$blueprint <- products_blueprint(frame$x, j, frame$blueprint, ncol(frame$x))
  frame$x <- frame_map_expanded(frame$blueprint, frame$x$x)
  frame
}

# The frame with all products written out, where features are kept: the residual of a product on the kept features is
# no product of columns.
products_written_out <- function(frame, call) {
  size <- 8 * nrow(frame$x) * frame_rows_width(frame) / 1e9
  if (size > 1) {
    abort_input("{.arg keep} is given, and {frame_rows_width(frame)} products of {nrow(frame$x)} rows take
                 {format(size, digits = 2)} GB.", "keep",
                i = "Give fewer columns, or leave {.arg keep} out: with kept features all products are computed
                     and stored, in 1 GB at most.", call = call)
  }
  products_frame(frame, seq_len(frame_rows_width(frame)))
}

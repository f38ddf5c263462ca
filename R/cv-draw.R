#' Draw folds for cross-validation
#'
#' Divides the rows at random into folds of equal size (to within one row). With a factor `y` every
#' class is spread over the folds as evenly as its size allows, and with `domain` every class within
#' every domain. The rows of a class of two rows or more are never all in one fold,
#' so that it occurs in every training set.
#'
#' This is the only place where cross-validation draws folds, and it calls R's random number
#' generator once ([sample.int()] of the number of rows): `set.seed()` before it makes the folds
#' reproducible. To compare several fits on the same folds, draw them once and give them to each
#' [cv_path()] as `foldid`.
#'
#' @param y The response: a factor (or a character or logical vector)
#'   is balanced over the folds, numbers are not. No missing values.
#' @param nfolds Number of folds, from 2 to the number of rows; the number of rows itself leaves one
#'   row out at a time.
#' @param domain NULL, or for each row the name of the domain it comes from: every domain is then
#'   spread over the folds too. (To leave whole domains out, use `cv_path(by = "domain")`.)
#' @param ... Not used; anything given is an error.
#' @return An integer vector with one entry for each row: the fold, 1 to `nfolds`, in which the row
#'   is held out.
#' @references Kohavi (1995), A study of cross-validation and bootstrap for accuracy estimation and
#'   model selection, *IJCAI* 14, 1137-1143: why classes are kept in balance.
#' @seealso [cv_path()]
#' @examples
#' set.seed(1)
#' foldid <- make_folds(iris$Species, nfolds = 5)
#' table(foldid, iris$Species)
#' @export
make_folds <- function(y, nfolds = 10, domain = NULL, ...) {
  call <- check_arguments()
  y <- fold_response(y, call)
  n <- length(y)
  check_nfolds(nfolds, n, call)
  stratum <- fold_strata(y, check_domain(domain, n, call))
  dealt <- order(stratum, sample.int(n))
  foldid <- integer(n)
  foldid[dealt] <- rep_len(seq_len(nfolds), n)
  foldid
}

# The response as a factor (to be balanced) or as numbers (only their count matters).
fold_response <- function(y, call) {
  if (is.character(y) || is.logical(y)) y <- factor(y)
  if (!(is.factor(y) || is.numeric(y)) || !is.null(dim(y))) {
    abort_kind(y, "y", "Give a numeric vector or a factor with one entry for each row.", call)
  }
  if (anyNA(y)) {
    abort_input("{.arg y} has {sum(is.na(y))} missing value{?s}.", "y",
                i = "Leave these rows out of {.arg y} first.", call = call)
  }
  y
}

check_nfolds <- function(nfolds, n, call) {
  if (!rlang::is_integerish(nfolds, n = 1, finite = TRUE) || nfolds < 2) {
    abort_value(nfolds, "nfolds", "Give one whole number, at least 2.", call)
  }
  if (nfolds > n) {
    abort_input("{.arg nfolds} is {nfolds}, but there {cli::qty(n)}{?is/are} only {n} row{?s}.", "nfolds",
                i = if (n > 1) "Give {.code nfolds = {n}} (leave one row out) or fewer folds." else "Give more rows.",
                call = call)
  }
}

# Strata as integers, classes first and domains within them. Rows are dealt to the folds in this
# order without starting afresh, so a class, and a domain within a class, is even up to one row.
fold_strata <- function(y, domain) {
  class <- if (is.factor(y)) as.integer(y) else rep_len(1L, length(y))
  if (is.null(domain)) class else (class - 1L) * nlevels(domain) + as.integer(domain)
}

# Folds that the user gives, one for every row of the frame.
check_foldid <- function(foldid, frame, call) {
  n <- frame_nobs(frame)
  foldid <- drop_unused_rows(foldid, frame)
  if (!is.atomic(foldid) || !is.null(dim(foldid)) || length(foldid) != n || anyNA(foldid)) {
    abort_rows(foldid, "foldid",
               "Give a vector with the fold of each of the {n} row{?s} used; {.arg subset} leaves rows out.", call)
  }
  if (all(foldid == foldid[[1]])) {
    abort_input(
      "{.arg foldid} has one fold only: {.val {foldid[[1]]}}.", "foldid",
      i = "Give two or more, so that every fold leaves rows to train on.",
      call = call
    )
  }
  foldid
}

# A foldid given for all rows of the data follows the rows that are used (subset, na.action,
# weights of zero).
drop_unused_rows <- function(foldid, frame) {
  if (length(foldid) == frame_nobs(frame) || length(foldid) != frame$n_all) return(foldid)
  foldid[frame$rows]
}

# The folds of rsample's vfold_cv() and its kin, where every row is held out once; anything else as it is.
foldid_of_rset <- function(foldid, call) {
  if (!inherits(foldid, "rset")) return(foldid)
  rlang::check_installed("rsample", "to read folds made by it.", call = call)
  held_out <- lapply(foldid$splits, as.integer, data = "assessment")
  n <- nrow(foldid$splits[[1]]$data)
  times <- tabulate(unlist(held_out), n)
  if (any(times != 1)) {
    other <- which(times != 1)[1]
    abort_input("{.arg foldid} is a {.cls {class(foldid)[1]}} that holds out row {other} {times[other]} time{?s}.",
                "foldid", i = "Give resamples that hold out every row once, as {.fn rsample::vfold_cv} (without
                  {.arg repeats}) and {.fn rsample::group_vfold_cv} make them.", call = call)
  }
  labels <- foldid$id
  out <- factor(rep(NA, n), labels)
  out[unlist(held_out)] <- rep(labels, lengths(held_out))
  out
}

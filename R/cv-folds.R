# The folds of cv_path(): drawn, given by the user or by rsample, for a target, or the domains.

#' Draw folds for cross-validation
#'
#' Divides the rows at random into folds of equal size (to within one row). Use it to cross-validate several fits on the
#' same folds: `foldid <- make_folds(y)`, then `cv_path(..., foldid = foldid)` for each fit. [cv_path()] alone draws its
#' folds by itself, and to leave out whole domains use `cv_path(by = "domain")`.
#'
#' With a factor `y` every class is spread over the folds as evenly as its size allows, and with `domain` every class
#' within every domain. A class with at least two rows is never all in one fold, so that every training set has it. The
#' function calls R's random number generator once ([sample.int()] of the number of rows): [set.seed()] makes
#' the folds reproducible.
#'
#' @param y The response: a factor (or a character or logical vector)
#'   is balanced over the folds, numbers are not. No missing values.
#' @param nfolds Number of folds, from 2 to the number of rows; the number of rows itself leaves one
#'   row out at a time.
#' @param domain NULL, or the domain of each row: every domain is then spread over the folds, too.
#' @param ... Not used; anything given is an error.
#' @return An integer vector with one entry per row: the fold, 1 to `nfolds`, in which the row is held out.
#' @references Kohavi (1995), A study of cross-validation and bootstrap for accuracy estimation and
#'   model selection, *IJCAI* 14, 1137-1143: why classes are kept in balance.
#' @seealso [cv_path()]
#' @examples
#' set.seed(1)
#' foldid <- make_folds(iris$Species, nfolds = 5)
#' table(foldid, iris$Species)
#' @export
make_folds <- function(y, nfolds = 10, domain = NULL, ...) {
  call <- arguments_check()
  y <- cv_fold_response(y, call)
  n <- length(y)
  cv_fold_check_nfolds(nfolds, n, call)
  domain <- frame_rows_check_domain(domain, n, call)
  # strata are classes, and domains within classes. Rows are dealt to the folds in turn, stratum after stratum, so the
  # folds have the same number of rows of a class, and of a domain in a class, to within one.
  stratum <- if (is.factor(y)) as.integer(y) else rep_len(1L, n)
  if (!is.null(domain)) stratum <- (stratum - 1L) * nlevels(domain) + as.integer(domain)
  dealt <- order(stratum, sample.int(n))
  foldid <- integer(n)
  foldid[dealt] <- rep_len(seq_len(nfolds), n)
  foldid
}

# The response as a factor, whose classes are balanced over the folds, or as numbers, which are not.
cv_fold_response <- function(y, call) {
  y <- table_plain_number(y)
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

cv_fold_check_nfolds <- function(nfolds, n, call) {
  if (!rlang::is_integerish(nfolds, n = 1, finite = TRUE) || nfolds < 2) {
    abort_value(nfolds, "nfolds", "Give one whole number, at least 2.", call)
  }
  if (nfolds > n) {
    abort_input("{.arg nfolds} is {nfolds}, but there {cli::qty(n)}{?is/are} only {n} row{?s}.", "nfolds",
                i = if (n > 1) "Give {.code nfolds = {n}} (leave one row out) or fewer folds." else "Give more rows.",
                call = call)
  }
}

# The folds that the user gives, checked, one for each of n rows.
cv_fold_check_foldid <- function(foldid, n, call) {
  foldid <- table_plain_number(foldid)
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

# A foldid with an entry for every row of the data, without the rows that subset, na.action or a weight of 0 leave out.
cv_fold_drop_unused_rows <- function(foldid, frame) {
  if (length(foldid) == frame_rows_count(frame) || length(foldid) != frame$n_all) return(foldid)
  foldid[frame$rows]
}

# The fold of every row from resamples of rsample, such as vfold_cv(); an error where a row is not held out once.
cv_fold_of_rset <- function(foldid, call) {
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
  fold <- factor(rep(NA, n), labels)
  fold[unlist(held_out)] <- rep(labels, lengths(held_out))
  fold
}

# The fold of every row of a frame, as a factor: given by the user, the domain (`by`), `drawn` before, or drawn here. NA
# for rows that are never held out: where the model is for a target, those of other domains; where folds are domains,
# those of domains that the fit to all rows has left out.
cv_fold_of_frame <- function(frame, settings, path, by) {
  call <- settings$call
  if (!is.null(path$target) && !is.null(frame$domain)) {
    return(cv_fold_of_target(frame, settings, which(frame_rows_of_domain(frame, path$target)), by))
  }
  if (!is.null(settings$foldid)) return(cv_fold_check_foldid(cv_fold_drop_unused_rows(settings$foldid, frame),
                                                             frame_rows_count(frame), call))
  if (is.null(by)) {
    cv_fold_check_nfolds(settings$nfolds, frame_rows_count(frame), call)
    return(make_folds(cv_fold_balanced_response(frame), settings$nfolds, frame$domain))
  }
  if (is.null(frame$domain)) {
    abort_input(
      "{.code by = \"domain\"} leaves one domain out at a time, but there is no {.arg domain}.",
      "domain",
      i = "Give {.arg domain}: for each row the name of where it comes from.",
      call = call
    )
  }
  domain <- table_used_levels(frame$domain)
  left <- if (!is.null(path$domains)) setdiff(levels(domain), path$domains)
  if (length(left)) {
    cv_fold_tell_not_held_out(left)
    domain <- factor(domain, setdiff(levels(domain), left))
  }
  if (nlevels(domain) < 2) {
    abort_input(
      "{.arg domain} names one domain only: {.val {levels(domain)}}.", "domain",
      i = "Leave {.arg by} out to use plain folds: {.code by = \"domain\"} needs two domains or more.",
      call = call
    )
  }
  domain
}

# left: the domains that the fit to all rows has left out.
cv_fold_tell_not_held_out <- function(left) {
  tell(paste0("Not held out: the domain", if (length(left) > 1) "s", " ", words_in_quotes(left),
              ", which the fit to all rows left out as well."),
       class = "transelect_message_domains")
}

# The response for make_folds(). Of several numeric responses the first, since numbers are not balanced.
cv_fold_balanced_response <- function(frame) if (is.matrix(frame$y)) frame$y[, 1] else frame$y

# As cv_fold_of_frame(), where the model is for a target. target_rows: the rows of the target.
cv_fold_of_target <- function(frame, settings, target_rows, by) {
  call <- settings$call
  if (!is.null(by)) {
    abort_input("{.arg by} is {.val {by}}, but the model is for one domain.", "by",
                i = "Leave {.arg by} out: the rows of {.arg target} are held out, those of other
                     domains stay in every training part.", call = call)
  }
  n <- frame_rows_count(frame)
  if (!length(target_rows)) return(rep(NA, n))
  foldid <- if (is.null(settings$foldid)) {
    cv_fold_check_nfolds(settings$nfolds, length(target_rows), call)
    make_folds(cv_fold_balanced_response(frame)[target_rows], settings$nfolds)
  } else {
    foldid <- cv_fold_drop_unused_rows(settings$foldid, frame)
    if (length(foldid) == n) foldid <- foldid[target_rows]
    cv_fold_check_foldid(foldid, length(target_rows), call)
  }
  all <- rep(foldid[NA_integer_], n)
  all[target_rows] <- foldid
  all
}

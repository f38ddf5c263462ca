#' Draw folds for cross-validation
#'
#' Deals the rows into folds of equal size (they differ by one row at most). With a factor `y` every
#' class is spread over the folds as evenly as its size allows, and with `domain` every class within
#' every domain; numbers are dealt at random. A class of two rows or more never falls into one fold
#' alone, so that every training part keeps some of it.
#'
#' This is the only place where cross-validation draws folds, and it calls R's random number
#' generator once ([sample.int()] of the number of rows): `set.seed()` before it makes the folds
#' reproducible. To compare several fits on the same folds, draw them once and give them to each
#' [cv_path()] as `foldid`.
#'
#' @param y The response, or anything with one entry for each row: a factor (character and logical
#'   vectors count as one) is balanced over the folds, numbers are not. No missing values.
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
  check_arguments()
  call <- rlang::current_env()
  y <- fold_response(y, call)
  n <- length(y)
  check_nfolds(nfolds, n, call)
  stratum <- fold_strata(y, check_fold_domain(domain, n, call))
  dealt <- order(stratum, sample.int(n))
  foldid <- integer(n)
  foldid[dealt] <- rep_len(seq_len(nfolds), n)
  foldid
}

# The response as a factor (to be balanced) or as numbers (only their count matters).
fold_response <- function(y, call) {
  if (is.character(y) || is.logical(y)) y <- factor(y)
  if (!(is.factor(y) || is.numeric(y)) || !is.null(dim(y))) {
    abort_input(
      "{.arg y} is {.obj_type_friendly {y}}.", "y",
      i = "Give a numeric vector or a factor with one entry for each row.",
      call = call
    )
  }
  if (anyNA(y)) {
    abort_input(
      "{.arg y} has {sum(is.na(y))} missing value{?s}.", "y",
      i = "Leave these rows out of {.arg y} first.",
      call = call
    )
  }
  y
}

check_nfolds <- function(nfolds, n, call) {
  if (!rlang::is_integerish(nfolds, n = 1, finite = TRUE) || nfolds < 2) {
    abort_input(
      "{.arg nfolds} is {.val {nfolds}}.", "nfolds",
      i = "Give one whole number, at least 2.",
      call = call
    )
  }
  if (nfolds > n) {
    abort_input(
      "{.arg nfolds} is {nfolds}, but there {cli::qty(n)}{?is/are} only {n} row{?s}.", "nfolds",
      i = if (n > 1) "Use {.code nfolds = {n}} (leave one row out) or fewer folds.",
      call = call
    )
  }
}

check_fold_domain <- function(domain, n, call) {
  if (is.null(domain)) return(NULL)
  if (length(domain) != n || anyNA(domain)) {
    abort_input(
      "{.arg domain} has {length(domain)} entr{?y/ies}, {sum(is.na(domain))} of them missing.",
      "domain",
      i = "Give one entry for each of the {n} row{?s}, none missing.",
      call = call
    )
  }
  factor(domain)
}

# Strata as integers, classes first and domains within them. Rows are dealt to the folds in this
# order without starting afresh, so a class, and a domain within a class, is even up to one row.
fold_strata <- function(y, domain) {
  class <- if (is.factor(y)) as.integer(y) else rep_len(1L, length(y))
  if (is.null(domain)) class else (class - 1L) * nlevels(domain) + as.integer(domain)
}

# The fold of every row of a frame: as given, one fold a domain, or drawn. Where the model is for
# one domain, the target, only its rows are held out: others have NA. Of folds that are domains, those
# that the fit has left out have NA.
frame_foldid <- function(frame, settings, path) {
  call <- settings$call
  if (!is.null(path$target) && !is.null(frame$domain)) {
    return(target_foldid(frame, settings, which(frame$domain %in% path$target)))
  }
  if (!is.null(settings$foldid)) return(check_foldid(settings$foldid, frame, call))
  if (is.null(settings$by)) {
    check_nfolds(settings$nfolds, frame_nobs(frame), call)
    return(settings$drawn %||% make_folds(dealt_response(frame), settings$nfolds, frame$domain))
  }
  if (is.null(frame$domain)) {
    abort_input(
      "{.code by = \"domain\"} leaves one domain out at a time, but there is no {.arg domain}.",
      "domain",
      i = "Give {.arg domain}: for each row the name of where it comes from.",
      call = call
    )
  }
  domain <- used_levels(frame$domain)
  kept <- fold_domains(levels(domain), path)
  if (length(kept) < nlevels(domain)) domain <- factor(domain, kept)
  if (nlevels(domain) < 2) {
    abort_input(
      "{.arg domain} names one domain only: {.val {levels(domain)}}.", "domain",
      i = "{.code by = \"domain\"} needs two or more; leave {.arg by} out to use plain folds.",
      call = call
    )
  }
  domain
}

# Classes, which are balanced over the folds; of responses that are dealt at random some numbers.
dealt_response <- function(frame) if (is.matrix(frame$y)) frame$y[, 1] else frame$y

# Domains that are held out in turn: those that the fit to all rows has, of which it is told.
fold_domains <- function(names, path) {
  left <- setdiff(names, path$domains)
  if (is.null(path$domains) || !length(left)) return(names)
  cli::cli_inform(
    "Not held out: the domain{?s} {.val {left}}, left out of the fit too.",
    class = "transelect_message_domains"
  )
  setdiff(names, left)
}

# own: the rows of the target.
target_foldid <- function(frame, settings, own) {
  call <- settings$call
  if (!is.null(settings$by)) {
    abort_input("{.arg by} is {.val {settings$by}}, but the model is for one domain.", "by",
                i = "Leave {.arg by} out: the rows of {.arg target} are held out, those of other
                     domains stay in every training part.", call = call)
  }
  out <- rep(NA, frame_nobs(frame))
  if (!length(own)) return(out)
  out[own] <- if (is.null(settings$foldid)) {
    check_nfolds(settings$nfolds, length(own), call)
    make_folds(dealt_response(frame)[own], settings$nfolds)
  } else {
    foldid <- drop_unused_rows(settings$foldid, frame)
    if (length(foldid) == frame_nobs(frame)) foldid <- foldid[own]
    check_foldid(foldid, frame_rows(frame, own), call)
  }
  out
}

check_foldid <- function(foldid, frame, call) {
  n <- frame_nobs(frame)
  foldid <- drop_unused_rows(foldid, frame)
  if (!is.atomic(foldid) || !is.null(dim(foldid)) || length(foldid) != n) {
    abort_input(
      "{.arg foldid} is {.obj_type_friendly {foldid}} of length {length(foldid)}.", "foldid",
      i = "Give a vector with the fold of each of the {n} row{?s} used.",
      call = call
    )
  }
  if (anyNA(foldid)) {
    abort_input(
      "{.arg foldid} is missing for {sum(is.na(foldid))} of {n} row{?s}.", "foldid",
      i = "Give every row a fold; {.arg subset} leaves rows out.",
      call = call
    )
  }
  if (length(unique(foldid)) < 2) {
    abort_input(
      "{.arg foldid} has one fold only: {.val {unique(foldid)}}.", "foldid",
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

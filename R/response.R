# What a frame is asked for; its design, responses, weights and domains checked, and how responses and weights become
# numbers, for all methods and losses.

# ---- what a frame has, and its rows -------------------------------------------------------------------

# The number of rows of the frame, or of those that its moments were made of.
frame_nobs <- function(frame) if (has_rows(frame)) nrow(frame$x) else frame$n_rows

# Rows of each domain, or `what` of those behind moments: "n" or "weight".
domain_nobs <- function(frame, what = "n") {
  if (has_rows(frame)) return(tabulate(frame$domain, nlevels(frame$domain)))
  cells <- frame$moments$cells
  rowsum(cells[[what]], as.character(cells$domain))[levels(frame$domain), 1]
}

has_rows <- function(frame) is.null(frame$moments)

by_likelihood <- function(family) !is.null(family) && family %in% LIKELIHOODS

frame_family <- function(frame) {
  if (by_likelihood(frame$family)) return(frame$family)
  y <- frame$y
  if (!is.factor(y)) "gaussian" else if (nlevels(y) > 2) "multinomial" else "binomial"
}

is_mapped <- function(frame) is.list(frame$x)

# The number of features of a frame.
frame_width <- function(frame) if (is_mapped(frame)) frame$x$units else ncol(frame$x)

# A design itself; of a map, the design that its features are made of.
columns_of <- function(x) if (inherits(x, "feature_map")) x$x else x

# The features of a frame as C takes them.
frame_block <- function(frame) {
  map <- frame$x
  if (is_mapped(frame)) list(map$x, map$squares, map$singles) else map
}

# Are there models that must still predict?
needs_raw <- function(sources) !is.null(sources$models) && is.null(sources$values)

# For each row whether it is of this domain. (`==` of a factor compares the labels of all rows, which takes longer.)
of_domain <- function(frame, domain) as.integer(frame$domain) == match(domain, levels(frame$domain), 0L)

# Are there so many rows for each cell that moments by cell may stand for them?
many_rows <- function(frame, cells) {
  frame_nobs(frame) >= ROWS_A_NUMBER * cells * (ncol(frame$x) + max(ncol(frame$sources$values), 0) + NCOL(frame$y))
}

ROWS_A_NUMBER <- 10 # moments are tried from so many rows on for every mean, of a column in a cell

# The frame of rows i. Levels of the response without a row are kept.
frame_rows <- function(frame, i) {
  if (is_mapped(frame)) frame$x$x <- frame$x$x[i, , drop = FALSE] else frame$x <- frame$x[i, , drop = FALSE]
  frame$y <- response_rows(frame$y, i)
  if (!is.null(frame$raw)) frame$raw <- frame$raw[i, , drop = FALSE]
  if (!is.null(frame$sources)) frame$sources <- source_rows(frame$sources, i)
  for (name in c("weights", "domain", "rows", "offset", "strata")) {
    if (!is.null(frame[[name]])) frame[[name]] <- frame[[name]][i]
  }
  frame
}

# The frame of the rows, or the moments, of these domains.
frame_domains <- function(frame, domains) {
  if (has_rows(frame)) {
    frame <- frame_rows(frame, which(frame$domain %in% domains))
  } else {
    frame$moments <- frame$moments[domains]
    frame$domain <- frame$domain[frame$domain %in% domains]
    frame$n_rows <- sum(frame$moments$cells$n)
  }
  frame$domain <- used_levels(frame$domain)
  frame
}

response_rows <- function(y, i) if (is.matrix(y)) y[i, , drop = FALSE] else y[i]

source_rows <- function(sources, i) {
  if (!is.null(sources$values)) sources$values <- sources$values[i, , drop = FALSE]
  sources
}

# A double matrix, which is returned without a copy, or a dgCMatrix for any sparse matrix.
as_design_matrix <- function(x, argument, call) {
  if (is.table(x)) x <- unclass(x)
  if (is.matrix(x) && is.double(x)) return(x)
  if (is(x, "sparseMatrix") || is(x, "diagonalMatrix")) {
    return(methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix"))
  }
  if (is(x, "Matrix")) x <- as.matrix(x)
  if (is.atomic(x) && is.null(dim(x)) && is.numeric(x)) x <- matrix(x, ncol = 1)
  if (!is.matrix(x) || !(is.numeric(x) || is.logical(x))) {
    mend <- if (is_remote(x)) MOMENTS_FIRST else
      "Give a numeric matrix, a sparse matrix or a data frame."
    abort_kind(x, argument, mend, call)
  }
  if (!is.double(x)) storage.mode(x) <- "double"
  x
}

# ---- responses, checked: each check returns the value as a frame holds it ---------------------------

# A response of numbers or classes: its type, length and missing or infinite values are checked. check_variation() does
# the rest, where no family is to do it.
read_response <- function(y, n, many, call) {
  if (is.object(y) || !is.null(dim(y))) y <- one_column(y)
  if (many && is.matrix(y)) return(read_responses(y, n, call))
  if (!is.null(dim(y)) || is.list(y)) abort_responses(y, call)
  classes <- is.factor(y) || is.character(y) || is.logical(y)
  if (!classes && !is.numeric(y)) abort_kind(y, "y", "Give a numeric vector or a factor.", call)
  if (length(y) != n || anyNA(y)) refuse_incomplete(y, n, call)
  if (classes) return(check_classes(y, call))
  y <- as.double(y)
  if (!is.finite(sum(y)) && any(is.infinite(y))) {
    abort_input("{.arg y} has {sum(is.infinite(y))} infinite value{?s}.", "y",
                i = "Give finite values.", call = call)
  }
  y
}

# A response as read_response() gives it, to be fitted by least squares or as classes: an error where numbers are
# constant, or too large or small to be squared.
check_variation <- function(y, call) {
  if (is.factor(y) || !length(y)) return(y)
  if (is.matrix(y)) return(check_variations(y, call))
  range <- c(min(y), max(y))
  if (range[1] == range[2]) {
    abort_input("{.arg y} is constant: every value is {y[1]}.", "y",
                i = "Give a response that varies.", call = call)
  }
  check_response_size(range, "", call)
  y
}

# An error where the response has not n values, or one is missing.
refuse_incomplete <- function(y, n, call) {
  refuse_unequal(y, "y", n, "x", call)
  if (anyNA(y)) {
    abort_input("{.arg y} has {sum(is.na(y))} missing value{?s}.", "y",
                i = "Leave those rows out, or give a formula and {.code na.action}.",
                call = call)
  }
}

abort_responses <- function(y, call) {
  abort_input("{.arg y} is {.obj_type_friendly {y}} of {NCOL(y)} column{?s}.", "y",
              i = "Give one response: a numeric vector or a factor.", call = call)
}

# An error for a response whose squares overflow or all underflow. range: its least and largest value.
check_response_size <- function(range, where, call) {
  spread <- range[2] - range[1]
  if (max(abs(range)) > SQUARES_MOST || spread < SQUARES_LEAST) {
    abort_input(paste0("{.arg y} is too ", if (spread > 1) "large" else "small", " to be squared",
                       where, "."), "y", i = "Rescale it.", call = call)
  }
}

# Several numeric responses: a double matrix with a named column for each.
read_responses <- function(y, n, call) {
  if (!is.numeric(y) || ncol(y) == 0) {
    abort_input("{.arg y} is {.obj_type_friendly {y}} of {ncol(y)} column{?s}.", "y",
                i = "Give numbers: one column for each response.", call = call)
  }
  refuse_unequal(y, "y", n, "x", call)
  names <- response_names(colnames(y), ncol(y))
  y <- matrix(as.double(y), n, dimnames = list(NULL, names))
  open <- which(!is.finite(colSums(y))) # a sum of finite numbers may overflow
  wrong <- names[open[colSums(!is.finite(y[, open, drop = FALSE])) > 0]]
  if (length(wrong)) {
    abort_input("{.arg y} has missing or infinite values in {.val {wrong}}.", "y",
                i = "Leave those rows out, or give a formula and {.code na.action}.",
                call = call)
  }
  y
}

# check_variation() of several responses.
check_variations <- function(y, call) {
  names <- colnames(y)
  check_names(names, "y", call)
  ranges <- vapply(seq_along(names), function(k) {
    column <- y[, k]
    c(min(column), max(column))
  }, c(0, 0))
  same <- names[ranges[1, ] == ranges[2, ]]
  if (length(same)) {
    abort_input("{.arg y} is constant in {.val {same}}.", "y", i = "Give a response that varies.",
                call = call)
  }
  for (k in seq_along(names)) check_response_size(ranges[, k], paste0(" in \"", names[k], "\""), call)
  y
}

# The names of responses. Response k without a name is called y<k>, or y<k>.1 and so on where another has this name.
response_names <- function(names, count) {
  names <- names %||% character(count)
  blank <- is.na(names) | names == ""
  if (!any(blank)) return(names)
  made <- make.unique(c(names[!blank], paste0("y", which(blank))))
  names[blank] <- utils::tail(made, sum(blank))
  names
}

# An error for a response, not a factor, whose number of different values is above a third of the rows (and above two):
# they are unlikely to be classes.
refuse_many_classes <- function(y, call) {
  if (is.factor(y)) return(invisible())
  values <- length(unique(y))
  if (values <= max(2, length(y) / 3)) return(invisible())
  number <- is.numeric(y) || !anyNA(suppressWarnings(as.numeric(y)))
  abort_input("{.arg y} is {.obj_type_friendly {y}} with {values} different values in {length(y)}
               rows.", "y",
              i = if (number) "Give {.code as.numeric(y)} if it holds numbers,
                               {.code factor(y)} if every value is a class of its own." else
                "Give {.code factor(y)} if every value is a class of its own.", call = call)
}

check_classes <- function(y, call) {
  refuse_many_classes(y, call)
  y <- as.factor(y)
  empty <- levels(y)[tabulate(y, nlevels(y)) == 0]
  if (length(empty)) {
    tell(paste0("Dropping the class", if (length(empty) > 1) "es", " ", in_quotes(empty),
                " of `y`: no complete row has ", if (length(empty) > 1) "them." else "it."))
    y <- factor(y, levels = setdiff(levels(y), empty))
  }
  if (nlevels(y) < 2) {
    abort_input("{.arg y} has one class: {.val {levels(y)}}.", "y",
                i = "Give a response of two classes or more.", call = call)
  }
  refuse_unnamed(levels(y), "y", "class", call, missing = TRUE)
  y
}

# ---- weights and domains, checked --------------------------------------------------------------------

check_domain <- function(domain, n, call) {
  if (is.null(domain)) return(NULL)
  domain <- plain_number(domain)
  if (!is.atomic(domain) || !is.null(dim(domain))) {
    abort_kind(domain, "domain", "Give a vector or factor with one entry for each row.", call)
  }
  if (length(domain) != n || anyNA(domain)) {
    abort_rows(domain, "domain", "Give the domain of each of the {n} rows.", call)
  }
  domain <- quick_factor(domain)
  refuse_unnamed(levels(domain), "domain", "domain", call, missing = TRUE)
  domain
}

refuse_few_rows <- function(n, call) {
  if (n > 1) return(invisible())
  abort_input("{n} row{?s} {?is/are} left to fit.", "x",
              i = "Give at least 2 that {.arg subset}, {.arg na.action} and weights leave in.",
              call = call)
}

check_weights <- function(weights, n, call) {
  if (is.null(weights)) return(NULL)
  weights <- plain_number(weights)
  if (!is.numeric(weights) || length(weights) != n) {
    abort_rows(weights, "weights", "Give one number for each of the {n} rows.", call)
  }
  most <- if (n) max(weights) else 0
  if (!is.finite(most) || n && min(weights) < 0) {
    wrong <- which(!is.finite(weights) | weights < 0)
    abort_input("{.arg weights} has a missing, infinite or negative value at {.val {wrong[1]}}.",
                "weights", i = "Give finite weights, none negative.", call = call)
  }
  if (most == 0) {
    abort_input("{.arg weights} are all zero.", "weights", i = "Give at least one positive weight.",
                call = call)
  }
  as.double(weights)
}

WEIGHT_RATIO <- 1e300 # largest ratio of two weights: shares of their sum do not underflow then

WEIGHT_MOST <- 1e100  # sums of products with weights up to this, or down to its inverse, stay finite and above 0

# Weights whose largest is beyond WEIGHT_MOST are multiplied by a power of two that makes it about 1; others are
# returned as they are. Fits depend only on ratios of weights. The power is applied in two halves, since it may
# overflow.
weights_in_range <- function(weights, call) {
  most <- max(weights)
  if (min(weights) / most < 1 / WEIGHT_RATIO) {
    abort_input("{.arg weights} go from {.val {min(weights)}} to {.val {most}}.", "weights",
                i = "Give weights of which the largest is at most {.val {WEIGHT_RATIO}} times the
                     smallest above 0; rows of weight 0 are left out.", call = call)
  }
  if (most <= WEIGHT_MOST && most >= 1 / WEIGHT_MOST) return(weights)
  power <- -floor(log2(most))
  half <- floor(power / 2)
  weights * 2^half * 2^(power - half)
}

# ---- classes and responses as numbers -----------------------------------------------------------------

# Indicators of classes, rows x classes: TRUE where the row is of the class.
class_indicators <- function(y) {
  of <- matrix(FALSE, length(y), nlevels(y), dimnames = list(NULL, levels(y)))
  of[seq_along(y) + length(y) * (as.integer(y) - 1L)] <- TRUE
  of
}

# Classes coded as `low` and 1: of two classes a vector with 1 for the second, of more a matrix with a column for each.
class_codes <- function(y, low = -1) {
  if (nlevels(y) == 2) return((1 - low) * (as.integer(y) == 2L) + low)
  (1 - low) * class_indicators(y) + low
}

# The response as least squares fits it: numbers as they are, classes coded -1 and 1.
coded_response <- function(y) if (is.factor(y)) class_codes(y) else y

# coded_response() as a matrix with a named column for each response.
response_matrix <- function(y) {
  coded <- coded_response(y)
  if (is.matrix(coded)) return(coded)
  matrix(coded, dimnames = list(NULL, if (is.factor(y)) levels(y)[2] else "y"))
}

# coded_response() as a vector; of several responses the first.
first_response <- function(y) {
  coded <- coded_response(y)
  if (is.matrix(coded)) coded[, 1] else coded
}

weights_of_sum_one <- function(w) w / sum(w)

# list(center, scale) of the columns of x: their means, or 0, and their standard deviations about them, by weights of
# sum one.
column_spread <- function(x, w, centred = TRUE) {
  center <- if (centred) colSums(w * x) else numeric(ncol(x))
  list(center = center, scale = sqrt(colSums(w * (x - rep(center, each = nrow(x)))^2)))
}

weights_of_sum_n <- function(w) {
  w <- w / max(w) # without this the sum of the weights may overflow, or their mean underflow
  w * (length(w) / sum(w))
}

# The weight of every row.
frame_weights <- function(frame) frame$weights %||% rep_len(1, frame_nobs(frame))

# Weights that sum to n, as kernels take them; NULL where none were given.
unit_weights <- function(frame) {
  if (!is.null(frame$weights)) weights_of_sum_n(frame$weights)
}

# unit_weights(), or ones where no weights were given.
row_unit_weights <- function(frame) unit_weights(frame) %||% frame_weights(frame)

# The weight of every row divided by the mean, or another function FUN, of the weights of its domain.
domain_weights <- function(frame, FUN = mean) {
  w <- frame_weights(frame)
  w / stats::ave(w, frame$domain, FUN = FUN)
}

# Weights, rows x responses, that sum to n for every response; with `balanced` each of its two classes has the sum n/2.
# NULL where all weights are 1.
response_weights <- function(frame, balanced) {
  if (!has_rows(frame) || !balanced && is.null(frame$weights)) return(NULL)
  n <- frame_nobs(frame)
  if (!balanced) return(matrix(unit_weights(frame), n, if (nlevels(frame$y) > 2) nlevels(frame$y) else 1L))
  w <- frame_weights(frame)
  up <- response_matrix(frame$y) > 0
  total <- colSums(w * up)
  v <- w * n / 2 / ifelse(up, rep(total, each = n), rep(sum(w) - total, each = n))
  matrix(v, n, ncol(up))
}

# The second central moments of a cell (moments-cells.R): weighted means of products about the means.
cell_covariance <- function(cell) cell$cross / cell$weight

# The term of the weights in twice the Gaussian log-likelihood: the sum of log(v_i), v being the weights scaled to
# sum n. NA for moments without `log_weight`.
log_weights <- function(frame) {
  if (has_rows(frame)) return(if (is.null(frame$weights)) 0 else sum(log(unit_weights(frame))))
  all <- moments_total(frame$moments)
  all$log_weight + all$n * log(all$n / all$weight)
}

# The same term for weights with the same sum in every one of the K domains: v_i = (n/K) w_i / W_k for row i of domain
# k, where W_k is the sum of w in it.
log_domain_weights <- function(frame) {
  n <- domain_nobs(frame)
  sums <- if (!is.null(frame$weights)) rowsum(unit_weights(frame), as.integer(frame$domain))[, 1] else
    if (has_rows(frame)) n else domain_nobs(frame, "weight")
  sums <- sums * (sum(n) / sum(sums))
  log_weights(frame) + sum(n * log(sum(n) / (length(n) * sums)))
}

# y as a factor with the levels `classes`; whose: what has these classes, in words for the error.
among_classes <- function(y, classes, whose, call) {
  unknown <- setdiff(as.character(y), c(classes, NA))
  if (length(unknown)) {
    abort_input("{.arg y} has {.val {unknown}}, no class of the {whose}.", "y",
                i = "Give classes among {.val {classes}}.", call = call)
  }
  factor(as.character(y), classes, ordered = is.ordered(y))
}

# ---- scores of classes (rows x classes), their probabilities, and those of models -----------------

# Mean of minus the log probability of the true class. score: rows x classes; of two classes the log odds of the second.
log_loss <- function(y, score, weights) {
  if (nlevels(y) == 2) score <- cbind(0, score)
  mean_by_weight(log_sum_exp(score) - score[cbind(seq_along(y), as.integer(y))], weights)
}

softmax <- function(score) {
  share <- exp(score - row_max(score))
  share / rowSums(share)
}

# log(sum(exp(score))) of every row.
log_sum_exp <- function(score) {
  top <- row_max(score)
  top + log(rowSums(exp(score - top)))
}

# Posterior probabilities of alternatives from log_evidence, their log marginal likelihoods (or criteria on that scale),
# and their log prior probabilities, each up to a constant. An alternative with less than `least` times the largest
# weight gets the weight 0. Names are those of `log_evidence`. See src/data/average.h.
average_weights <- function(log_evidence, log_prior = 0, least = 0) {
  weights <- .Call(C_average, as.double(log_evidence + log_prior), as.double(least))
  stats::setNames(weights, names(log_evidence))
}

# The largest score of every row; it is subtracted from the scores before exp(), so that exp() does not overflow.
row_max <- function(score) do.call(pmax.int, lapply(seq_len(ncol(score)), function(k) score[, k]))

# The number of the predicted class of every row: that of the largest score, the first of ties; of two classes the
# second where the score is positive. NA where a score is NA.
predicted_class <- function(score) {
  if (is.matrix(score)) max.col(score, ties.method = "first") else 1L + (score > 0)
}

# Scores a0 + x beta of rows, for columns `at` of beta. Columns of a dense design without a coefficient are not read.
score_rows <- function(x, beta, a0, at = seq_along(a0)) {
  if (is.matrix(x)) return(.Call(C_scores, x, as.vector(beta), as.double(a0), at - 1L))
  as.matrix(x %*% beta[, at, drop = FALSE]) + rep(a0[at], each = nrow(x))
}

# score_rows() for one column of sparse coefficients `model$beta`, as a vector.
score_rows_at <- function(x, model, at) {
  inside <- seq_len(diff(model$beta@p)[at]) + model$beta@p[at]
  used <- model$beta@i[inside] + 1L
  weight <- model$beta@x[inside]
  if (!is.matrix(x)) return(model$a0[at] + as.vector(x[, used, drop = FALSE] %*% weight))
  beta <- numeric(ncol(x))
  beta[used] <- weight
  as.vector(score_rows(x, beta, model$a0[at]))
}

# The weighted mean over rows; of a matrix, of the means of its rows.
mean_by_weight <- function(value, weights) {
  if (is.matrix(value)) value <- rowMeans(value)
  sum(weights * value) / sum(weights)
}

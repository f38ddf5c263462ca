# Weights of rows: checked, scaled, and the terms that they add to a likelihood.

response_weights_check <- function(weights, n, call) {
  if (is.null(weights)) return(NULL)
  weights <- table_one_column(weights)
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
response_weights_in_range <- function(weights, call) {
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

response_weights_sum_one <- function(w) w / sum(w)

# list(center, scale) of the columns of x: their means, or 0, and their standard deviations about them, by weights of
# sum one.
response_weights_column_spread <- function(x, w, centred = TRUE) {
  center <- if (centred) colSums(w * x) else numeric(ncol(x))
  list(center = center, scale = sqrt(colSums(w * (x - rep(center, each = nrow(x)))^2)))
}

response_weights_sum_n <- function(w) {
  w <- w / max(w) # without this the sum of the weights may overflow, or their mean underflow
  w * (length(w) / sum(w))
}

# The weight of every row.
response_weights_of_rows <- function(frame) frame$weights %||% rep_len(1, frame_rows_count(frame))

# Weights that sum to n, as kernels take them; NULL where none were given.
response_weights_of_mean_one <- function(frame) {
  if (!is.null(frame$weights)) response_weights_sum_n(frame$weights)
}

# response_weights_of_mean_one(), or ones where no weights were given.
response_weights_or_ones <- function(frame) response_weights_of_mean_one(frame) %||% response_weights_of_rows(frame)

# The weight of every row divided by the mean, or another function FUN, of the weights of its domain.
response_weights_by_domain <- function(frame, FUN = mean) {
  w <- response_weights_of_rows(frame)
  w / stats::ave(w, frame$domain, FUN = FUN)
}

# Weights, rows x responses, that sum to n for every response; with `balanced` each of its two classes has the sum n/2.
# NULL where all weights are 1.
response_weights_by_response <- function(frame, balanced) {
  if (!frame_rows_are_there(frame) || !balanced && is.null(frame$weights)) return(NULL)
  n <- frame_rows_count(frame)
  if (!balanced) return(matrix(response_weights_of_mean_one(frame), n,
                               if (nlevels(frame$y) > 2) nlevels(frame$y) else 1L))
  w <- response_weights_of_rows(frame)
  up <- response_matrix(frame$y) > 0
  total <- colSums(w * up)
  v <- w * n / 2 / ifelse(up, rep(total, each = n), rep(sum(w) - total, each = n))
  matrix(v, n, ncol(up))
}

# The second central moments of a cell (moments-cells.R): weighted means of products about the means.
response_weights_cell_covariance <- function(cell) cell$cross / cell$weight

# The term of the weights in twice the Gaussian log-likelihood: the sum of log(v_i), v being the weights scaled to
# sum n. NA for moments without `log_weight`.
response_weights_log_term <- function(frame) {
  if (frame_rows_are_there(frame)) {
    return(if (is.null(frame$weights)) 0 else sum(log(response_weights_of_mean_one(frame))))
  }
  all <- moments_object_total(frame$moments)
  all$log_weight + all$n * log(all$n / all$weight)
}

# The same term for weights with the same sum in every one of the K domains: v_i = (n/K) w_i / W_k for row i of domain
# k, where W_k is the sum of w in it.
response_weights_log_term_by_domain <- function(frame) {
  n <- frame_rows_by_domain(frame)
  sums <- if (!is.null(frame$weights)) rowsum(response_weights_of_mean_one(frame), as.integer(frame$domain))[, 1] else
    if (frame_rows_are_there(frame)) n else frame_rows_by_domain(frame, "weight")
  sums <- sums * (sum(n) / sum(sums))
  response_weights_log_term(frame) + sum(n * log(sum(n) / (length(n) * sums)))
}

# The weighted mean over rows; of a matrix, of the means of its rows.
response_weights_mean <- function(value, weights) {
  if (is.matrix(value)) value <- rowMeans(value)
  sum(weights * value) / sum(weights)
}

# The standard error over rows of a weighted mean, NA of one row.
response_weights_mean_se <- function(value, weights) {
  n <- length(value)
  if (n < 2L) return(NA_real_)
  sqrt(sum((weights * (value - response_weights_mean(value, weights)))^2) * n / (n - 1)) / sum(weights)
}

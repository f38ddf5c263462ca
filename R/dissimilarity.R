#' May I borrow? Sources against the target, one by one
#'
#' For every source domain: how far its coefficients are from the target's, whether there is
#' evidence of anything in common, and what borrowing does to the prediction of the target's rows.
#'
#' @section What decides: `lr`, the log likelihood ratio of coefficients with a common component
#'   (the hierarchical model of [tlcp()], feature scales 1, for target and source) against unrelated
#'   ones. Where there is none, twice the ratio is 0 half of the time and else a chi squared with
#'   one degree of freedom, roughly, so its 5 % point is at 1.35; above it the source is called
#'   `safe`. For all sources together the ratio is of the target sharing the
#'   sources' component against standing alone beside them, as sources that agree with each other
#'   are no reason for the target to borrow. In simulations with 1 to 9 sources 2 to 7 % of
#'   targets with coefficients of their own passed 1.35, none with flipped signs, and 95 to 99 % of
#'   those that had the sources' coefficients; of single sources 4 to 9 %, none, and 95 %
#'   (`Rscript bench/tlcp.R guard` in the package's repository). The paper's relative dissimilarity
#'   \eqn{|\hat w_1 - \hat w_2|/|\hat w_1|} (section 5.4: borrow below about 1 to 2) is shown with
#'   what noise adds to it taken off, but below 2 it let pass 67 to 92 % of the unrelated and 45 %
#'   of the flipped there, so it does not decide.
#'
#' @param x,y,domain,target,weights,formula,data,subset,na.action,sparse As in [tlcp()].
#' @param draws Draws of the parametric bootstrap behind the interval of `relative`, which uses R's
#'   random numbers; 0: no interval and no random numbers.
#' @param standardize,intercept,sigma2 As in [tlcp()].
#' @param ... Arguments from `target` on. Others are errors.
#' @returns A data frame of class `"transfer_dissimilarity"`, a row a source in the order of levels:
#'   `source`, `n`; `tau`, the standard deviation of the difference of a coefficient between target
#'   and source (in z-scores, by marginal likelihood; .0014 is the smallest, which is "no
#'   difference seen"); `relative`, `lower`, `upper` (the relative
#'   dissimilarity and its 95 % bootstrap interval; `NA` where a domain has too few rows for least
#'   squares); `lr`, `safe`; `own`, `pooled`, `borrowed`: mean squared leave-one-out errors of the
#'   target's rows by least squares of the target, of both domains together (each in its z-scores),
#'   and by borrowing from this source with all features kept (what is estimated of variances being
#'   held); `NA` from moments. Attributes `target` and `joint`, a data frame of one row: `lr` and
#'   `borrowed` with all sources at once.
#'
#'   `sort()` orders the rows by `by`, a column; `plot()` draws `lr`, and the errors as shares of
#'   `own`.
#' @references Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information
#'   criteria-based feature selection. *Journal of Machine Learning Research* 23, section 5.4.
#'   \doi{10.48550/arXiv.2107.02847}
#' @seealso [tlcp()]
#' @examples
#' aq <- na.omit(airquality)
#' set.seed(1)
#' d <- dissimilarity(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' d
#' sort(d, by = "borrowed")
#' plot(d)
#' @export
dissimilarity <- function(x, ...) UseMethod("dissimilarity")

#' @rdname dissimilarity
#' @export
dissimilarity.default <- function(x, y, domain, ..., weights = NULL) {
  call <- rlang::current_env()
  if (missing(domain)) abort_no_domain("Give the domain of each row of {.arg x}.", call)
  dissimilarity(frame_default(x, y, weights = weights, domain = domain, call = call), ...)
}

#' @rdname dissimilarity
#' @export
dissimilarity.formula <- function(formula, data, domain, ..., weights, subset, na.action,
                                  sparse = FALSE) {
  call <- rlang::current_env()
  if (missing(domain)) {
    abort_no_domain("Name the column of {.arg data} that says where each row comes from.", call)
  }
  matched <- match.call()
  dissimilarity(frame_formula(
    formula, data,
    extras = as.list(matched[intersect(c("weights", "subset", "domain"), names(matched))]),
    na_action = if (missing(na.action)) getOption("na.action") else na.action,
    sparse = sparse, env = parent.frame(), call = call
  ), ...)
}

abort_no_domain <- function(mend, call) {
  abort_input("{.arg domain} is missing.", "domain", i = mend, call = call)
}

#' @rdname dissimilarity
#' @export
dissimilarity.transfer_frame <- function(x, ..., target = NULL, draws = 200, standardize = TRUE,
                                         intercept = TRUE, sigma2 = NULL) {
  call <- rlang::caller_env()
  rlang::check_dots_empty(call = call)
  refuse_for_tlcp(x, call)
  if (is.null(x$domain)) abort_no_domain("Give the domain of each row of {.arg x}.", call)
  x$domain <- used_levels(x$domain)
  target <- check_target(target, levels(x$domain), call)
  check_sources(levels(x$domain), call)
  intercept <- check_flag(intercept, "intercept", call) && x$intercept
  scaling <- task_scaling(check_flag(standardize, "standardize", call), FALSE)
  tasks <- frame_tasks(x, target, scaling, intercept, call)
  own <- which(x$domain == target)
  rows <- list(x = as.matrix(x$x[own, , drop = FALSE]), y = response_matrix(x$y)[own, 1],
               w = frame_weights(x)[own])
  dissimilarity_table(tasks, rows, draws, intercept, sigma2, call)
}

#' @rdname dissimilarity
#' @export
dissimilarity.moments <- function(x, ..., target = NULL, draws = 200, standardize = TRUE,
                                  intercept = TRUE, sigma2 = NULL) {
  call <- rlang::current_env()
  rlang::check_dots_empty()
  domains <- names(moments_domains(x))
  target <- check_target(target, domains, call)
  check_sources(domains, call)
  intercept <- check_flag(intercept, "intercept", call) && x$intercept
  scaling <- task_scaling(check_flag(standardize, "standardize", call), FALSE)
  tasks <- moments_tasks(x, target, scaling, intercept, call)
  dissimilarity_table(tasks, NULL, draws, intercept, sigma2, call)
}

check_sources <- function(domains, call) {
  if (length(domains) < 2) {
    abort_input("There is one domain: {.val {domains}}.", "domain",
                i = "Give rows of the target and of at least one source.", call = call)
  }
}

# ---- the figures ---------------------------------------------------------------------------------

dissimilarity_table <- function(tasks, rows, draws, intercept, sigma2, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE)
  p <- length(tasks[[1]]$g)
  varies <- which(diag(tasks[[1]]$G) > 0)
  if (!length(varies)) {
    abort_input("No column of {.arg x} varies in domain {.val {tasks[[1]]$name}}.", "x",
                i = "There is nothing to compare.", call = call)
  }
  rows <- scaled_target(rows, tasks[[1]], varies)
  tasks <- lapply(tasks, task_columns, varies, intercept)
  s2 <- residual_variances(tasks, sigma2, call)$s2
  unit <- tasks[[1]]$y_scale^2
  own <- loo_own(tasks[1], s2[1], rows, intercept) * unit
  pairs <- lapply(seq_along(tasks)[-1], function(t) {
    compare_pair(tasks[c(1, t)], s2[c(1, t)], rows, draws, intercept, call)
  })
  take <- function(name) vapply(pairs, `[[`, 0, name)
  out <- data.frame(
    source = vapply(tasks[-1], `[[`, "", "name"), n = vapply(tasks[-1], `[[`, 0, "n"),
    tau = take("tau"), relative = take("relative"), lower = take("lower"), upper = take("upper"),
    lr = take("lr"), safe = take("lr") > LR_SAFE, own = own, pooled = take("pooled") * unit,
    borrowed = take("borrowed") * unit, row.names = NULL
  )
  joint <- data.frame(lr = likelihood_ratio(tasks, s2, call),
                      borrowed = loo_borrowed(tasks, s2, rows, intercept, call) * unit)
  structure(out, class = c("transfer_dissimilarity", "data.frame"), target = tasks[[1]]$name,
            joint = joint)
}

compare_pair <- function(tasks, s2, rows, draws, intercept, call) {
  pair <- borrow_fit(tasks, s2, scales = FALSE, prior = FALSE, alone = TRUE, call = call)
  both <- pooled_task(tasks, list(intercept = intercept))
  c(
    list(tau = sqrt(sum(pair$tau2)), lr = ratio_from(pair, tasks, s2, call),
         pooled = loo_own(list(both), s2[1], rows, intercept),
         borrowed = loo_borrowed(tasks, s2, rows, intercept, call)),
    relative_distance(tasks, s2, draws)
  )
}

# |w_1 - w_2|/|w_1|, squares less what noise adds to them, with a parametric bootstrap interval.
relative_distance <- function(tasks, s2, draws) {
  p <- length(tasks[[1]]$g)
  whole <- all(vapply(tasks, function(t) length(t$fit$kept) == p, NA))
  if (!whole) return(list(relative = NA_real_, lower = NA_real_, upper = NA_real_))
  V <- Map(fit_variance, tasks, s2)
  noise <- vapply(V, function(v) sum(diag(v)), 0)
  ratio <- function(w1, w2) {
    apart <- max(sum((w1 - w2)^2) - sum(noise), 0)
    sqrt(apart / max(sum(w1^2) - noise[1], noise[1] / p))
  }
  w <- lapply(tasks, function(t) t$fit$coef)
  interval <- c(NA_real_, NA_real_)
  if (draws > 0) {
    # estimates vary more than the truth does: draws are about estimates of the likely size
    towards <- function(v, noise) v * sqrt(max(1 - noise / sum(v^2), 0))
    first <- towards(w[[1]], noise[1])
    centre <- list(first, first - towards(w[[1]] - w[[2]], sum(noise)))
    factor <- lapply(V, chol)
    drawn <- replicate(draws, {
      moved <- Map(function(w, R) w + drop(stats::rnorm(p) %*% R), centre, factor)
      ratio(moved[[1]], moved[[2]])
    })
    interval <- unname(stats::quantile(drawn, c(.025, .975)))
  }
  list(relative = ratio(w[[1]], w[[2]]), lower = interval[1], upper = interval[2])
}

# ---- leave-one-out -------------------------------------------------------------------------------

# The target's rows as its task has them.
scaled_target <- function(rows, task, columns) {
  if (is.null(rows)) return(NULL)
  x <- (rows$x[, columns, drop = FALSE] - rep(task$x_mean[columns], each = nrow(rows$x))) /
    rep(task$x_scale[columns], each = nrow(rows$x))
  w <- rows$w / mean(rows$w)
  list(x = x * sqrt(w), y = (rows$y - task$y_mean) / task$y_scale * sqrt(w), w = w)
}

# Mean squared leave-one-out error of w = A^-1 b where row i has the share x_i x_i'/s2 of A; the
# intercept adds w_i/n to the leverage.
loo_error <- function(A, b, s2, rows, intercept) {
  solved <- factor_solve(chol.default(A), cbind(b, t(rows$x)))
  residual <- rows$y - drop(rows$x %*% solved[, 1])
  leverage <- rowSums(rows$x * t(solved[, -1, drop = FALSE])) / s2 +
    if (intercept) rows$w / sum(rows$w) else 0
  if (any(leverage > 1 - 1e-10)) return(NA_real_)
  sum((residual / (1 - leverage))^2) / sum(rows$w)
}

loo_own <- function(tasks, s2, rows, intercept) {
  task <- tasks[[1]]
  if (is.null(rows) || length(task$fit$kept) < length(task$g)) return(NA_real_)
  loo_error(task$G / s2, task$g / s2, s2, rows, intercept)
}

loo_borrowed <- function(tasks, s2, rows, intercept, call) {
  if (is.null(rows)) return(NA_real_)
  strength <- strength_hierarchical(tasks, s2, 2, TRUE, call)
  form <- quadratic_form(tasks, strength, "target")
  rows$x <- rows$x * rep(sqrt(strength$scales), each = nrow(rows$x))
  loo_error(form$A, form$b, s2[1], rows, intercept)
}

# ---- verbs --------------------------------------------------------------------------------------

#' @rdname dissimilarity
#' @param digits Digits to print.
#' @export
print.transfer_dissimilarity <- function(x, digits = 3, ...) {
  cat("Target ", attr(x, "target"), ": may it borrow?\n\n", sep = "")
  table <- as.data.frame(x)
  table$interval <- ifelse(is.na(table$lower), "",
                           paste0("[", signif(table$lower, digits), ", ",
                                  signif(table$upper, digits), "]"))
  table$safe <- ifelse(table$safe, "yes", "no")
  shown <- c("source", "n", "tau", "relative", "interval", "lr", "safe", "own", "pooled",
             "borrowed")
  print(format_table(without_empty(table[shown]), digits), row.names = FALSE)
  joint <- attr(x, "joint")
  cat("\nAll sources together: log likelihood ratio ", format(joint$lr, digits = digits),
      if (!is.na(joint$borrowed)) paste0(", leave-one-out error ",
                                         format(joint$borrowed, digits = digits)),
      "\nsafe: log likelihood ratio above ", LR_SAFE,
      "; own, pooled, borrowed: leave-one-out errors\n",
      sep = "")
  if (anyNA(x$own) && !is.na(joint$borrowed)) {
    cat("own: not defined, since a row decides a coefficient alone or there are too few rows\n")
  }
  invisible(x)
}

#' @export
as.data.frame.transfer_dissimilarity <- function(x, ...) {
  attr(x, "target") <- attr(x, "joint") <- NULL
  class(x) <- setdiff(class(x), "transfer_dissimilarity")
  x
}

# Without its columns it is a data frame like any other.
#' @export
`[.transfer_dissimilarity` <- function(x, ...) {
  out <- NextMethod()
  whole <- is.data.frame(out) && identical(names(out), names(x))
  if (whole) out else as.data.frame.transfer_dissimilarity(out)
}

#' @rdname dissimilarity
#' @param decreasing,by Which way and by which column to sort.
#' @export
sort.transfer_dissimilarity <- function(x, decreasing = FALSE, by = "tau", ...) {
  by <- check_choice(by, names(x), "by", rlang::current_env())
  order <- order(x[[by]], decreasing = decreasing)
  sorted <- as.data.frame(x)[order, , drop = FALSE]
  row.names(sorted) <- NULL
  structure(sorted, class = class(x), target = attr(x, "target"), joint = attr(x, "joint"))
}

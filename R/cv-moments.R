# Cross-validation from second moments: of a moments object, and of rows where they are many.

# The fold of every cell: those of the object, or its domains; NA of those that are not held out.
moments_folds <- function(m, by, path, call) {
  names <- as.character(if (identical(by, "domain")) m$cells$domain else m$cells$fold)
  folds <- unique(names)
  left <- if (identical(by, "domain") && !is.null(path$domains)) setdiff(folds, path$domains)
  if (length(left)) {
    tell_not_held_out(left)
    folds <- setdiff(folds, left)
  }
  if (anyNA(folds) || length(folds) < 2) {
    abort_input("{.arg x} has fewer than two {if (is.null(by)) 'folds' else 'domains'}.", "by",
                i = "Give {.arg fold} to {.fn moments}, or {.code by = \"domain\"}.", call = call)
  }
  # a model for one domain is tried on that domain's rows; the others' stay in every training part
  own <- if (is.null(path$target)) TRUE else m$cells$domain %in% path$target
  names[!(own & names %in% folds)] <- NA
  names
}

# folds x (points, averages): the mean squared errors of the cells `held_out`, by paths of the others.
losses_of_moments <- function(m, held_out, plan, call) {
  out <- do.call(rbind, run_folds(held_out, m, plan, list(parallel = FALSE, call = call))) # a fit takes milliseconds
  dimnames(out) <- list(names(held_out), score_names(plan$grid))
  out
}

#' @export
fold_scores.moments <- function(data, fold, plan) {
  path <- fold_path(moment_cells(data, -fold$held_out), plan)
  out <- moments_total(data, fold$held_out)
  y <- length(out$mean)
  x <- seq_len(y - 1)
  unlist(at_grid(path, plan$grid, function(step, lambda) {
    model <- path_model(path, step, lambda)$y
    beta <- as.matrix(model$beta)
    spread <- out$cross[y, y] - 2 * drop(out$cross[y, x] %*% beta) +
      colSums(beta * (out$cross[x, x, drop = FALSE] %*% beta))
    shift <- out$mean[y] - model$a0 - drop(out$mean[x] %*% beta)
    unname(spread / out$weight + shift^2)
  }))
}

# ---- rows, by way of their moments ------------------------------------------------------------------

ROWS_A_NUMBER <- 10 # rows for every number in the means of the cells: with fewer, moments are not tried
MOMENTS_AGREE <- 1e-10 # relative difference of two fits that are the same but for rounding
LOSS_LEFT <- 1e-4      # share of the response's variance below which a loss loses too many digits

# The losses of loss_by_fold() from the second moments of the cells (domain, fold) of the rows: one
# pass, and a fit of p x p numbers a fold. NULL where rows are needed: where they are not many, and where
# the method, given the moments of all rows, does not repeat the path of the rows. The latter is what
# decides, since `fit` may be a function of the user's.
loss_by_moments <- function(frame, fold, plan, path, ahead) {
  if (!numbers_alone(frame)) return(NULL)
  # the domains that a target borrows from are in no fold
  by_domain <- !is.null(plan$by)
  cells <- if (!by_domain) if (identical(fold, ahead$fold)) fold else addNA(fold, ifany = TRUE)
  m <- if (!is.null(ahead) && identical(cells, ahead$fold)) ahead$moments else moments_of_frame(frame, cells)
  if (is.null(m)) return(NULL)
  # this trial fit may be of no use, and `fit` may draw: the state of the caller's generator is restored after it
  seed <- current_seed()
  repeats <- repeats_path(m, path, plan)
  restore_seed(seed)
  if (!repeats) return(NULL)
  names <- if (by_domain) m$cells$domain else m$cells$fold
  held_out <- lapply(stats::setNames(nm = levels(fold)), function(f) which(names == f))
  out <- losses_of_moments(m, held_out, plan, plan$call)
  judged <- moments_total(m, unlist(held_out))
  y <- nrow(judged$cross)
  variance <- cell_covariance(judged)[y, y]
  if (isTRUE(all(out > LOSS_LEFT * variance))) return(out)
  restore_seed(seed)
  NULL
}

# The moments for loss_by_moments(), added up before the first fit, which then needs no pass of its own over the
# rows: list(fold, foldid, drawn, moments), `fold` NULL where domains are left out, `drawn` the folds if they are
# drawn here. NULL where rows are not many, or where the path has to say first which folds there are.
moments_ahead <- function(frame, settings) {
  loss <- settings$loss %||% "mse"
  judged <- rlang::is_string(loss, c("mse", "deviance")) && !settings$keep_predictions
  if (!judged || !numbers_alone(frame)) return(NULL)
  foldid <- settings$foldid
  drawn <- NULL
  if (!is.null(frame$domain)) {
    if (!is.null(foldid) || identical(settings$by, "rows")) return(NULL)
  } else if (identical(settings$by, "domain")) {
    return(NULL)
  } else if (!is.null(foldid)) {
    foldid <- drop_unused_rows(foldid, frame)
    if (!is.atomic(foldid) || length(foldid) != frame_nobs(frame) || anyNA(foldid)) return(NULL)
  } else {
    if (!many_rows(frame, settings$nfolds)) return(NULL)
    foldid <- drawn <- make_folds(response_for_folds(frame), settings$nfolds)
  }
  fold <- if (!is.null(foldid)) quick_factor(foldid)
  list(fold = fold, foldid = foldid, drawn = drawn, moments = moments_of_frame(frame, fold))
}

many_rows <- function(frame, cells) frame_nobs(frame) >= ROWS_A_NUMBER * cells * (ncol(frame$x) + 1)

# Is the response one column of numbers, and does the method see nothing but that and the columns of x?
numbers_alone <- function(frame) {
  is.null(dim(frame$y)) && is.numeric(frame$y) && !by_likelihood(frame$family) &&
    is.null(frame$sources) && is.null(frame$offset) && is.null(frame$strata) && !is_mapped(frame)
}

# NULL where the rows are not many for every cell (domain, fold), or cannot be added up.
moments_of_frame <- function(frame, fold) {
  if (!many_rows(frame, max(nlevels(frame$domain), 1) * max(nlevels(fold), 1))) return(NULL)
  columns <- all_labels(frame$blueprint)
  start <- proc.time()[["elapsed"]]
  tryCatch({
    sums <- add_up(frame$x, frame$y, domain = frame$domain, fold = fold, weights = frame$weights, columns = columns,
                   response = "y", call = quote(fit()))
    model <- list(columns = columns, response = "y", blueprint = frame$blueprint,
                  intercept = frame$intercept)
    if (sums$dropped == 0) new_moments(sums, model, "matrix", start)
  }, transelect_error = function(error) NULL)
}

# Does the fit to moments equal the fit to their rows, to rounding?
repeats_path <- function(m, path, plan) {
  again <- tryCatch(
    suppressWarnings(suppressMessages(refit(plan$path, m))),
    error = function(error) NULL
  )
  alike <- function(a, b) {
    identical(dim(a), dim(b)) && isTRUE(max(abs(a - b)) <= MOMENTS_AGREE * max(abs(a), 0))
  }
  !is.null(again) && identical(class(again), class(path)) &&
    identical(again$points$step, path$points$step) &&
    alike(path$beta, again$beta) && alike(cbind(path$a0), cbind(again$a0)) &&
    alike(cbind(path$average$a0, 0), cbind(again$average$a0, 0)) &&
    (is.null(path$average) || alike(path$average$beta, again$average$beta))
}

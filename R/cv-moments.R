# Cross-validation from second moments: those of a moments object, or of rows where there are many.

# The fold of every cell: that of the object, or its domain; NA where the cell is never held out.
cv_moments_folds <- function(m, by, path, call) {
  names <- as.character(if (identical(by, "domain")) m$cells$domain else m$cells$fold)
  folds <- unique(names)
  left <- if (identical(by, "domain") && !is.null(path$domains)) setdiff(folds, path$domains)
  if (length(left)) {
    cv_fold_tell_not_held_out(left)
    folds <- setdiff(folds, left)
  }
  if (anyNA(folds) || length(folds) < 2) {
    abort_input("{.arg x} has fewer than two {if (is.null(by)) 'folds' else 'domains'}.", "by",
                i = "Give {.arg fold} to {.fn moments}, or {.code by = \"domain\"}.", call = call)
  }
  # the model of a target is tried on rows of the target; the other domains are in every training part
  of_target <- if (is.null(path$target)) TRUE else m$cells$domain %in% path$target
  names[!(of_target & names %in% folds)] <- NA
  names
}

# folds x (points, averages): the mean squared errors of the cells `held_out`, by paths of the others.
cv_moments_losses <- function(m, held_out, plan, call) {
  losses <- do.call(rbind, cv_refit_run(held_out, m, plan, list(parallel = FALSE, call = call))) # fits are fast
  dimnames(losses) <- list(names(held_out), cv_scores_point_names(plan$grid))
  losses
}

#' @export
cv_refit_fold_scores.moments <- function(data, fold, plan) {
  path <- cv_refit_fold_path(moments_object_cells(data, -fold$held_out), plan)
  total <- moments_object_total(data, fold$held_out)
  x <- seq_along(data$columns)
  loss <- function(model, y) {
    beta <- as.matrix(model$beta)
    spread <- total$cross[y, y] - 2 * drop(total$cross[y, x] %*% beta) +
      colSums(beta * (total$cross[x, x, drop = FALSE] %*% beta))
    shift <- total$mean[y] - model$a0 - drop(total$mean[x] %*% beta)
    unname(spread / total$weight + shift^2)
  }
  unlist(cv_scores_over_grid(path, plan$grid, function(step, lambda) {
    losses <- Map(loss, path_model(path, step, lambda), length(x) + seq_along(data$response))
    Reduce(`+`, losses) / length(losses)
  }))
}

MOMENTS_AGREE <- 1e-10 # root mean square difference of predictions by fits that are equal up to rounding: at most this
                       # many standard deviations of the response
LOSS_LEFT <- 1e-4      # a loss of at most this share of the response's variance loses too many digits

# The losses of cv_summary_fold_losses() from the second moments of the rows by cell (domain and fold): one pass over
# the rows, and for each fold a fit to moments. NULL where rows are needed: where there are not many, where the path
# from the moments of all rows is not that of the rows, which is tried since `fit` may be a function of the user's,
# where the mean of a response is far from 0 in its standard deviations, where columns are close to dependent in the
# training rows of a fold, where predictions of held-out rows are bounded, and where losses are too small (LOSS_LEFT).
cv_moments_loss_of_rows <- function(frame, fold, plan, path, loss, settings, ahead) {
  if (!loss$name %in% c("mse", "deviance") || settings$keep_predictions || !frame_rows_are_many(frame, 2) ||
        !cv_moments_numbers_alone(frame)) {
    return(NULL)
  }
  by_domain <- !is.null(plan$by)
  m <- cv_moments_by_fold(frame, if (!by_domain) fold, ahead)
  if (is.null(m)) return(NULL)
  total <- moments_object_total(m)
  far <- abs(total$mean[-seq_along(m$columns)]) > FAR_FROM_0 * sqrt(cv_moments_response_variances(m, total))
  if (any(far)) return(NULL)
  # the trial fit may draw random numbers: the state of the caller's generator is restored after it
  seed <- cv_refit_seed()
  repeats <- cv_moments_same_predictions(m, path, plan, total)
  cv_refit_restore_seed(seed)
  if (!repeats) return(NULL)
  names <- if (by_domain) m$cells$domain else m$cells$fold
  held_out <- lapply(stats::setNames(nm = levels(fold)), function(f) which(names == f))
  for (cells in held_out) if (!cv_moments_far_from_dependent(m, cells, path$target)) return(NULL)
  if (path_bound_binds(frame, fold, path$bound %||% Inf)) return(NULL)
  losses <- cv_moments_losses(m, held_out, plan, plan$call)
  judged <- if (all(names %in% levels(fold))) total else moments_object_total(m, unlist(held_out))
  variance <- mean(cv_moments_response_variances(m, judged))
  if (isTRUE(all(losses > LOSS_LEFT * variance))) return(losses)
  cv_refit_restore_seed(seed)
  NULL
}

# Are the features far from linearly dependent in the training rows, and in those of the target? If not, two of them may
# serve equally well, and rounding decides between them. held_out: cells of the moments m. (Predictions of linear models
# are combinations of the features; they have a ridge.)
cv_moments_far_from_dependent <- function(m, held_out, target) {
  x <- seq_len(m$blueprint$p)
  trained <- setdiff(seq_along(m$cross), held_out)
  of_target <- if (!is.null(target)) trained[m$cells$domain[trained] %in% target]
  for (cells in list(trained, of_target)) {
    if (!length(cells)) next
    cross <- moments_object_total(m, cells)$cross[x, x, drop = FALSE]
    varying <- diag(cross) > 0
    if (any(varying) && rcond(stats::cov2cor(cross[varying, varying, drop = FALSE])) < 1 / FAR_FROM_0) return(FALSE)
  }
  TRUE
}

# The variance of every response in `all`, a cell of the moments m.
cv_moments_response_variances <- function(m, all) diag(response_weights_cell_covariance(all))[-seq_along(m$columns)]

# The moments of the rows by domain and fold. fold: NULL where folds are domains; NA for rows that are never held out,
# such as those of other domains than the target, whose cells `ahead` may have. NULL where there are not many rows.
cv_moments_by_fold <- function(frame, fold, ahead) {
  m <- ahead$moments
  if (!is.null(m) && identical(fold, ahead$fold)) return(m)
  if (!anyNA(fold)) return(cv_moments_of_frame(frame, fold))
  with_fold <- which(!is.na(fold))
  inside <- tabulate(frame$domain[with_fold], nlevels(frame$domain))
  apart <- inside == 0 | inside == tabulate(frame$domain, nlevels(frame$domain))
  if (is.null(m) || !all(apart)) return(cv_moments_of_frame(frame, addNA(fold)))
  domains <- levels(frame$domain)[inside > 0]
  inner <- m$cells$domain %in% domains
  known <- match(levels(fold), levels(ahead$fold))[fold[with_fold]]
  held_out <- if (!is.null(ahead$fold) && identical(known, as.integer(ahead$fold)[with_fold])) {
    moments_object_cells(m, inner)
  } else {
    cv_moments_of_frame(frame_rows_of_domains(frame, domains), fold[with_fold])
  }
  if (is.null(held_out)) return(NULL)
  others <- moments_object_domains(moments_object_cells(m, !inner))
  labels <- table_data_frame(list(domain = names(others), fold = rep(NA_character_, length(others))))
  others <- list(labels = labels, cells = unname(others), dropped = 0, lost = character())
  moments_object_filled(held_out, moments_cells_join_sums(moments_object_sums(held_out), others))
}

# The moments for cv_moments_loss_of_rows(), added up before the fit to all rows, which then needs no pass over the
# rows: list(fold, foldid, drawn, seed, moments). fold: NULL where cells are domains; drawn: NULL, or the folds if they
# are drawn here, and the state of the generator after that; the caller's state is restored. NULL where there are not
# many rows, or where folds depend on the path.
cv_moments_ahead <- function(frame, settings) {
  loss <- settings$loss %||% "mse"
  judged <- rlang::is_string(loss, c("mse", "deviance")) && !settings$keep_predictions
  if (!judged || !frame_rows_are_many(frame, 2) || !cv_moments_numbers_alone(frame) ||
        !response_has_fractions(frame$y)) {
    return(NULL)
  }
  before <- cv_refit_seed()
  on.exit(cv_refit_restore_seed(before))
  foldid <- settings$foldid
  drawn <- NULL
  if (!is.null(foldid)) {
    foldid <- cv_fold_drop_unused_rows(foldid, frame)
    if (!is.atomic(foldid) || length(foldid) != frame_rows_count(frame) || anyNA(foldid)) return(NULL)
  } else if (is.null(frame$domain) || identical(settings$by, "rows")) {
    if (identical(settings$by, "domain") || !frame_rows_are_many(frame, settings$nfolds)) return(NULL)
    foldid <- drawn <- make_folds(cv_fold_balanced_response(frame), settings$nfolds, frame$domain)
  }
  fold <- if (!is.null(foldid)) table_factor(foldid)
  seed <- cv_refit_seed()
  list(fold = fold, foldid = foldid, drawn = drawn, seed = seed, moments = cv_moments_of_frame(frame, fold))
}

# The folds that were drawn ahead, the state of the generator being that after drawing them. Folds are drawn after the
# fit: NULL where other ones would be drawn then, since the fit drew random numbers or is for a target. whole: of
# cv_frame_whole().
cv_moments_drawn_folds <- function(ahead, whole) {
  for_target <- !is.null(whole$path$target) && !is.null(whole$frame$domain)
  if (is.null(ahead$drawn) || whole$drew || for_target) return(NULL)
  cv_refit_restore_seed(ahead$seed)
  ahead$drawn
}

# May moments stand for the rows: are the responses numbers without a likelihood or strata, is x a matrix, and have the
# sources, if any, predictions? (With estimates as sources, rounding of moments would change the result by more than
# rounding: the search for the maximum of their likelihood would end elsewhere.)
cv_moments_numbers_alone <- function(frame) {
  is.numeric(frame$y) && !likelihood_is_used(frame$family) && is.null(frame$strata) && !frame_is_mapped(frame) &&
    !sources_need_raw(frame$sources)
}

# The moments, by domain and fold, of the columns of x, the predictions of the sources, if they are known, and the
# responses less their offset. NULL where there are not many rows for these cells, or where they cannot be added up.
cv_moments_of_frame <- function(frame, fold) {
  if (!frame_rows_are_many(frame, max(nlevels(frame$domain), 1) * max(nlevels(fold), 1))) return(NULL)
  predictions <- frame$sources$values
  columns <- c(labels_of_all_columns(frame$blueprint), if (!is.null(predictions)) sources_label(frame$sources))
  x <- if (is.null(predictions)) frame$x else if (isS4(frame$x) || isS4(predictions)) cbind(frame$x, predictions) else
    list(frame$x, predictions)
  response <- colnames(frame$y) %||% "y"
  start <- proc.time()[["elapsed"]]
  tryCatch({
    sums <- moments_rows_add(x, response_less_offset(frame), domain = frame$domain, fold = fold,
                             weights = frame$weights,
                             columns = columns, response = response, call = quote(fit()))
    model <- list(columns = columns, response = response, blueprint = frame$blueprint, intercept = frame$intercept)
    if (sums$dropped > 0) return(NULL)
    m <- moments_object_new(sums, model, "matrix", start)
    if (!is.null(frame$sources)) m$sources <- frame_rows_of_sources(frame$sources, integer())
    m
  }, transelect_error = function(error) NULL)
}

# Does the path from the moments m predict their rows as the path from the rows does, up to rounding? total:
# moments_total(m).
cv_moments_same_predictions <- function(m, path, plan, total) {
  again <- tryCatch(
    suppressWarnings(suppressMessages(refit(plan$path, m))),
    error = function(error) NULL
  )
  x <- seq_along(m$columns)
  covariance <- response_weights_cell_covariance(total)[x, x, drop = FALSE]
  alike <- function(a0, b0, a, b, variance) {
    if (!identical(dim(a), dim(b))) return(FALSE)
    beta <- as.matrix(a - b)
    shift <- a0 - b0 + drop(total$mean[x] %*% beta)
    isTRUE(all(colSums(beta * (covariance %*% beta)) + shift^2 <= MOMENTS_AGREE^2 * variance))
  }
  all_alike <- function(one, other) {
    all(unlist(Map(alike, path_object_by_response(one$a0), path_object_by_response(other$a0),
                   path_object_by_response(one$beta), path_object_by_response(other$beta),
                   cv_moments_response_variances(m, total))))
  }
  !is.null(again) && identical(class(again), class(path)) && identical(again$points$step, path$points$step) &&
    all_alike(path, again) && (is.null(path$average) || all_alike(path$average, again$average))
}

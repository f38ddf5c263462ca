# The fit of greedytl(): from checked settings to the kernel's paths.

# The kernel's path at the steps at which groups are whole: `size` has the columns in at each step from 1
# on, `first` the place of the first of those that entered.
greedytl_fit_whole_steps <- function(r) {
  r$size <- r$ends[-1]
  r$first <- r$ends[-length(r$ends)] + 1L
  if (identical(r$size, seq_along(r$entered))) return(r)
  for (name in c("objective", "rss", "df", "loo", "accuracy", "a0")) r[[name]] <- r[[name]][r$ends + 1L]
  take <- sequence(r$size, r$size * (r$size - 1L) / 2 + 1)
  r$row <- r$row[take]
  r$coef <- r$coef[take]
  r$gain <- as.vector(rowsum(r$gain, rep(seq_along(r$size), diff(r$ends)), reorder = FALSE))
  r
}

# From checked settings to the path object.
greedytl_fit <- function(frame, settings, call) {
  frame <- unclass(frame) # for a faster `$`
  coded <- response_matrix(frame$y)
  v <- response_weights_by_response(frame, settings$classes && settings$class_weights == "balanced")
  drawn <- if (!is.null(frame$sources)) greedytl_fit_sources(frame)
  blocks <- c(list(frame_rows_block(frame)), if (!is.null(drawn)) list(drawn$block))
  dense <- is.matrix(frame$x) && !isS4(frame$sources$values)
  gram <- if (dense && !settings$candidates) frame_moments_frame_gram(frame, settings$intercept)
  draws <- if (settings$candidates) stats::runif(settings$candidates * settings$max_steps)
  found <- progress_during("Evidence of pairs of ridges", .Call(C_greedytl, blocks, coded, v, gram, settings, draws))
  if (!is.null(drawn) && length(drawn$failed())) sources_abort(drawn$failed(), call)
  if (found$status != 0) greedytl_fit_abort(found, frame, call)
  if (frame_is_mapped(frame)) { # the products that entered become the only features
    width <- frame_rows_width(frame)
    used <- table_distinct_columns(unlist(lapply(found$paths, function(r) c(r$entered, r$mean_row + 1L))))
    used <- used[used <= width]
    here <- function(j) as.integer(ifelse(j <= width, match(j, used), j - width + length(used)))
    found$paths <- lapply(found$paths, function(r) {
      r$entered <- here(r$entered)
      r[c("row", "mean_row")] <- lapply(r[c("row", "mean_row")], function(row) here(row + 1L) - 1L)
      r
    })
    frame <- products_frame(frame, used)
  }
  whole <- lapply(found$paths, greedytl_fit_whole_steps)
  each <- seq_along(settings$lambda)
  paths <- lapply(seq_len(ncol(coded)), function(r) whole[(r - 1L) * length(each) + each])
  names(paths) <- colnames(coded)
  fit <- greedytl_object(frame, paths, settings, coded, v)
  path_bound_with_ranges(fit, frame, path_object_columns(fit), BOUND, asked = if (!is.null(drawn)) drawn$asked())
}

# list(block, failed, asked): the sources as the kernel takes them, values or a function that asks source j; and
# functions that say which of the sources asked have failed, and in which ranges their predictions are. The kernel gets
# a constant in place of a source that fails, so this source never enters and the path goes on; one error then names all
# sources that failed.
greedytl_fit_sources <- function(frame) {
  sources <- frame$sources
  failed <- character()
  asked_at <- integer()
  spans <- matrix(0, 2, 0)
  block <- sources$values
  if (sources_need_raw(sources)) {
    block <- list(as.double(sources$n_sources), function(j) {
      asked <- sources_predictions_or_failures(sources, j, frame$raw, frame_rows_count(frame))
      failed[names(asked$failed)] <<- asked$failed
      asked_at <<- c(asked_at, as.integer(j))
      known <- asked$values[is.finite(asked$values)]
      spans <<- cbind(spans, if (length(known)) range(known) else c(Inf, -Inf))
      drop(asked$values)
    })
  }
  list(block = block, failed = function() failed, asked = function() list(at = asked_at, spans = spans))
}

greedytl_fit_abort <- function(result, frame, call) {
  p <- frame_rows_width(frame)
  from_sources <- result$bad > p
  column_number <- result$bad - if (from_sources) p else 0
  if (from_sources) {
    column <- if (is.null(frame$sources$values)) NA else frame$sources$values[, column_number]
    label <- sources_label(frame$sources, column_number)
  } else {
    column <- products_frame_feature(frame, column_number)
    label <- products_frame_labels(frame, column_number)
  }
  status_abort(result$status, label, if (from_sources) "sources" else "x", column, call)
}

# New rows for predict(): their columns as the models of a path have them, their domains, and standard errors.

# The message about new rows: which columns, at most five, how far out in ranges, in how many rows. far: list(label,
# away, count, outside, bound), see path_bound_columns(); held_out: are the rows those of folds?
path_predict_tell_far <- function(far, held_out = FALSE) {
  first <- utils::head(order(-far$away), 5)
  rows <- sum(far$outside)
  count <- far$count[first]
  how <- paste0('"', far$label[first], '" by ', ifelse(count > 1, "up to ", ""), signif(far$away[first], 2), " (",
                vapply(count, words_counted, "", "row"), ")")
  more <- length(far$label) - length(first)
  all <- length(far$outside)
  tell(paste0(rows, " of ", if (held_out) words_counted(all, "held-out row") else paste(words_counted(all, "row"),
                                                                                        "of `newdata`"),
              if (rows > 1) " are" else " is", " far outside the ranges of the training rows",
              if (held_out) if (rows > 1) " of their folds" else " of its fold", ", in multiples of the range: ",
              paste(how, collapse = ", "), if (more) paste0(" and ", words_counted(more, "more column")), "."),
       paste(if (far$bound < Inf) {
         paste0("These columns were bounded at ", words_counted(far$bound, "range"),
                " outside; `bound = Inf` extrapolates.")
       } else {
         paste0("The predictions extrapolate; `bound = ", BOUND, "` bounds these columns.")
       }, "Look for other units, outliers or values that are rare in the training rows."),
       class = "transelect_message_bound")
}

# Says to a fold of cross-validation, if there is one, which of its held-out rows are bounded.
path_predict_signal_far <- function(far) {
  withRestarts(signalCondition(structure(class = c("transelect_far", "condition"),
                                         list(message = "held-out rows are far", call = NULL, far = far))),
               heard_far = function() NULL)
}

# Predictions of sources j for new rows: given, or asked from the models kept.
path_predict_source_values <- function(object, j, newdata, sources, n, call) {
  kept <- object$sources
  labels <- sources_label(kept, j)
  if (is.null(sources) && kept$kind == "models") {
    column <- match(j, kept$entered)
    kept$names <- sources_label(kept, kept$entered)
    asked <- sources_predictions_or_failures(kept, column, newdata, n, allow_missing = TRUE)
    if (length(asked$failed)) path_predict_abort_sources(asked$failed, object$blueprint, newdata, call)
    return(asked$values)
  }
  if (is.null(sources)) {
    abort_input("{.arg sources} is missing, but the model uses {.val {labels}}.", "sources",
                i = "Give a matrix of their predictions for the rows of {.arg newdata}.",
                call = call)
  }
  given <- sources_as(sources, n, call)
  given$response <- kept$response
  if (sources_need_raw(given)) given <- sources_evaluated(given, newdata, n, call)
  column <- match(labels, given$names)
  if (anyNA(column)) {
    abort_input("{.arg sources} lacks {.val {labels[is.na(column)]}}, which the model uses.", "sources",
                i = "Give these columns; they are matched by name.", call = call)
  }
  given$values[, column, drop = FALSE]
}

# The error where the models of the fit fail for new rows. Those that lack columns of the rows of the fit are the first
# to blame.
path_predict_abort_sources <- function(failed, blueprint, newdata, call) {
  lines <- sources_failure_lines(failed)
  of <- blueprint$base %||% blueprint
  lacking <- setdiff(names(of$variables) %||% of$columns, colnames(newdata) %||% names(newdata))
  if (!length(lacking)) {
    abort_input(
      "{lines[1]}", "sources", sources_failure_bullets(lines)[-1],
      i = "Give {.arg newdata} all columns that the sources use, of the kind that they had in the fit, or give the
           predictions as {.arg sources}.", call = call
    )
  }
  shown <- utils::head(lacking, 5)
  abort_input(
    "{.arg newdata} lacks {length(lacking)} column{?s} of the fit's data: {.val {shown}}.", "newdata",
    sources_failure_bullets(lines), i = "Give these columns: sources receive {.arg newdata} as it is.", call = call
  )
}

# The domain of each new row where paths have models by domain: names, NA for the common model, or NULL for the model
# that `domain` alone says.
path_predict_row_domains <- function(object, newdata, domain, call) UseMethod("path_predict_row_domains")

#' @export
path_predict_row_domains.transfer_path <- function(object, newdata, domain, call) NULL

# Numbered columns of new rows, as the models have them: list(z, level), see path_bound_columns(). told: is it said
# which rows are far from those of the fit?
path_predict_design <- function(object, columns, models, newdata, sources, bound, call, told = TRUE) {
  p <- object$blueprint$p
  from_x <- columns[columns <= p]
  from_sources <- columns[columns > p] - p
  framed <- inherits(newdata, "transfer_frame")
  z <- if (framed) {
    frame_map_design(object$blueprint, newdata)[, from_x, drop = FALSE]
  } else {
    frame_bake_columns(object$blueprint, from_x, newdata, call)
  }
  n <- nrow(z)
  z <- path_bound_with_tails(z, from_x, models[[1]]$tails)
  if (length(from_sources)) {
    odds <- object$sources$odds # the columns are made of the predictions of all sources that are not constant
    asked <- if (is.null(odds)) from_sources else which(odds != "constant")
    h <- if (framed && !sources_need_raw(newdata$sources)) {
      newdata$sources$values[, asked, drop = FALSE]
    } else if (framed) {
      sources_ask(newdata$sources, asked, newdata$raw, n, call)
    } else {
      path_predict_source_values(object, asked, newdata, sources, n, call)
    }
    if (!is.null(odds)) h <- sources_odds_columns(sources_odds_values(h, odds), odds)[, from_sources, drop = FALSE]
    z <- if (ncol(z)) cbind(z, h) else h
  }
  near <- path_bound_columns(object, columns, z, bound, told = told && !framed, call)
  if (told && !is.null(near$far)) {
    far <- c(list(label = path_object_term_names(object, near$far$column)), near$far)
    if (framed) path_predict_signal_far(far) else path_predict_tell_far(far)
  }
  near
}

# What path_predict_design() returns as a dense matrix.
path_predict_dense <- function(near) {
  z <- as.matrix(near$z)
  if (is.null(near$level)) z else z + rep(near$level, each = nrow(z))
}

# list(V, df, sigma): the covariance matrix of the coefficients of a step, with their names, its degrees of freedom, and
# the residual standard deviation. domain: that of the rows to be predicted, see path_predict_row_scores().
path_predict_covariance <- function(object, step, domain, call) UseMethod("path_predict_covariance")

#' @export
path_predict_covariance.transfer_path <- function(object, step, domain, call) {
  abort_input("Predictions of a {.fn {class(object)[1]}} fit have no standard errors.", "se.fit",
              i = "The columns were chosen on the same rows: standard errors after selection are not available.
                   {.code interval = \"conformal\"} gives intervals of new responses by refits,
                   {.fn selection_frequency} how often a column is chosen again, and {.code tlcp(select = FALSE)}
                   standard errors for columns decided on beforehand.", call = call)
}

# list(se, df, sigma): standard errors of the linear predictor of new rows, the rest as path_predict_covariance().
path_predict_score_errors <- function(object, newdata, model, domain, bound, call) {
  known <- path_predict_covariance(object, model$step, domain, call)
  labels <- path_object_term_names(object)
  columns <- sort(match(setdiff(rownames(known$V), "(Intercept)"), labels))
  X <- path_predict_dense(path_predict_design(object, columns, list(model), newdata, NULL, bound, call, told = FALSE))
  X <- X - if (object$family == "cox") rep(object$center[columns], each = nrow(X)) else 0
  order <- labels[columns]
  if ("(Intercept)" %in% rownames(known$V)) {
    X <- cbind(rep(1, nrow(X)), X) # there may be no rows
    order <- c("(Intercept)", order)
  }
  V <- known$V[order, order, drop = FALSE]
  list(se = sqrt(pmax(rowSums((X %*% V) * X), 0)), df = known$df, sigma = known$sigma)
}

# Classes of shareboost(), and what is said of a fit that ended early or has no optimum.

# For a fit without a ridge, whose weights may have no optimum. The next Newton step is nearly zero at an optimum. If
# it still moves the scores of rows away from another class, and hardly any scores towards one, the weights grow
# without end.
shareboost_fit_weights_still_grow <- function(rounds, frame, intercept) {
  if (is.null(rounds$ahead)) return(FALSE)
  k <- nlevels(frame$y)
  rounds$weights <- list(rounds$ahead)
  step <- shareboost_object_models(rounds, intercept, k)
  score <- shareboost_object_training_scores(step$weights[[1]], step$a0[, 1], rounds, frame)
  lead <- score[cbind(seq_len(nrow(score)), as.integer(frame$y))] - score
  isTRUE(max(lead) > GROWTH && min(lead) > -GROWTH * max(lead))
}

GROWTH <- .25 # change of a score in a Newton step; in the tail of exp() the change is near 1

# Whole numbers name classes; other numbers do not.
shareboost_fit_classes <- function(y, call) {
  if (!is.numeric(y) || !is.null(dim(y)) || !all(is.finite(y))) return(y)
  if (any(y != round(y))) {
    abort_input("{.arg y} is numeric, and not whole numbers.", "y",
                i = "Give a factor: {.fn shareboost} separates classes.", call = call)
  }
  response_refuse_many_classes(y, call)
  factor(y)
}

shareboost_fit_refuse_empty_classes <- function(y, call) {
  rows <- tabulate(y, nlevels(y))
  if (all(rows > 0)) return(invisible())
  empty <- levels(y)[rows == 0]
  abort_input("{.arg y} has no row of class {.val {empty}}.", "y",
              i = "Give every class a row, or drop {cli::qty(empty)}{?it/them} by {.fn droplevels}.", call = call)
}

# The fit, with a message where the path has fewer rounds than were asked for. (The folds of a cross-validation give
# none.)
shareboost_fit_tell_early_end <- function(fit) {
  rounds <- max(fit$steps$step)
  if (rounds >= fit$settings$max_steps) return(fit)
  tell(paste0("The path ends after ", words_counted(rounds, "round"), ", since no column is left that could enter."),
       paste("Constant columns cannot enter. With the rule \"orthogonal\" columns that are combinations of the",
             "selected ones cannot, either."), class = "transelect_message_early_end")
  fit
}

SEPARATED <- 1e-4 # no residual of a class is larger

# Warns where the optimisation did not converge or, without a ridge, where the classes are separable, so
# that the weights have no optimum: all residuals of a class vanish (the loss may stay large because of
# other classes), or the weights still `grow` for part of the rows.
shareboost_fit_warn_unbounded <- function(result, settings, residuals, grow) {
  last <- length(result$loss)
  kept <- length(settings$keep) > 0
  if (settings$ridge > 0 && !(kept && grow)) {
    if (!all(result$converged)) {
      rounds <- which(!result$converged) - 1
      cli::cli_warn(c(
        "{cli::qty(length(rounds))}Round{?s} {rounds} did not reach {.arg tol}.",
        i = "See {.code gradient_end} in {.code $steps}; a larger {.arg ridge} helps, or with the
          smoothed penalties a smaller {.arg sharpness}."
      ), class = "transelect_warning_converge")
    }
    return(invisible())
  }
  told <- apply(abs(residuals), 2, max) < SEPARATED
  whole <- !all(result$converged) || result$loss[last] < 1e-4
  if (whole || any(told) || grow) {
    apart <- colnames(residuals)[told]
    what <- if (length(apart) && length(apart) < ncol(residuals)) {
      "The class{?es} {.val {apart}} can be told apart from the rest without an error"
    } else if (whole || length(apart)) {
      "The classes seem to be separable"
    } else {
      "Some rows can be told apart from a class without an error"
    }
    cli::cli_warn(c(
      paste0(what, if (settings$ridge > 0) " by columns of {.arg keep}",
             ": without a ridge the coefficients grow for ever."),
      i = paste0("The loss is {signif(result$loss[last], 2)} at step {last - 1}. ",
                 if (settings$ridge > 0) "Columns that are kept have no ridge: leave {.arg keep} out." else
                   "Give a small {.arg ridge}, such as {.code 1e-4}.")
    ), class = "transelect_warning_separable")
  }
}

# What print() says of a greedytl() fit before its steps: ridges, sources, leave-one-out.

SHOWN_SOURCES <- 5

describe_path.greedytl <- function(x, digits, n = NULL) {
  said <- describe_path.transfer_path(x, digits, n)
  said$head <- c(said$head, ridge_lines(x), leave_one_out_line(x, digits))
  said
}

# One line for the ridges and one for the sources; of several classes the means over them.
ridge_lines <- function(x) {
  shares <- source_shares(x)
  none <- is.infinite(x$ridge$alpha_sources) # the alternative that no source enters
  pairs <- if (is.null(x$average)) 0 else sum(x$ridge$weight > 0 & !is.na(x$ridge$criterion))
  c(
    if (pairs > 1) paste0("Ridges: ", pairs, " pairs averaged by their evidence",
                          if (!is.null(x$ridge$class)) " (in all classes)",
                          "; the steps below are of the first row of `ridge`"),
    if (any(none, na.rm = TRUE)) {
      paste0("Weight of no source: ", percent(sum(x$ridge$weight[which(none)]) / sum(x$ridge$weight)))
    },
    if (length(shares)) {
      first <- utils::head(shares, SHOWN_SOURCES)
      rest <- shares[-seq_along(first)]
      paste0("Sources' shares: ", paste(c(paste(shorten(names(first), 20), percent(first)),
                                          if (length(rest)) paste(length(rest), "more", percent(sum(rest)))),
                                        collapse = ", "))
    }
  )
}

# The part of every source in the default model: its absolute standardised coefficient, relative to
# the sum of those of all columns. Largest first.
source_shares <- function(x) {
  if (is.null(x$sources)) return(numeric())
  shares <- lapply(responses(x), function(response) {
    at <- path_model(x, class = if (path_is_multi(x)) response)[[1]]$beta
    rows <- which(Matrix::rowSums(abs(at)) > 0)
    scale <- if (is.matrix(x$scale)) x$scale[, response] else x$scale
    size <- abs(at[rows, 1] * scale[term_names(x, rows)])
    list(row = rows, share = if (sum(size) > 0) size / sum(size) else size)
  })
  row <- unlist(lapply(shares, `[[`, "row"))
  total <- tapply(unlist(lapply(shares, `[[`, "share")), row, sum) / length(shares)
  row <- as.integer(names(total))
  total <- stats::setNames(as.vector(total), term_names(x, row))[row > x$blueprint$p]
  total[order(-total)]
}

leave_one_out_line <- function(x, digits) {
  if (is.null(x$loo)) return(NULL)
  models <- unique(x$loo$model)
  text <- vapply(models, function(model) {
    mine <- x$loo[x$loo$model == model, , drop = FALSE]
    accuracy <- if (!is.null(mine$loo_accuracy) && !anyNA(mine$loo_accuracy)) {
      paste0(" (accuracy ", percent(mean(mine$loo_accuracy)), ")")
    }
    paste0(if (model != "fit") paste0(model, " "), format(mean(mine$loo), digits = digits), accuracy)
  }, "")
  paste0("Leave-one-out error, given the columns: ", paste(text, collapse = "; "))
}

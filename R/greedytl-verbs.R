# What print() and summary() say of a greedytl() fit.

SHOWN_SOURCES <- 5

describe_path.greedytl <- function(x, digits, n = NULL) {
  if (inherits(x, "likelihood_path")) return(greedytl_odds_describe(x, digits, n))
  said <- describe_path.transfer_path(x, digits, n)
  said$head <- c(said$head, greedytl_ridge_lines(x), greedytl_leave_one_out_line(x, digits),
                 greedytl_log_loss_line(x, digits))
  said
}

# One line for the ridges and one for the sources; of several classes the means over them.
greedytl_ridge_lines <- function(x) {
  shares <- greedytl_source_shares(x)
  odds <- inherits(x, "likelihood_path")
  none <- is.infinite(x$ridge$alpha_sources) & !x$ridge$from_mean & !odds # models without sources
  pairs <- if (is.null(x$average) || odds) 0 else sum(x$ridge$weight > 0 & !is.na(x$ridge$criterion))
  c(
    if (pairs > 1) paste0("Ridges: ", pairs, " pairs averaged by their evidence",
                          if (!is.null(x$ridge$class)) " (in all classes)",
                          "; the steps below are of one of them, the first row of `ridge`",
                          if (is.null(x$ridge$class)) greedytl_weight_words(x$ridge$weight[1])),
    if (any(none, na.rm = TRUE)) {
      share <- function(of) words_percent(sum(x$ridge$weight[which(of)]) / sum(x$ridge$weight))
      paste0("Posterior weight of models without sources: ", share(none), if (any(x$ridge$from_mean))
        paste0("; of models that begin with the mean of the sources: ", share(x$ridge$from_mean)))
    },
    if (length(shares)) {
      first <- utils::head(shares, SHOWN_SOURCES)
      rest <- shares[-seq_along(first)]
      paste0("Sources' shares: ", paste(c(paste(labels_shorten(names(first), 20), words_percent(first)),
                                          if (length(rest)) paste(length(rest), "more", words_percent(sum(rest)))),
                                        collapse = ", "))
    }
  )
}

# The weight of the pair of ridges whose steps are shown.
greedytl_weight_words <- function(weight) {
  if (weight >= .005) return(paste0(", with weight ", words_percent(weight)))
  paste0(", with a weight below 1 %: coef() and predict() are of the average", if (weight == 0) ", which leaves it out")
}

# The part of every source in the default model: its absolute standardised coefficient, relative to
# the sum of those of all columns. Largest first.
greedytl_source_shares <- function(x) {
  if (is.null(x$sources)) return(numeric())
  shares <- lapply(path_object_responses(x), function(response) {
    coefficients <- path_model(x, class = if (path_object_is_multi(x)) response)[[1]]$beta
    rows <- which(Matrix::rowSums(abs(coefficients)) > 0)
    size <- abs(coefficients[rows, 1] * path_object_scale(x, response)[path_object_term_names(x, rows)])
    list(row = rows, share = if (sum(size) > 0) size / sum(size) else size)
  })
  row <- unlist(lapply(shares, `[[`, "row"))
  total <- tapply(unlist(lapply(shares, `[[`, "share")), row, sum) / length(shares)
  row <- as.integer(names(total))
  total <- stats::setNames(as.vector(total), path_object_term_names(x, row))[row > x$blueprint$p]
  total[order(-total)]
}

# Of two classes: the log loss of calibrated leave-one-out scores, of the mean of the sources' own probabilities and of
# the best source's, with their differences to the first. The best is chosen on the same rows.
greedytl_log_loss_line <- function(x, digits) {
  if (is.null(x$log_loss)) return(NULL)
  of_fit <- x$log_loss[["fit"]]
  one <- x$sources$n_sources == 1
  which <- if (one) "sources" else c("sources", "best")
  theirs <- x$log_loss[which]
  se <- attr(x$log_loss, "se")[which]
  verdict <- c(less = "better", more = "worse", "not told apart" = "not clearly different")
  names <- if (one) "of the source" else
    c("of the mean of the sources",
      paste0("of ", labels_shorten(attr(x$log_loss, "best"), 20), " alone (the best source)"))
  paste0("Log loss of probabilities: leave-one-out ", format(of_fit, digits = digits), "; ",
         paste0(names, " ", format(theirs, digits = digits), " (", verdict[words_told_apart(theirs - of_fit, se)],
                ": difference ", signif(theirs - of_fit, digits), ", s.e. ", signif(se, 2), ")", collapse = "; "))
}

greedytl_leave_one_out_line <- function(x, digits) {
  if (is.null(x$loo)) return(NULL)
  models <- unique(x$loo$model)
  text <- vapply(models, function(model) {
    mine <- x$loo[x$loo$model == model, , drop = FALSE]
    accuracy <- if (!is.null(mine$loo_accuracy) && !anyNA(mine$loo_accuracy)) {
      paste0(" (accuracy ", words_percent(mean(mine$loo_accuracy)), ")")
    }
    paste0(if (model != "fit") paste0(model, " "), format(mean(mine$loo), digits = digits), accuracy)
  }, "")
  paste0("Leave-one-out error, given the selected columns: ", paste(text, collapse = "; "))
}

path_print_data_line.greedytl <- function(x) {
  if (!inherits(x, "likelihood_path")) return(NextMethod())
  response <- switch(x$family,
    poisson = "log rate", cox = paste0("log hazard ratio, ", words_counted(x$size, "event")),
    binomial = if (is.null(x$classes)) "log odds of a success" else paste0("log odds of \"", x$classes[2], "\"")
  )
  paste0(path_print_rows(x), ", ", words_counted(x$blueprint$p, "feature"), ", ",
         words_counted(length(x$sources$odds), "source"), "; ", response)
}

# Of log odds: print(): the head, the weights of the alternatives with their leave-one-out log loss, the steps.
greedytl_odds_describe <- function(x, digits, n) {
  said <- switch(x$family,
    binomial = c(scale = "log odds", loss = "log loss", one = "probability"),
    poisson = c(scale = "log rates", loss = "deviance per row", one = "rate"),
    cox = c(scale = "log hazards", loss = "deviance per row", one = "hazard")
  )
  loss <- said[["loss"]]
  head <- c(
    path_print_title(x), path_print_data_line(x),
    paste0("Leave-one-out ", loss, if (x$family == "cox") ", given the baseline hazard", ": ",
           format(x$loo, digits = digits), "; with one ", said[["one"]], " for all rows ",
           format(x$steps$loo[1], digits = digits)),
    paste0("Default model: the weighted mean of the ", said[["scale"]], " of the models in the first table"),
    if (!is.null(x$phi)) paste0("Dispersion of the counts (1 in a Poisson model): ", format(x$phi, digits = digits)),
    greedytl_ridge_lines(x)
  )
  steps <- x$steps[c("step", "entered", "type", "size", "loss", "loo")]
  list(head = head, tables = list(
    path_print_models_table(x$alternatives, loss),
    description_table(steps, n %||% 21,
                      title = paste0("\nThe path of selected columns, with training and leave-one-out ", loss, "\n"))
  ))
}

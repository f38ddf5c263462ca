# print() and summary() of a path.

SUMMARY_CLASSES <- 4 # printed

# default: is the default model meant?
path_print_title <- function(x, default = TRUE) {
  title <- x$labels[["title"]]
  title <- if (is.null(x$rule)) title else paste0(title, " (rule \"", x$rule, "\")")
  if (!default || !path_print_is_unchosen(x)) return(title)
  paste0(title, ": no step was chosen, the last one is the default")
}

# Is the default model the last step because nothing chooses one?
path_print_is_unchosen <- function(x) inherits(x, "shareboost") && x$best > 0

# Rows, features, and what is beside them; the response.
path_print_data_line <- function(x) UseMethod("path_print_data_line")

path_print_data_line.transfer_path <- function(x) {
  if (path_object_is_logistic(x)) return(path_print_logistic_line(x))
  response <- switch(x$family,
    gaussian = "numeric response", cox = paste0("log hazard ratio, ", x$size, " events"),
    binomial = paste0("classes ", x$classes[1], " (-1), ", x$classes[2], " (+1)"),
    multinomial = paste0(length(x$classes), " classes, one against the rest")
  )
  beside <- if (is.null(x$domain_loss)) {
    words_counted(x$sources$n_sources %||% 0, "source")
  } else {
    words_counted(length(x$domains), "domain")
  }
  paste0(path_print_rows(x), ", ", words_counted(x$blueprint$p, "feature"), ", ", beside, "; ", response,
         tell_lost_domains(x$left_out$domains))
}

# "111 of 153 rows (42 incomplete)"
path_print_rows <- function(x) {
  left_out <- x$left_out
  if (is.null(left_out)) return(paste(x$nobs, "rows"))
  paste0(x$nobs, " of ", left_out$of, " rows (", left_out$incomplete, " incomplete)")
}

# path_print_rows() as a line of its own, with a line that says how many of the rows are the target's.
path_print_incomplete <- function(left_out, target = NULL) {
  if (is.null(left_out)) return(NULL)
  of_target <- if (length(target) && length(left_out$by_domain)) c(left_out$by_domain[target], 0)
  paste0(left_out$incomplete, " of ", left_out$of, " rows ", if (left_out$incomplete == 1) "is" else "are",
         " incomplete and left out", tell_lost_domains(left_out$domains),
         if (length(of_target)) paste0("\nof target ", target, ": ", of_target[!is.na(of_target)][1], " of them"))
}

path_print_logistic_line <- function(x) {
  base <- x$blueprint$base %||% x$blueprint
  shown <- utils::head(x$classes, 5)
  more <- if (length(x$classes) > 5) "..."
  paste0(path_print_rows(x), ", ", words_counted(base$p, "feature"), "; ", length(x$classes), " classes: ",
         paste(c(shown, more), collapse = ", "))
}

#' @rdname transfer_path
#' @export
print.transfer_path <- function(x, digits = max(3, getOption("digits") - 3), n = NULL, ...) {
  if (!is.null(n)) n <- check_number(n, "n", 0, rlang::current_env(), whole = TRUE)
  description_print(x, describe_path(x, digits, n), digits)
}

# What print() says of a path or of its summary, for description_show(). n: rows of the table of steps, NULL for as
# many as the method shows.
describe_path <- function(x, digits, n = NULL) UseMethod("describe_path")

describe_path.transfer_path <- function(x, digits, n = NULL) {
  shown <- intersect(c("class", "lambda", "step", "entered", "type", "size", "t", "p_value", "gain",
                       "gradient", "loss", "concordance", "error", "df", "loo", "loo_accuracy"), names(x$steps))
  none <- all(is.na(x$lambda))
  table <- x$steps[if (none) setdiff(shown, "lambda") else shown]
  if (nrow(table) > 1) table <- description_without_empty(table)
  head <- c(
    path_print_title(x), path_print_data_line(x),
    if (!none) paste("lambda:", paste(format(x$lambda, digits = digits), collapse = " "), ""),
    paste("Default model:", if (identical(x$best, "average")) "the average of all steps" else
      paste("step", x$best))
  )
  list(head = head, tables = list(description_table(table, n %||% 21)))
}

#' @rdname transfer_path
#' @export
summary.transfer_path <- function(object, step = NULL, lambda = NULL, ...) {
  arguments_of_generic()
  call <- rlang::current_env()
  step <- path_step_check(object, step, lambda, call)[1]
  worth <- path_worth(object, step, lambda, call = call)
  b <- stats::coef(object, step = step, lambda = lambda)
  if (!is.list(b)) b <- list(y = b)
  tables <- lapply(stats::setNames(nm = names(b)), function(class) {
    path_print_summary_table(b[[class]], object, class)
  })
  steps <- object$steps
  loo <- if (!is.null(steps$loo) && !inherits(object, "likelihood_path")) { # of the last step of each class and lambda
    of <- intersect(c("class", "response", "lambda"), names(steps))
    last <- !duplicated(steps[of], fromLast = TRUE)
    steps[last, c(of, "step", "loo", intersect("loo_accuracy", names(steps))), drop = FALSE]
  }
  summary <- list(
    title = path_print_title(object, identical(step, object$best)), what = path_print_data_line(object), step = step,
    coefficients = tables, alternatives = object$alternatives,
    ridge = object$ridge, rss = worth$rss, deviance = worth$deviance, df = worth$df, loo = loo
  )
  structure(summary, class = "summary.transfer_path")
}

# The table of models that are averaged. loss: its measure in words.
path_print_models_table <- function(alternatives, loss = "loss") {
  models <- alternatives[c("model", "weight", "loo")]
  models$weight <- round(models$weight, 3)
  description_table(models, title = paste0("\nModels, with the leave-one-out ", loss, " of each\n"))
}

# The ridges of the largest weights; those of each column, of which the total ridges are multiples.
path_print_ridges <- function(ridge) {
  if (!is.null(ridge$weight)) ridge <- ridge[order(ridge$weight, decreasing = TRUE), , drop = FALSE]
  shown <- description_without_empty(ridge[setdiff(names(ridge), c("tau_features", "tau_sources"))])
  title <- if (nrow(shown) > 1) "\nRidges, the largest weights first\n" else "\nRidge\n"
  description_table(shown, 6, title, of = "in $ridge")
}

# Columns with a coefficient, in order of entry, with their standardised size.
path_print_summary_table <- function(b, object, class) {
  p <- object$blueprint$p
  if (object$family != "cox") b <- b[-1] # without the intercept, which a Cox model does not have
  nonzero <- which(b != 0)
  term <- names(b)[nonzero]
  steps <- object$steps
  if (!is.null(steps$class)) steps <- steps[steps$class == class, , drop = FALSE]
  table <- data.frame(
    term = term, type = c("feature", "source")[1 + (nonzero > p)], estimate = unname(b[nonzero]),
    standardised = unname(b[nonzero] * path_object_scale(object, class)[term])
  )
  # the columns of a factor, or of another group, enter together under its name
  groups <- object$settings$groups
  group <- if (length(groups$of)) groups$labels[groups$of[nonzero]] else
    frame_groups_of_factors(object$blueprint)[nonzero]
  place <- match(term, steps$entered)
  if (!is.null(group)) place <- ifelse(is.na(place), match(group, steps$entered), place)
  table[order(place), , drop = FALSE]
}

#' @rdname transfer_path
#' @export
print.summary.transfer_path <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  description_print(x, describe_path(x, digits), digits)
}

describe_path.summary.transfer_path <- function(x, digits, n = NULL) {
  where <- if (!identical(x$step, "average")) paste("Step", x$step) else if (is.null(x$alternatives))
    "Average of all steps" else "Weighted mean of the models below"
  worth <- if (!is.na(x$df)) paste0(": df ", format(x$df, digits = digits),
                                    if (is.na(x$rss)) ", deviance " else ", residual sum of squares ",
                                    format(if (is.na(x$rss)) x$deviance else x$rss, digits = digits))
  tables <- list()
  several <- length(x$coefficients) > 1
  for (name in utils::head(names(x$coefficients), SUMMARY_CLASSES)) {
    class <- if (several) paste0("\nClass ", name, "\n")
    table <- x$coefficients[[name]]
    for (type in c("source", "feature")) {
      part <- table[table$type == type, c("term", "estimate", "standardised"), drop = FALSE]
      if (!nrow(part)) next
      title <- if (type == "source") "Sources" else "Features"
      tables <- c(tables, list(description_table(part, title = paste0(class, "\n", title, " in order of entry\n"))))
      class <- NULL
    }
  }
  more <- length(x$coefficients) - SUMMARY_CLASSES
  beside <- if (more > 0) paste0("\n... and ", more, " more class", if (more > 1) "es", " in $coefficients\n")
  rest <- Filter(Negate(is.null), list(
    if (!is.null(x$alternatives) && identical(x$step, "average")) path_print_models_table(x$alternatives),
    if (!is.null(x$ridge)) path_print_ridges(x$ridge),
    if (!is.null(x$loo)) {
      description_table(description_without_empty(x$loo),
                        title = "\nLeave-one-out at the last step, given the selected columns\n")
    }
  ))
  if (length(rest)) rest[[1]]$title <- paste0(beside, rest[[1]]$title)
  list(head = c(x$title, x$what, "", paste0(where, worth)), tables = c(tables, rest),
       foot = if (!length(rest) && more > 0) sub("\n$", "", beside))
}

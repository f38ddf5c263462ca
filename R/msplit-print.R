# print() of an msplit path.

#' @rdname msplit-verbs
#' @export
print.msplit <- function(x, digits = max(3, getOption("digits") - 3), n = 21, ...) {
  check_arguments()
  digits <- check_digits(digits, rlang::current_env())
  n <- check_number(n, "n", 0, rlang::current_env(), whole = TRUE)
  number <- function(value) format(value, digits = digits)
  cat(msplit_title(x), "\n", msplit_what(x), "\n", sep = "")
  cat("nu:", vapply(x$lambda, number, ""), "\n")
  points <- path_points(x)
  t <- points$t[match(x$best, points$step)]
  cat("Default model: step ", x$best, " (t = ", number(t), ", nu = ", number(x$best_lambda), ")",
      default_kind(x), "\n", sep = "")
  if (at_edge(x)) cat("The chosen nu is at the edge of those tried: give others.\n")
  if (!is.null(x$guard)) cat(guard_line(x$guard, digits), "\n", sep = "")
  if (length(x$stopped)) cat("Incomplete: max_steps ended the path.\n")
  steps <- x$steps[x$steps$lambda == x$best_lambda, , drop = FALSE]
  shown <- c("class", "response", "step", "t", "entered", "dropped", "size", "loss", "df", "loo",
             "criterion")
  table <- without_empty(steps[intersect(shown, names(steps))])
  rows <- rows_of_each(table$class %||% table$response %||% rep("y", nrow(table)), n)
  cat("\n")
  print(format_table(table[rows, , drop = FALSE], digits), row.names = FALSE)
  more <- nrow(x$steps) - length(rows)
  if (more > 0) cat("... and", more, "more rows in $steps\n")
  invisible(x)
}

# What the default model is, beside its place.
default_kind <- function(x) {
  if (x$method == "lbi") return(": the last one; cv_path() chooses")
  if (x$best == 0) return(": ridge, no support")
  ""
}

# Was the largest or the smallest of several nu chosen?
at_edge <- function(x) {
  x$settings$choose != "none" && length(x$lambda) > 1 && x$best_lambda %in% range(x$lambda)
}

guard_line <- function(guard, digits) {
  number <- function(value) format(value, digits = digits)
  better <- if (guard$gain < 0) " above" else " below"
  paste0("Guard: in cross-validation the mean squared error with the chosen support is ",
         number(abs(guard$gain)), better, " that of ridge regression,\n  in units of the response's",
         " variance (standard error ", number(guard$se), "). ",
         if (guard$kept) "The support is kept." else
           "The support is not kept: the default model is ridge regression.")
}

# At most `most` rows, equally many of each response; three at least of those that are shown.
rows_of_each <- function(response, most) {
  number <- stats::ave(seq_along(response), response, FUN = seq_along)
  each <- max(min(3, most), most %/% length(unique(response)))
  utils::head(which(number <= each), most)
}

msplit_title <- function(x) {
  way <- if (x$method == "iss") "exact path" else "discrete path"
  paste0("MSplit LBI, ", way, ", ", x$loss, " loss")
}

msplit_what <- function(x) {
  several <- length(x$responses)
  response <- switch(x$family,
    gaussian = if (several) paste(several, "numeric responses") else "numeric response",
    binomial = paste0("classes ", x$classes[1], " (-1), ", x$classes[2], " (+1)"),
    multinomial = paste(length(x$classes), "classes")
  )
  paste0(rows_text(x), ", ", x$blueprint$p, " features; ", response)
}

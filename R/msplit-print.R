# print() of an msplit path.

#' @rdname msplit-verbs
#' @export
print.msplit <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  number <- function(value) format(value, digits = digits)
  cat(msplit_title(x), "\n", msplit_what(x), "\n", sep = "")
  cat("nu:", number(x$lambda), "\n")
  points <- path_points(x)
  t <- points$t[match(x$best, points$step)]
  cat("Default model: step ", x$best, " (t = ", number(t), ", nu = ", number(x$best_lambda), ")\n",
      sep = "")
  if (!is.null(x$guard)) {
    cat("Guard: on rows left out the chosen support gains ", number(x$guard$gain),
        " of squared error on ridge (standard error ", number(x$guard$se), "): ",
        if (x$guard$kept) "kept" else "not kept, this is ridge", "\n", sep = "")
  }
  steps <- x$steps[x$steps$lambda == x$best_lambda, , drop = FALSE]
  shown <- c("class", "response", "step", "t", "entered", "dropped", "size", "loss", "df", "loo",
             "criterion")
  table <- without_empty(steps[intersect(shown, names(steps))])
  rows <- seq_len(min(nrow(table), 21))
  cat("\n")
  print(format_table(table[rows, , drop = FALSE], digits), row.names = FALSE)
  more <- nrow(x$steps) - length(rows)
  if (more > 0) cat("... and", more, "more rows in $steps\n")
  invisible(x)
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
  paste0(x$nobs, " rows, ", x$blueprint$p, " features; ", response)
}

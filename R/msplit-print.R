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
  cat("Default model: ", default_label(x, digits), "\n", sep = "")
  if (length(x$stopped)) cat("Incomplete: max_steps ended the path.\n")
  steps <- x$steps[x$steps$lambda == x$best_lambda, , drop = FALSE]
  shown <- c("class", "response", "step", "t", "entered", "dropped", "size", "loss", "df", "loo",
             "criterion")
  table <- without_empty(steps[intersect(shown, names(steps))])
  if (any(x$supports$size > 0)) print_supports(x$supports, digits)
  rows <- rows_of_each(table$class %||% table$response %||% rep("y", nrow(table)), n)
  if (length(x$lambda) > 1) cat("\nPath of nu = ", number(x$best_lambda), sep = "")
  cat("\n")
  print(format_table(table[rows, , drop = FALSE], digits), row.names = FALSE)
  more <- nrow(x$steps) - length(rows)
  if (more > 0) cat("... and", more, "more rows in $steps\n")
  invisible(x)
}

# What the default model is.
default_label <- function(x, digits) {
  if (is_named_step(x, x$best)) {
    if (all(x$supports$size == 0)) return("ridge regression, no support")
    return(paste0("the average over ", counted_supports(x$supports), ", by evidence"))
  }
  points <- path_points(x)
  t <- points$t[match(x$best, points$step)]
  paste0("step ", x$best, " (t = ", format(t, digits = digits), ", nu = ",
         format(x$best_lambda, digits = digits), ")",
         if (x$method == "lbi") ": the last one; cv_path() chooses")
}

counted_supports <- function(supports) counted(nrow(supports), "support")

# The supports of largest weight: at most 5, of several responses at most 2 each.
print_supports <- function(supports, digits) {
  of <- supports$class %||% supports$response
  table <- supports[c(intersect(c("class", "response"), names(supports)), "weight", "size", "nu",
                      "loo", "terms")]
  rows <- if (is.null(of)) seq_len(min(5, nrow(table))) else
    utils::head(which(stats::ave(seq_along(of), of, FUN = seq_along) <= 2), 10)
  table <- table[rows, , drop = FALSE]
  if (all(is.na(table$loo))) table$loo <- NULL # from moments
  table$weight <- format(table$weight, digits = 2)
  table$terms <- shortened(ifelse(table$size == 0, "none: ridge", table$terms), 50)
  cat("\nSupports:\n")
  print(format_table(table, digits), row.names = FALSE)
  if (nrow(supports) > nrow(table)) {
    cat("... and", nrow(supports) - nrow(table), "more in $supports\n")
  }
}

shortened <- function(text, most) {
  ifelse(nchar(text) > most, paste0(substr(text, 1, most - 3), "..."), text)
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

# What print() says of an msplit path.

describe_path.msplit <- function(x, digits, n = NULL) {
  number <- function(value) format(value, digits = digits)
  steps <- x$steps[x$steps$lambda == x$best_lambda, , drop = FALSE]
  shown <- c("class", "response", "step", "t", "entered", "dropped", "size", "loss", "df", "loo",
             "criterion")
  table <- without_empty(steps[intersect(shown, names(steps))])
  rows <- rows_of_each(table$class %||% table$response %||% rep("y", nrow(table)), n %||% 21)
  steps <- shown_table(table[rows, , drop = FALSE], title = paste0(
    if (length(x$lambda) > 1) paste0("\nPath of nu = ", number(x$best_lambda)), "\n"
  ))
  steps$more <- nrow(x$steps) - length(rows)
  list(
    head = c(msplit_title(x), msplit_what(x),
             paste("nu:", paste(vapply(x$lambda, number, ""), collapse = " "), ""),
             paste0("Default model: ", default_label(x, digits)),
             if (length(x$stopped)) "Incomplete: max_steps ended the path."),
    tables = c(if (any(x$supports$size > 0)) list(supports_table(x$supports)), list(steps))
  )
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
supports_table <- function(supports) {
  of <- supports$class %||% supports$response
  table <- supports[c(intersect(c("class", "response"), names(supports)), "weight", "size", "nu",
                      "loo", "terms")]
  rows <- if (is.null(of)) seq_len(min(5, nrow(table))) else
    utils::head(which(stats::ave(seq_along(of), of, FUN = seq_along) <= 2), 10)
  table <- table[rows, , drop = FALSE]
  if (all(is.na(table$loo))) table$loo <- NULL # from moments
  table$weight <- format(table$weight, digits = 2)
  table$terms <- shortened(ifelse(table$size == 0, "none: ridge", table$terms), 50)
  shown <- shown_table(table, title = "\nSupports:\n", of = "in $supports")
  shown$more <- nrow(supports) - nrow(table)
  shown
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

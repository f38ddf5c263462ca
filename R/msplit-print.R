# What print() says of an msplit path.

describe_path.msplit <- function(x, digits, n = NULL) {
  number <- function(value) format(value, digits = digits)
  steps <- x$steps[x$steps$lambda == x$best_lambda, , drop = FALSE]
  shown <- c("class", "response", "step", "t", "entered", "dropped", "size", "loss", "df", "loo",
             "criterion")
  table <- without_empty(steps[intersect(shown, names(steps))])
  rows <- rows_of_each(response_of_steps(table), n %||% 21)
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

#' @rdname msplit-verbs
#' @export
summary.msplit <- function(object, step = NULL, t = NULL, nu = NULL, lambda = nu, ...) {
  check_arguments()
  call <- rlang::current_env()
  place <- msplit_place(object, step, t, lambda, "dense", call)
  table <- signals(object, step = step, t = t, nu = lambda)
  word <- is_named_step(object, place$step)
  structure(list(
    title = msplit_title(object), what = msplit_what(object), nu = place$nu,
    t = if (!word) place$t, step = place$step, worth = worth_at(object, place),
    signals = table[table$signal != "noise", , drop = FALSE],
    supports = if (word) object$supports, support = any(table$signal == "strong")
  ), class = c("summary.msplit", "summary.transfer_path"))
}

describe_path.summary.msplit <- function(x, digits, n = NULL) {
  number <- function(value) format(value, digits = digits)
  place <- if (is.character(x$step)) {
    if (all(x$supports$size == 0)) "Ridge regression" else if (x$step == "average")
      paste("The average over", counted_supports(x$supports)) else "The support of the largest weight"
  } else {
    paste0(if (!is.null(x$step)) paste0("Step ", x$step, ", "), "t = ", number(x$t), ", nu = ",
           number(x$nu))
  }
  shown <- intersect(c("class", "response", "size", "loss", "df", "loo"), names(x$worth))
  several <- length(unique(x$signals$response)) > 1
  columns <- c(if (several) "response", "term", "estimate", "sparse",
               if (!all(is.na(x$signals$probability))) "probability")
  signals <- lapply(c("strong", "weak"), function(kind) {
    part <- x$signals[x$signals$signal == kind, columns, drop = FALSE]
    if (kind == "weak") part$sparse <- NULL
    title <- if (kind == "strong") "\nStrong signals\n" else "\nLargest weak signals\n"
    if (nrow(part)) shown_table(part, 21, title, "in $signals")
  })
  list(head = c(x$title, x$what, "", paste0(place, if (!x$support) ": no strong signals")),
       tables = c(list(shown_table(without_empty(x$worth[shown]), title = "")),
                  signals[lengths(signals) > 0]))
}

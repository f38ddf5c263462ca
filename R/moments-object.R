# The object that moments() returns, its cells, and the moments of several cells taken together.

moments_object_new <- function(sums, model, engine, start) {
  m <- structure(
    list(
      cells = NULL, mean = NULL, rest = NULL, cross = NULL, columns = model$columns,
      response = model$response, classes = model$classes, blueprint = model$blueprint,
      formula = model$formula, intercept = model$intercept, dropped = NULL, lost = NULL,
      engine = engine,
      seconds = proc.time()[["elapsed"]] - start
    ),
    class = "moments"
  )
  moments_object_filled(m, sums)
}

# The object `m` with the cells of `sums`, in the order of their names.
moments_object_filled <- function(m, sums) {
  # names that are numbers in the order of the numbers, others as in a C locale
  rank <- lapply(sums$labels, function(v) {
    number <- suppressWarnings(as.numeric(v))
    if (anyNA(number[!is.na(v)])) match(v, sort(unique(v), method = "radix")) else number
  })
  sorted <- order(rank$domain, rank$fold)
  cells <- sums$cells[sorted]
  names <- c(m$columns, m$response)
  number <- function(what) vapply(cells, `[[`, 0, what)
  by_column <- function(what) {
    matrix(unlist(lapply(cells, `[[`, what)), length(cells), byrow = TRUE, dimnames = list(NULL, names))
  }
  m$cells <- data.frame(sums$labels[sorted, c("domain", "fold")], n = number("n"), weight = number("weight"),
                        log_weight = number("log_weight"), row.names = NULL)
  m$mean <- by_column("mean")
  m$rest <- by_column("rest")
  both <- list(names, names)
  m$cross <- lapply(cells, function(cell) `dimnames<-`(cell$cross, both))
  m$dropped <- sums$dropped
  m$lost <- if (isTRUE(m$dropped > 0)) setdiff(sums$lost, m$cells$domain) else character()
  m
}

moments_object_names <- function(m) unique(m$cells$domain)

moments_object_folds <- function(m) unique(m$cells$fold[!is.na(m$cells$fold)])

moments_object_cells <- function(m, keep) {
  m$cells <- m$cells[keep, , drop = FALSE]
  row.names(m$cells) <- NULL
  m$mean <- m$mean[keep, , drop = FALSE]
  m$rest <- m$rest[keep, , drop = FALSE]
  m$cross <- m$cross[keep]
  m
}

# The cells `keep` of moments; `place`: the columns in another order.
moments_object_cells_kept <- function(m, keep = seq_along(m$cross), place = TRUE) {
  log_weight <- moments_object_log_weights(m)
  lapply(keep, function(i) {
    list(n = m$cells$n[i], weight = m$cells$weight[i], log_weight = log_weight[i], mean = m$mean[i, place],
         rest = m$rest[i, place], cross = m$cross[[i]][place, place, drop = FALSE])
  })
}

# The object as `sums`, see moments-cells.R.
moments_object_sums <- function(m, place = TRUE) {
  list(labels = m$cells[c("domain", "fold")], cells = moments_object_cells_kept(m, place = place), dropped = m$dropped,
       lost = m$lost)
}

# The cells `keep` as one cell.
moments_object_total <- function(m, keep = seq_along(m$cross)) Reduce(moments_cells_join,
                                                                      moments_object_cells_kept(m, keep))

# One cell for each domain, a named list.
moments_object_domains <- function(m) {
  lapply(stats::setNames(nm = moments_object_names(m)), function(d) moments_object_total(m, which(m$cells$domain == d)))
}

# The sum of the logarithms of the weights of each cell. Moments saved by an earlier version do not have it: it is 0
# where the rows had no weights, else not known.
moments_object_log_weights <- function(m) m$cells$log_weight %||% moments_object_unknown_log_weights(isTRUE(m$weighted),
                                                                                                     m$cells)

moments_object_unknown_log_weights <- function(weighted, cells) {
  rep(if (weighted || any(cells$weight != cells$n)) NA_real_ else 0, nrow(cells))
}

#' @rdname moments
#' @order 4
#' @export
print.moments <- function(x, ...) {
  domains <- moments_object_names(x)
  n <- sum(x$cells$n)
  rows <- if (isTRUE(x$dropped > 0)) {
    paste0(words_big_number(n), " of ", words_big_number(n + x$dropped), " rows (", words_big_number(x$dropped),
           " incomplete)")
  } else {
    paste0(words_big_number(n), " row", if (n != 1) "s")
  }
  of <- function(cells, f) vapply(domains, function(d) f(cells[x$cells$domain == d]), 0)
  table <- data.frame(domain = domains, n = words_big_number(of(x$cells$n, sum)))
  if (length(moments_object_folds(x))) table$folds <- of(x$cells$fold, length)
  description_print(x, list(
    head = c(
      paste0("Second moments of ", rows, ": ", words_counted(length(x$columns), "column"), ", response ", x$response,
             if (!is.null(x$classes)) paste0(" (", x$classes[1], " -1, ", x$classes[2], " +1)")),
      paste0("Engine: ", x$engine, ", ", format(round(x$seconds, 2)), " seconds", tell_lost_domains(x$lost))
    ),
    tables = list(description_table(table, 10, of = "domains"))
  ), 3)
}

#' @rdname moments
#' @order 8
#' @export
summary.moments <- function(object, ...) {
  arguments_of_generic()
  object
}

#' @rdname moments
#' @order 9
#' @export
glance.moments <- function(x, ...) {
  arguments_of_generic()
  data.frame(
    nobs = sum(x$cells$n), incomplete = x$dropped, domains = length(moments_object_names(x)),
    folds = length(moments_object_folds(x)), features = length(x$columns), response = x$response,
    engine = x$engine, seconds = x$seconds
  )
}

# Without the class: the default method would take domains for the components of the list.
#' @importFrom utils str
#' @export
str.moments <- function(object, ...) utils::str(unclass(object), ...)

#' @rdname moments
#' @order 5
#' @export
`[.moments` <- function(x, i) {
  call <- rlang::current_env()
  known <- moments_object_names(x)
  if (missing(i)) return(x)
  wanted <- if (is.character(i) || is.factor(i)) {
    place <- words_match_names(i, known)
    ifelse(is.na(place), as.character(i), known[place])
  } else if ((is.numeric(i) || is.logical(i)) && !anyNA(i) && all(abs(i) <= length(known))) {
    known[i]
  } else {
    abort_input("{.arg i} is {.val {i}}.", "domain",
                i = "Name domains, or give numbers from 1 to {length(known)}.", call = call)
  }
  if (!length(wanted) || !all(wanted %in% known)) {
    what <- if (length(wanted)) "names {.val {setdiff(wanted, known)}}, of which there are no moments." else "is empty."
    abort_input(paste("{.arg domain}", what), "domain",
                i = "Name some of {.val {words_first(known, 10)}}.", call = call)
  }
  keep <- which(x$cells$domain %in% wanted)
  if (length(keep) < nrow(x$cells)) {
    x$dropped <- NA_real_ # incomplete rows are not counted by domain
    x$lost <- character()
  }
  moments_object_cells(x, keep)
}

#' @rdname moments
#' @order 6
#' @export
merge.moments <- function(x, y, ...) {
  call <- arguments_check()
  if (!inherits(y, "moments")) abort_kind(y, "y", "Give the result of {.fn moments}.", call)
  moments_object_check_same_model(x, y, call)
  place <- c(match(x$columns, y$columns), length(y$columns) + 1)
  sums <- moments_cells_join_sums(moments_object_sums(x), moments_object_sums(y, place))
  x$engine <- if (x$engine == y$engine) x$engine else paste(x$engine, "and", y$engine)
  x$seconds <- x$seconds + y$seconds
  moments_object_filled(x, sums)
}

moments_object_check_same_model <- function(x, y, call) {
  apart <- c(setdiff(x$columns, y$columns), setdiff(y$columns, x$columns))
  if (length(apart)) {
    abort_input("{.arg x} and {.arg y} do not share the column{?s} {.val {utils::head(apart, 5)}}.",
                "y", i = "Give moments of the same columns.", call = call)
  }
  if (x$response != y$response || !identical(x$classes, y$classes)) {
    of <- function(m) paste(c(m$response, m$classes), collapse = " ")
    abort_input("{.arg x} has the response {.val {of(x)}}, {.arg y} {.val {of(y)}}.", "y",
                i = "Give moments of the same response and classes.", call = call)
  }
  levels_of <- function(m) lapply(m$blueprint$variables, `[`, c("kind", "levels", "contrasts"))
  if (!identical(levels_of(x), levels_of(y)[names(levels_of(x))])) {
    abort_input("{.arg x} and {.arg y} code a variable by different levels or contrasts.", "y",
                i = "Give the same {.arg levels} in both calls of {.fn moments}.", call = call)
  }
  if (anyNA(x$cells$fold) != anyNA(y$cells$fold)) {
    abort_input("Only one of {.arg x} and {.arg y} has folds.", "y",
                i = "Give {.arg fold} in both calls of {.fn moments}, or in neither.", call = call)
  }
}

#' @rdname moments
#' @order 7
#' @export
as.list.moments <- function(x, ...) {
  arguments_check()
  p <- length(x$columns)
  last <- p + 1
  cells <- lapply(seq_len(nrow(x$cells)), function(i) {
    cross <- x$cross[[i]]
    list(
      domain = x$cells$domain[i], fold = x$cells$fold[i], n = x$cells$n[i],
      weight = x$cells$weight[i], mean_x = x$mean[i, seq_len(p)], mean_y = x$mean[[i, last]],
      xx = cross[seq_len(p), seq_len(p), drop = FALSE], xy = cross[seq_len(p), last],
      yy = cross[[last, last]]
    )
  })
  fold <- x$cells$fold
  names(cells) <- paste0(x$cells$domain, ifelse(is.na(fold), "", paste0("/", fold)))
  cells
}

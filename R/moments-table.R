# Moments as a table, which can be a CSV file, and back: a row for each cell and column, the response last. The column
# `variables` describes the variables where all are numbers, logicals or factors with treatment contrasts; without it
# new data must have the columns of the design by name.

#' @rdname moments
#' @order 10
#' @export
as.data.frame.moments <- function(x, ...) {
  arguments_of_generic()
  terms <- colnames(x$mean)
  told <- moments_table_variables(x$blueprint)
  about <- data.frame(
    response = x$response, classes = moments_table_packed(x$classes), intercept = x$intercept, dropped = x$dropped,
    formula = if (nzchar(told) && x$blueprint$kind == "terms") deparse1(stats::formula(x$blueprint$terms)) else "",
    variables = told
  )
  log_weight <- moments_object_log_weights(x)
  cells <- lapply(seq_len(nrow(x$cells)), function(i) {
    data.frame(x$cells[i, c("domain", "fold", "n", "weight")], log_weight = log_weight[i], about, term = terms,
               mean = x$mean[i, ], unname(x$cross[[i]]), row.names = NULL)
  })
  table <- do.call(rbind, cells)
  names(table)[ncol(table) - rev(seq_along(terms)) + 1L] <- terms
  table
}

# The variables as a text such as "wt:numeric;gear:factor:3|4|5"; separators in names are percent-encoded as in a URL.
moments_table_variables <- function(blueprint) {
  plans <- blueprint$variables
  plain <- vapply(as.list(plans), function(plan) {
    plan$kind == "numeric" || plan$kind == "logical" && !isTRUE(plan$both) ||
      plan$kind == "factor" && identical(unname(plan$contrasts), unname(stats::contr.treatment(plan$levels)))
  }, NA)
  words <- if (blueprint$kind == "terms") all.names(stats::formula(blueprint$terms)) else names(plans)
  if (!length(plans) || !all(plain) || !all(words %in% c(names(plans), TABLE_WORDS))) return("")
  each <- vapply(plans, function(plan) {
    paste0(plan$kind, if (plan$kind == "factor") paste0(":", moments_table_packed(plan$levels)))
  }, "")
  paste0(moments_table_quoted(names(plans)), ":", each, collapse = ";")
}

# The functions that a formula in a table may call.
TABLE_WORDS <- c("~", "+", "-", "*", "/", "^", ":", "(", "I", "log", "log1p", "log2", "log10", "exp", "expm1", "sqrt",
                 "abs")

moments_table_quoted <- function(text) {
  vapply(enc2utf8(as.character(text)), utils::URLencode, "", reserved = TRUE, USE.NAMES = FALSE)
}

moments_table_unquoted <- function(text) {
  text <- vapply(text, utils::URLdecode, "", USE.NAMES = FALSE)
  Encoding(text) <- "UTF-8"
  text
}

moments_table_packed <- function(text) paste(moments_table_quoted(text), collapse = "|")

moments_table_unpacked <- function(text) {
  if (is.na(text) || !nzchar(text)) return(NULL)
  moments_table_unquoted(strsplit(text, "|", fixed = TRUE)[[1]])
}

# The moments in a table made by as.data.frame(), which may have been written to a file and read, or in such tables of
# several sites bound by row.
moments_table_read <- function(x, call) {
  x <- as.data.frame(x)
  text_column <- function(name) {
    v <- words_value_names(x[[name]] %||% NA)
    ifelse(is.na(v), "", v)
  }
  keys <- paste(text_column("domain"), text_column("fold"), sep = "\r")
  starts <- c(TRUE, keys[-1] != keys[-nrow(x)] | x$term[-1] == x$term[1])
  terms <- as.character(x$term[seq_len(c(which(starts)[-1] - 1L, nrow(x))[1])])
  term_columns <- ncol(x) - rev(seq_along(terms)) + 1L # the last, since columns of the design may have any name
  plain <- make.names(terms)
  heads <- if (all(term_columns > 0)) names(x)[term_columns]
  named <- !is.null(heads) && all(heads == terms | heads == plain | heads == paste0(plain, ".1"))
  cells <- split(seq_len(nrow(x)), cumsum(starts))
  whole <- all(vapply(cells, function(rows) identical(as.character(x$term[rows]), terms), NA))
  numbers <- if (whole && named) as.matrix(cbind(x[c("n", "weight", "mean")], x[term_columns]))
  if (!is.numeric(numbers) || any(!is.finite(numbers))) {
    abort_input("{.arg x} is not a complete table of moments: it lacks rows, columns or numbers.", "x",
                i = "Give what {.fn as.data.frame} made of moments of the same columns, all of it.", call = call)
  }
  about <- vapply(c("response", "classes", "intercept", "formula", "variables"), function(name) {
    known <- unique(text_column(name))
    if (length(known) == 1) return(known)
    abort_input("The column {.field {name}} of {.arg x} is not the same in all rows:
                 {.val {utils::head(known, 3)}}.", "x",
                i = "Put together tables of the same columns, response and levels.", call = call)
  }, "")
  first <- vapply(cells, `[`, 0L, 1)
  log_weight <- x$log_weight %||% moments_object_unknown_log_weights("TRUE" %in% text_column("weighted"), x)
  sums <- moments_cells_none()
  for (rows in cells) {
    cross <- unname(as.matrix(x[rows, term_columns]))
    fold <- text_column("fold")[rows[1]]
    sums <- moments_cells_join_sums(sums, list(
      labels = data.frame(domain = text_column("domain")[rows[1]], fold = if (nzchar(fold)) fold else NA_character_),
      cells = list(list(
        n = as.double(x$n[rows[1]]), weight = as.double(x$weight[rows[1]]), log_weight = as.double(log_weight[rows[1]]),
        mean = as.double(x$mean[rows]), rest = numeric(length(terms)), cross = (cross + t(cross)) / 2
      )), dropped = 0, lost = character()
    ))
  }
  # `dropped` has the number of incomplete rows of a site in each of its cells: it is counted once for each site
  sums$dropped <- if (is.null(x$dropped)) NA_real_ else sum(as.double(rle(as.character(x$dropped[first]))$values))
  columns <- terms[-length(terms)]
  model <- list(columns = columns, response = about[["response"]], classes = moments_table_unpacked(about[["classes"]]),
                blueprint = moments_table_blueprint(columns, about[["variables"]], about[["formula"]], call),
                intercept = about[["intercept"]] != "FALSE")
  moments_object_new(sums, model, "table", proc.time()[["elapsed"]])
}

moments_table_blueprint <- function(columns, variables, formula, call) {
  if (!nzchar(variables)) return(frame_design_new_blueprint("matrix", columns, length(columns)))
  parts <- strsplit(strsplit(variables, ";", fixed = TRUE)[[1]], ":", fixed = TRUE)
  levels <- lapply(parts, function(part) moments_table_unpacked(if (length(part) > 2) part[3] else ""))
  n <- max(lengths(levels), 2L)
  rows <- Map(function(part, levels) {
    switch(part[2], numeric = rep(1.5, n), logical = rep_len(c(TRUE, FALSE), n),
           factor = factor(rep_len(levels, n), levels))
  }, parts, levels)
  names(rows) <- moments_table_unquoted(vapply(parts, `[`, "", 1))
  rows <- as.data.frame(rows, optional = TRUE)
  plans <- lapply(rows, frame_design_plan, whole = FALSE)
  blueprint <- if (!nzchar(formula)) {
    frame_design_blueprint(plans)
  } else {
    written <- tryCatch(str2lang(formula), error = function(e) NULL)
    if (!all(all.names(written) %in% c(names(rows), TABLE_WORDS))) {
      abort_input("The formula of {.arg x}, {.val {formula}}, calls other functions than the usual ones.", "x",
                  i = "Give the table as it was written.", call = call)
    }
    moments_model_terms_blueprint(stats::as.formula(written, baseenv()), rows, plans, call)
  }
  if (identical(blueprint$columns, columns)) return(blueprint)
  abort_input("The columns of {.arg x} are not those that its {.field variables} give.", "x",
              i = "Give the table as it was written.", call = call)
}

# Calls of a generic in which the formula is a string, or does not stand first: lm() and glm() take both.

# The call of the calling generic with its formula, written out, as the first argument; NULL where dispatch finds the
# formula as it is. The data may come first without a name, as from a pipe.
arguments_formula_first <- function() {
  frame <- parent.frame()
  caller <- parent.frame(2L)
  named <- "formula" %in% eval(quote(...names()), frame)
  given <- eval(quote(if (exists("x", inherits = FALSE)) !missing(x) else ...length() > 0L), frame)
  text <- !named && given && is.character(eval(quote(if (exists("x", inherits = FALSE)) x else ..1), frame))
  if (!named && !text) return(NULL)
  matched <- match.call(sys.function(-1L), sys.call(-1L), envir = caller)
  others <- as.list(matched)[-1L]
  at <- if (named) match("formula", names(others)) else 1L
  value <- eval(others[[at]], caller)
  if (at == 1L && inherits(value, "formula")) return(NULL)
  written <- if (is.character(value)) arguments_formula_of_text(value) else others[[at]]
  if (is.null(written) || !is.character(value) && !inherits(value, "formula")) {
    if (!named) return(NULL)
    abort_kind(value, "formula", "Give a formula, as {.code y ~ x}, or the text of one.", frame)
  }
  others <- others[-at]
  first <- rlang::names2(others) %in% c("", "x")
  if (named && any(first)) {
    if ("data" %in% names(others)) {
      abort_input("{.arg formula} and {.arg data} are given, and data without a name or as {.arg x}, too.", "x",
                  i = "Give the data once.", call = frame)
    }
    names(others)[which(first)[1L]] <- "data"
  }
  as.call(c(matched[[1L]], list(formula = written), others))
}

# The formula that a text says, as a call; NULL where it says none.
arguments_formula_of_text <- function(text) {
  written <- tryCatch(str2lang(paste(text, collapse = " ")), error = function(e) NULL)
  if (is.call(written) && identical(written[[1L]], quote(`~`)) && length(written) == 3L) written
}

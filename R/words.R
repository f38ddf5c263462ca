# How names, numbers and domains stand in a sentence.

words_number <- function(x) vapply(x, function(v) format(signif(v, 3)), character(1))

# Numbers with `places` decimals; very large ones as words_number() writes them.
words_decimals <- function(x, places) {
  ifelse(abs(x) < 1e5, sprintf("%.*f", as.integer(places), round(x, places) + 0), words_number(x)) # + 0: no "-0"
}

words_percent <- function(share) paste(round(100 * share), "%")

# "a", "b" and "c"
words_in_quotes <- function(names, most = 20) {
  more <- length(names) - most
  if (more > 0) names <- names[seq_len(most)]
  text <- paste0('"', names, '"')
  if (more > 0) text <- c(text, paste(more, "more"))
  k <- length(text)
  paste0(paste(text[-k], collapse = ", "), if (k > 1) " and ", text[k])
}

# For an error: the first `most` of the names, of more with an ellipsis.
words_first <- function(names, most = 5) {
  cli::cli_vec(names %||% character(), list("vec-trunc" = most, "vec-trunc-style" = "head"))
}

# "1 domain", "2 domains"
words_counted <- function(n, what, ending = "s") paste0(n, " ", what, if (n != 1) ending)

# Of differences and their standard errors: "less" or "more" beyond two standard errors, else "not told apart".
words_told_apart <- function(difference, se) {
  far <- !is.na(se) & abs(difference) > 2 * se
  ifelse(far, ifelse(difference < 0, "less", "more"), "not told apart")
}

# Names of domains, folds and levels: whole numbers are written without exponents, in whatever type they are stored;
# text that was read from a file is marked as UTF-8, without which R does not sort it.
words_value_names <- function(v) {
  names <- as.character(v)
  if (!is.numeric(v)) return(enc2utf8(names))
  long <- which(is.finite(v) & abs(v) >= 1e5 & v == round(v))
  names[long] <- sprintf("%.0f", v[long])
  names
}

# For each value its place among the names `known`, NA where it is none of them. A number, or a text that is one as R
# writes it, is found in whichever way it is written there: 100000, "100000" and "1e+05" are the same.
words_match_names <- function(values, known) {
  position <- match(words_value_names(values), known)
  open <- is.na(position)
  if (any(open)) position[open] <- match(words_plain_names(as.character(values)[open]), words_plain_names(known))
  position
}

words_plain_names <- function(names) {
  number <- suppressWarnings(as.numeric(names))
  same <- which(names == as.character(number))
  names[same] <- words_value_names(number[same])
  names
}

# The name of the one domain that all rows are of where no domains were given.
NO_DOMAIN <- "all"
words_in_domain <- function(name) if (name == NO_DOMAIN) "" else paste0(" in domain \"", name, "\"")

# Text of more than `most` characters is cut at its end.
words_shortened <- function(text, most) {
  ifelse(nchar(text) > most, paste0(substr(text, 1, most - 3), "..."), text)
}

words_big_number <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)

# Lines within the width of the console: what is longer goes on in the next line, indented by two. A number and its
# percent sign stay together.
words_wrapped <- function(lines, width = getOption("width")) {
  lines <- unlist(strsplit(paste0(lines, "\n"), "\n", fixed = TRUE))
  long <- nchar(lines, "width") > width
  lines <- as.list(lines)
  lines[long] <- lapply(lines[long], function(line) {
    indent <- nchar(line) - nchar(sub("^ +", "", line))
    wrapped <- strwrap(gsub(" %", "~%", line, fixed = TRUE), width + 1L, indent = indent, exdent = indent + 2L)
    gsub("~%", " %", wrapped, fixed = TRUE)
  })
  as.character(unlist(lines))
}

# print() of every object: its lines and tables are described first, then shown in one way.

# The end of a method of print(): checks the arguments of the method, prints the description, returns the object.
description_print <- function(x, said, digits) {
  arguments_check(at = sys.parent())
  description_show(said, check_digits(digits, rlang::caller_env()))
  invisible(x)
}

# said: list(head, tables, foot): lines; tables, each of description_table(); lines.
description_show <- function(said, digits) {
  force(digits) # wrong ones are refused before `said` is made with them
  writeLines(description_lines(said$head))
  for (one in said$tables) {
    cat(one$title)
    print(description_format_table(one$table, digits), row.names = FALSE)
    if (one$more > 0) cat("... and ", one$more, " more ", one$of, "\n", sep = "")
  }
  if (length(said$foot)) writeLines(description_lines(said$foot))
}

# Lines within the width of the console: what is longer goes on in the next line, indented by two.
description_lines <- function(lines, width = getOption("width")) {
  lines <- unlist(strsplit(paste0(lines, "\n"), "\n", fixed = TRUE))
  long <- nchar(lines, "width") > width
  lines <- as.list(lines)
  lines[long] <- lapply(lines[long], function(line) {
    indent <- nchar(line) - nchar(sub("^ +", "", line))
    strwrap(line, width + 1L, indent = indent, exdent = indent + 2L)
  })
  as.character(unlist(lines))
}

# The first n rows of a table, under a title; of: where the others are.
description_table <- function(table, n = Inf, title = "\n", of = "rows in $steps") {
  list(title = title, table = utils::head(table, n), more = max(nrow(table) - n, 0), of = of)
}

description_without_empty <- function(table) table[vapply(table, function(column) !all(is.na(column)), NA)]

description_format_table <- function(table, digits) {
  table[] <- lapply(table, function(column) {
    text <- if (is.numeric(column)) format(column, digits = digits) else as.character(column)
    text[is.na(column)] <- ""
    if (is.character(column)) text <- labels_shorten(text, 40)
    text
  })
  table
}

# Columns to significant digits.
description_round_columns <- function(table, columns, digits) {
  table[columns] <- lapply(table[columns], signif, digits)
  table
}

# print() of every object: its lines and tables are described first, then shown in one way.

# The end of a method of print(): checks the arguments of the method, prints the description, returns the object.
description_print <- function(x, said, digits) {
  arguments_check(caller = sys.parent())
  description_show(said, check_digits(digits, rlang::caller_env()))
  invisible(x)
}

# said: list(head, tables, foot): lines; tables, each of description_table(); lines.
description_show <- function(said, digits) {
  force(digits) # wrong ones are refused before `said` is made with them
  writeLines(words_wrapped(said$head))
  for (one in said$tables) {
    if (nzchar(one$title)) writeLines(words_wrapped(sub("\n$", "", one$title)))
    for (block in description_blocks(one$table, digits)) print(block, row.names = FALSE)
    if (one$more > 0) cat("... and ", one$more, " more ", one$of, "\n", sep = "")
  }
  if (length(said$foot)) writeLines(words_wrapped(said$foot))
}

# The formatted table. One that is wider than the console has fewer digits, but three; one that is still too wide is cut
# into blocks of columns, about equally wide, which all begin with its first column.
description_blocks <- function(table, digits, width = getOption("width") - 1L) { # print() breaks lines of the width
  for (few in seq(digits, min(3, digits))) {
    text <- description_format_table(table, few)
    wide <- vapply(seq_along(text), function(k) max(nchar(c(names(text)[k], text[[k]]), "width")) + 1L, 0L)
    if (sum(wide) <= width) return(list(text))
  }
  if (length(wide) < 3L) return(list(text))
  number <- function(room) { # of the block of each column but the first
    block <- 1L
    used <- wide[1L]
    vapply(wide[-1L], function(w) {
      if (used + w > room && used > wide[1L]) {
        block <<- block + 1L
        used <<- wide[1L]
      }
      used <<- used + w
      block
    }, 0L)
  }
  room <- width
  while (room > 1L && max(number(room - 1L)) == max(number(width))) room <- room - 1L
  lapply(split(seq_along(wide)[-1L], number(room)), function(columns) text[c(1L, columns)])
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

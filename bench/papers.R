# bench/PAPERS.md, from its template bench/PAPERS.in.md and the tables of bench/RESULTS.md. From the project root:
#   Rscript bench/papers.R            writes bench/PAPERS.md
#   Rscript bench/papers.R --check    stops where bench/PAPERS.md is not what the template and the tables give
# A reference in the template names cells of a part of RESULTS.md:
#   {part: row | column}              the cell of this row (its first cell) and column, without a standard error
#   {part 2: row | column; column}    of the second table of the part, several columns
#   {part: row & row | column}        the row whose first and second cell are these
#   {part: row // row | column}       several rows
#   {noun/part: ...}                  a part of another noun than that of the heading above
#   {part: row | column +}            with the standard error in brackets
#   {part: row | column, 2}           what stands after the comma, or after " / ", in the cell
#   {part: /regular expression/}      what the group of the expression finds in the lines of the part
# Numbers lose the zero before the point. All other numbers of the page are the papers' own, settings, or come from the
# example or the test that the row names.
source("bench/common.R")

PAGE <- "bench/PAPERS.md"
TEMPLATE <- "bench/PAPERS.in.md"
HEADINGS <- c(GreedyTL = "greedytl", ShareBoost = "shareboost", "T-greedy" = "tgreedy", TLCp = "tlcp",
              "MSplit LBI" = "msplit")

cells_of <- function(line) trimws(strsplit(gsub("^[|]|[|]$", "", trimws(line)), "|", fixed = TRUE)[[1]])

# The tables among the lines: lists of head and rows.
tables_of <- function(lines) {
  inside <- startsWith(lines, "|")
  block <- cumsum(inside & !c(FALSE, inside[-length(inside)]))
  lapply(unname(split(lines[inside], block[inside])), function(table) {
    head <- cells_of(table[1])
    rows <- lapply(table[-(1:2)], function(line) c(cells_of(line), rep("", length(head)))[seq_along(head)])
    list(head = head, rows = rows)
  })
}

no_cell <- function(reference, what) {
  stop("The reference {", reference, "} of ", TEMPLATE, " finds no ", what, " in ", RESULTS, ".", call. = FALSE)
}

row_of <- function(table, label, reference) {
  keys <- trimws(strsplit(label, " & ", fixed = TRUE)[[1]])
  found <- Filter(function(row) identical(gsub("`", "", row[seq_along(keys)]), gsub("`", "", keys)), table$rows)
  if (length(found) != 1) no_cell(reference, paste0("single row '", label, "'"))
  found[[1]]
}

column_of <- function(table, name, reference) {
  at <- which(table$head == name)
  if (length(at) != 1) no_cell(reference, paste0("single column '", name, "'"))
  at
}

short_number <- function(text) gsub("(^|[^0-9.])0[.]", "\\1.", text)

value_of <- function(cell, piece, with_error) {
  if (piece > 0) cell <- trimws(strsplit(cell, ",| / ")[[1]][piece])
  short_number(if (with_error) cell else sub(" *[(].*", "", cell))
}

resolve <- function(reference, noun, sections) {
  place <- sub(":.*", "", reference)
  rest <- trimws(sub("^[^:]*:", "", reference))
  if (grepl("/", place)) noun <- sub("/.*", "", place)
  part <- sub(".*/", "", sub(" [0-9]+$", "", place))
  lines <- sections[[noun]][[part]]
  if (is.null(lines)) no_cell(reference, paste0("part '", part, "' of ", noun))
  if (grepl("^/.*/$", rest)) {
    text <- paste(lines, collapse = " ")
    found <- regmatches(text, regexec(substr(rest, 2, nchar(rest) - 1), text))[[1]]
    if (length(found) != 2) no_cell(reference, "such text")
    return(short_number(found[2]))
  }
  count <- if (grepl(" [0-9]+$", place)) as.integer(sub(".* ", "", place)) else 1L
  tables <- tables_of(lines)
  if (count > length(tables)) no_cell(reference, paste("table", count))
  table <- tables[[count]]
  sides <- trimws(strsplit(rest, "|", fixed = TRUE)[[1]])
  with_error <- grepl(" [+]$", sides[2])
  columns <- sub(" [+]$", "", sides[2])
  piece <- if (grepl(", [12]$", columns)) as.integer(sub(".*, ", "", columns)) else 0L
  columns <- trimws(strsplit(sub(", [12]$", "", columns), ";", fixed = TRUE)[[1]])
  at <- vapply(columns, function(name) column_of(table, name, reference), 1L)
  labels <- trimws(strsplit(sides[1], " // ", fixed = TRUE)[[1]])
  cells <- unlist(lapply(labels, function(label) row_of(table, label, reference)[at]))
  paste(vapply(cells, value_of, "", piece = piece, with_error = with_error), collapse = " ")
}

written <- function() {
  sections <- lapply(read_sections(readLines(RESULTS)), read_parts)
  noun <- ""
  lines <- vapply(readLines(TEMPLATE), function(line) {
    heading <- names(HEADINGS)[vapply(names(HEADINGS), function(h) startsWith(line, paste0("## ", h)), NA)]
    if (length(heading)) noun <<- HEADINGS[[heading]]
    found <- gregexpr("[{][a-z][^{}]*:[^{}]*[}]", line)
    regmatches(line, found) <- lapply(regmatches(line, found), function(references) {
      vapply(references, function(text) resolve(substr(text, 2, nchar(text) - 1), noun, sections), "")
    })
    line
  }, "", USE.NAMES = FALSE)
  note <- "<!-- Written by bench/papers.R from bench/PAPERS.in.md and bench/RESULTS.md: edit the template. -->"
  c(lines[1], "", note, lines[-1])
}

if ("--check" %in% commandArgs(TRUE)) {
  if (!identical(written(), readLines(PAGE))) {
    stop(PAGE, " is not what ", TEMPLATE, " and ", RESULTS, " give: run Rscript bench/papers.R.", call. = FALSE)
  }
} else {
  writeLines(written(), PAGE)
}

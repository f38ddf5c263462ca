# Tables that are the result of a call and have a print() and pictures of their own: those of dissimilarity(), signals(),
# selection_frequency(), source_map() and compare_paths(). What is no longer the table of one call is a plain data frame:
# rows bound to it, columns added, changed or renamed, a part of the rows of a table whose verdict is about all of them.

# table: a data frame; class: its own class; ...: attributes that its print() and pictures use.
table_classed <- function(table, class, ...) {
  structure(table, class = c("transfer_table", class, "data.frame"), ..., whole = table_outline(table))
}

table_outline <- function(table) list(rows = attr(table, "row.names"), columns = names(table))

# Functions that know nothing of these classes may have kept the class and the attributes of a table.
table_is_whole <- function(x) identical(attr(x, "whole", exact = TRUE), table_outline(x))

table_plain <- function(x) {
  attributes(x) <- c(attributes(x)["names"], class = "data.frame", attributes(x)["row.names"])
  x
}

# The plain data frame `part` with the class and the attributes of the table x.
table_like <- function(x, part) {
  rlang::inject(table_classed(part, class(x)[2], !!!attributes(x)[setdiff(names(attributes(x)), TABLE_OWN)]))
}

TABLE_OWN <- c("names", "row.names", "class", "whole")

# The rows `part` of the table x, each once, in any order, with all columns: plain where print() is about all rows.
table_part <- function(x, part) UseMethod("table_part")

#' @export
table_part.default <- function(x, part) if (nrow(part) == nrow(x)) table_like(x, part) else part

#' @export
`[.transfer_table` <- function(x, ...) {
  part <- NextMethod()
  if (!is.data.frame(part)) return(part)
  rows <- attr(part, "row.names")
  part <- table_plain(part)
  good <- table_is_whole(x) && identical(names(part), names(x)) && !anyDuplicated(rows) &&
    all(rows %in% attr(x, "row.names"))
  if (good) table_part(x, part) else part
}

#' @export
`[<-.transfer_table` <- function(x, i, j, value) table_plain(NextMethod())

#' @export
`[[<-.transfer_table` <- function(x, i, j, value) table_plain(NextMethod())

#' @export
`$<-.transfer_table` <- function(x, name, value) table_plain(NextMethod())

#' @export
`names<-.transfer_table` <- function(x, value) if (identical(value, names(x))) x else table_plain(NextMethod())

#' @export
rbind.transfer_table <- function(...) {
  do.call(rbind, lapply(list(...), function(part) if (inherits(part, "transfer_table")) table_plain(part) else part))
}

#' @exportS3Method dplyr::dplyr_reconstruct
dplyr_reconstruct.transfer_table <- function(data, template) table_plain(data)

#' @exportS3Method vctrs::vec_restore
vec_restore.transfer_table <- function(x, to, ...) table_plain(x)

#' @export
as.data.frame.transfer_table <- function(x, ...) {
  arguments_of_generic(same = c("row.names", "optional", TABLE_ARGUMENTS))
  table_plain(x)
}

#' @export
print.transfer_table <- function(x, ...) {
  if (table_is_whole(x)) return(invisible(NextMethod()))
  print(table_plain(x))
  invisible(x)
}

#' @export
plot.transfer_table <- function(x, ...) {
  table_refuse_changed(x, "x", rlang::current_env())
  invisible(NextMethod())
}

#' @exportS3Method ggplot2::autoplot
autoplot.transfer_table <- function(object, ...) {
  table_refuse_changed(object, "object", rlang::current_env())
  NextMethod()
}

table_refuse_changed <- function(x, argument, call) {
  if (table_is_whole(x)) return(invisible())
  abort_input("{.arg {argument}} has other rows or columns than the table that was made.", argument,
              i = "Draw the table as it was made.", call = call)
}

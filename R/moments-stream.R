# Rows that come in parts. A reader is list(rewind(), read(), close(), label):
#   rewind  goes back to the first row
#   read    returns the next rows, a data frame, or NULL at the end
#   close   is called once, also after an error
#   label   the name of the engine in print()

NOTHING_KEPT <- "Call {.fn moments} again once this works: nothing was kept."

# Runs `code`, the user's or a driver's; its errors become errors of this package. part: what the code does, in words.
moments_stream_reading_errors <- function(what, part, code, call, hint = NOTHING_KEPT) {
  tryCatch(code, error = function(e) {
    if (inherits(e, "transelect_error")) rlang::cnd_signal(e)
    message <- trimws(conditionMessage(e))
    abort_input("{.arg data}: {what} failed while {part}.", "moments", x = "{message}",
                i = hint, call = call)
  })
}

moments_stream_function_reader <- function(f, call) {
  what <- "the chunk reader"
  number <- 0
  list(
    rewind = function() {
      number <<- 0
      moments_stream_reading_errors(what, "going back to the first row", f(TRUE), call)
    },
    read = function() {
      number <<- number + 1
      rows <- moments_stream_reading_errors(what, paste("reading chunk", number), f(FALSE), call)
      if (is.null(rows) || is.data.frame(rows)) return(rows)
      abort_input("{.arg data}: {what} returned {.obj_type_friendly {rows}} as chunk {number}.",
                  "moments", i = "Return a data frame, or {.code NULL} at the end.", call = call)
    },
    close = function() NULL, label = "chunks"
  )
}

# The reader of a data frame. at_once: in one part? (Terms may then depend on all rows.)
moments_stream_frame_reader <- function(rows, at_once) {
  step <- max(1, if (at_once) nrow(rows) else floor(4e6 / ncol(rows)))
  from <- 1
  list(
    rewind = function() from <<- 1,
    read = function() {
      if (from > nrow(rows)) return(NULL)
      i <- from:min(nrow(rows), from + step - 1)
      from <<- from + step
      rows[i, , drop = FALSE]
    },
    close = function() NULL, label = "data frame"
  )
}

# The reader of an Arrow Dataset, Table or query, or of a record batch reader, which can be read once: batch by batch.
# Factors, whose levels may differ between batches, are taken as text.
moments_stream_arrow_reader <- function(data, names, chunk_rows, call) {
  batches <- NULL
  once <- inherits(data, "RecordBatchReader")
  next_rows <- function() {
    batch <- batches$read_next_batch()
    if (is.null(batch)) return(NULL)
    rows <- as.data.frame(batch)
    rows[] <- lapply(rows, function(v) if (is.factor(v)) as.character(v) else v)
    rows
  }
  list(
    rewind = function() {
      if (once && !is.null(batches)) {
        abort_input("{.arg data} is a record batch reader, which is read once, and the levels of its factors are not
                     known.", "moments", i = "Give them as {.arg levels}, or the data as an Arrow Table: {.code
                     data$read_table()}.", call = call)
      }
      moments_stream_reading_errors("arrow", "opening the data", {
        scanner <- arrow::Scanner$create(data, projection = names, batch_size = chunk_rows)
        batches <<- scanner$ToRecordBatchReader()
      }, call)
    },
    read = function() moments_stream_reading_errors("arrow", "reading a batch", next_rows(), call),
    close = function() batches <<- NULL, label = "arrow"
  )
}

# The number of rows to fetch at a time. At most 1e7 numbers are requested, since drivers reserve memory for all rows
# that are requested, however few there are.
moments_stream_chunk_rows <- function(ask, columns) {
  if (is.null(ask$chunk_rows)) return(max(1000, min(1e5, floor(4e6 / columns))))
  min(ask$chunk_rows, max(1000, floor(1e7 / columns)))
}

# Adds up all rows of the reader: list(sums, coder).
moments_stream_sums <- function(ask, reader, columns = NULL, coder = NULL) {
  on.exit(reader$close())
  reader$rewind()
  first <- sums <- sizes <- NULL
  dropped <- read <- 0
  tell <- progress_new("Rows read")
  if (is.null(coder)) {
    learnt <- moments_stream_learn_coder(ask, reader, columns)
    coder <- learnt$coder
    first <- learnt$rows
    dropped <- learnt$dropped
  }
  repeat {
    rows <- first %||% reader$read()
    first <- NULL
    if (is.null(rows)) break
    if (!nrow(rows)) next
    read <- read + nrow(rows)
    if (!is.null(tell)) tell(read)
    coded <- moments_model_code_rows(coder, rows)
    more <- moments_rows_sums(coded$x, coded$y, domain = coded$domain, fold = coded$fold, weights = coded$weights,
                              columns = coder$blueprint$columns, response = coder$response, call = coder$call)
    sizes <- moments_cells_sizes(sizes, coded$x, coded$y)
    sums <- if (is.null(sums)) more else moments_cells_join_sums(sums, more)
  }
  if (!length(sums$cells)) moments_stream_abort_no_rows(dropped + (sums$dropped %||% 0), coder$columns$all, ask$call)
  moments_cells_refuse_sizes(sizes, c(coder$blueprint$columns, coder$response), ask$call)
  sums$dropped <- sums$dropped + dropped
  list(sums = sums, coder = coder)
}

# The coder, from the first part with a complete row: list(coder, rows, dropped), where rows are those read and not
# added up yet. Where levels of text are not known, a pass over all rows finds them.
moments_stream_learn_coder <- function(ask, reader, columns) {
  dropped <- 0
  repeat {
    rows <- reader$read()
    if (is.null(rows)) moments_stream_abort_no_rows(dropped, columns$all, ask$call)
    columns <- columns %||% moments_model_columns(ask, names(rows))
    moments_model_refuse_absent(setdiff(columns$all, names(rows)), names(rows), ask$call)
    complete <- moments_stream_complete_rows(rows, columns)
    if (length(complete)) break
    dropped <- dropped + nrow(rows)
  }
  coder <- moments_model_coder(ask, columns, rows[complete, , drop = FALSE], function(unknown) {
    found <- moments_stream_read_levels(ask, reader, rows, columns, unknown)
    reader$rewind()
    rows <<- NULL
    dropped <<- 0
    found
  })
  list(coder = coder, rows = rows, dropped = dropped)
}

moments_stream_complete_rows <- function(rows, columns) {
  which(stats::complete.cases(table_plain_numbers(as.data.frame(rows)[columns$all])))
}

moments_stream_abort_no_rows <- function(dropped, names, call) {
  abort_input(
    "{.arg data} has no complete row{if (dropped) paste0(' among ', dropped)}.", "moments",
    i = "A row counts if none of the model's columns is missing:
         {.val {words_first(names, 10)}}.", call = call
  )
}

LEVELS_MOST <- 1000

# The distinct values of the columns `unknown` in complete rows: those of `rows` and all that follow.
moments_stream_read_levels <- function(ask, reader, rows, columns, unknown) {
  found <- lapply(stats::setNames(nm = unknown), function(name) character())
  while (!is.null(rows)) {
    complete <- moments_stream_complete_rows(rows, columns)
    for (name in unknown) {
      found[[name]] <- union(found[[name]], as.character(rows[[name]][complete]))
      moments_stream_refuse_levels(name, length(found[[name]]), ask$call)
    }
    rows <- reader$read()
  }
  lapply(found, sort)
}

moments_stream_refuse_levels <- function(name, number, call) {
  if (number <= LEVELS_MOST) return(invisible())
  abort_input("Column {.val {name}} of {.arg data} is text with more than {LEVELS_MOST} different
               values.", "moments",
              i = "Leave it out ({.code y ~ . - {name}}) or give {.arg levels}.", call = call)
}

# The argument `levels`, checked: a named list, each item the different values of a column.
moments_stream_check_levels <- function(levels, call) {
  if (is.null(levels)) return(list())
  named <- is.list(levels) && !is.null(names(levels)) && all(nzchar(names(levels)))
  if (!named || anyDuplicated(names(levels))) {
    abort_input("{.arg levels} is {.obj_type_friendly {levels}} without a name for each item.",
                "levels", i = "Give {.code list(column = c(\"a\", \"b\"))}.", call = call)
  }
  texts <- lapply(levels, words_value_names)
  bad <- vapply(texts, function(v) length(v) < 2 || anyNA(v) || anyDuplicated(v) > 0, NA)
  wrong <- names(texts)[bad]
  if (length(wrong)) {
    abort_input("{.arg levels} has for {.val {wrong}} fewer than two, missing or repeated values.",
                "levels", i = "Give every level once.", call = call)
  }
  texts
}

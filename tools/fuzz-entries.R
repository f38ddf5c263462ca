# Calls every C entry with arguments that are wrong in one or two places. Each call must return or
# give an R error that says something, must leave its arguments as they are, and must end in time.
# `Rscript tools/fuzz-entries.R [CALLS] [ENTRY] [FIRST]`: CALLS an entry (10000). After a crash,
# out/last-call.txt names the call; give its entry and number to repeat it: 1 ENTRY NUMBER.
source("tools/entries.R")
options(warn = -1)
given <- commandArgs(TRUE)
calls <- if (length(given) >= 1) as.integer(given[[1]]) else 10000L
first <- if (length(given) >= 3) as.integer(given[[3]]) else 1L
seconds_a_call <- 30

strangers <- list(
  NULL, TRUE, NA, 1L, 1.5, "a", NA_character_, 1i, raw(2), list(), quote(a), quote(f(x)), mean,
  globalenv(), matrix(1, 2, 2), factor("a")
)
wrong_numbers <- c(NA, NaN, Inf, -Inf, -1, 0, -0.5, 1e308, 1e-310, 2^31, 2^53, -2^31)
wrong_integers <- c(NA, -1L, 0L, 1L, .Machine$integer.max, -.Machine$integer.max)

pick <- function(values) values[[sample.int(length(values), 1)]]
wrong_number <- function(value) pick(if (is.integer(value)) wrong_integers else wrong_numbers)

# Functions that return their value with one thing wrong.
spoilers <- list(
  stranger = function(value) pick(strangers),
  recast = function(value) {
    storage.mode(value) <- pick(c("integer", "double", "character", "list", "logical"))
    value
  },
  empty = function(value) value[0],
  shorter = function(value) value[-length(value)],
  longer = function(value) c(value, value),
  one_number = function(value) {
    value[sample.int(length(value), 1)] <- wrong_number(value)
    value
  },
  all_numbers = function(value) {
    value[] <- wrong_number(value)
    value
  },
  turned = function(value) {
    dim(value) <- if (is.null(dim(value))) c(1, length(value)) else rev(dim(value))
    value
  },
  flat = function(value) as.vector(value),
  reordered = function(value) rev(value),
  unnamed = function(value) unname(value)
)

# `value` with one wrong thing, anywhere inside a list or an S4 object. Where a spoiler does not
# apply (a number in a function, say), one of `strangers` takes the place of the value.
spoil <- function(value) {
  inside <- runif(1) < 0.8
  if (is.list(value) && length(value) && inside) {
    place <- sample.int(length(value), 1)
    value[place] <- list(spoil(value[[place]]))
  } else if (isS4(value) && inside) {
    slot <- pick(setdiff(names(attributes(value)), "class"))
    attr(value, slot) <- spoil(attr(value, slot))
  } else if (isS4(value)) {
    value <- pick(strangers) # a spoiler may crash in Matrix if a slot is spoiled already
  } else {
    value <- tryCatch(pick(spoilers)(value), error = function(e) pick(strangers))
  }
  value
}

spoil_arguments <- function(arguments) {
  for (place in sample.int(length(arguments), sample.int(2, 1), replace = TRUE)) {
    arguments[place] <- list(spoil(arguments[[place]]))
  }
  arguments
}

copy <- function(value) unserialize(serialize(value, NULL))

# "returned", or the message of the error.
outcome <- function(entry, arguments) {
  setTimeLimit(elapsed = seconds_a_call, transient = TRUE)
  on.exit(setTimeLimit())
  tryCatch({
    eval(entry_call(entry, arguments))
    "returned"
  }, error = conditionMessage)
}

fuzz_entry <- function(name, entry) {
  outcomes <- character(calls)
  for (i in seq_len(calls)) {
    number <- first + i - 1L
    set.seed(number)
    arguments <- suppressMessages(spoil_arguments(pick(entry$calls)))
    before <- copy(arguments)
    writeLines(paste(name, number), "out/last-call.txt")
    outcomes[[i]] <- outcome(entry, arguments)
    if (!nzchar(outcomes[[i]])) stop(name, " ", number, ": an error without a message")
    if (grepl("time limit", outcomes[[i]])) stop(name, " ", number, ": ", outcomes[[i]])
    if (!identical(arguments, before, ignore.environment = TRUE)) {
      stop(name, " ", number, ": an argument was written to")
    }
  }
  refused <- outcomes[outcomes != "returned"]
  cat(name, ": ", calls - length(refused), " returned, ", length(refused), " refused with ",
      length(unique(refused)), " different messages\n", sep = "")
  common <- sort(table(refused), decreasing = TRUE)
  writeLines(c(paste("  ", common, names(common)))[seq_len(min(10, length(common)))])
}

entries <- registered_entries()
if (length(given) >= 2) entries <- entries[given[[2]]]
dir.create("out", showWarnings = FALSE)
for (name in names(entries)) fuzz_entry(name, entries[[name]])
invisible(file.remove("out/last-call.txt"))

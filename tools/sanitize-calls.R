# Calls every C entry with its valid arguments: `Rscript tools/sanitize-calls.R [torture]`.
# Small on purpose: it runs under valgrind, or with a garbage collection at every allocation of the
# entry ("torture"), which brings out memory that is used without protection.
source("tools/entries.R")
torture <- identical(commandArgs(TRUE), "torture")

# Times are no part of a result.
timeless <- function(result) {
  if (!is.list(result)) return(result)
  lapply(if (is.null(names(result))) result else result[names(result) != "seconds"], timeless)
}

entries <- registered_entries()
for (name in names(entries)) {
  for (arguments in entries[[name]]$calls) {
    call <- entry_call(entries[[name]], arguments)
    expected <- eval(call)
    gctorture(torture)
    result <- eval(call)
    gctorture(FALSE)
    if (!identical(timeless(result), timeless(expected))) stop(name, ": a second call gave another result")
  }
  cat(name, ": ", length(entries[[name]]$calls), " calls\n", sep = "")
}

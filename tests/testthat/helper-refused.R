# Expects calls to fail, each followed by what it fails with: the argument that the error's class names, and what the
# first sentence of the message has to name: arguments, values, numbers. Other words may be mended without it. An error
# of another package has its class before the colon.
expect_refused <- function(...) {
  env <- parent.frame()
  both <- matrix(as.list(substitute(list(...)))[-1], 2)
  for (k in seq_len(ncol(both))) {
    call <- both[[1, k]]
    error <- tryCatch({
      eval(call, env)
      NULL
    }, error = identity)
    wanted <- strsplit(both[[2, k]], ":( |$)")[[1]]
    refused <- if (is.null(error)) "nothing" else sub("transelect_error_", "", class(error)[1], fixed = TRUE)
    headline <- gsub("\\s+", " ", error$message)
    named <- regmatches(wanted[2], gregexpr("`[^`]+`|\"[^\"]*\"|[^ ]+", wanted[2]))[[1]]
    named <- named[!is.na(named)]
    lacks <- named[!vapply(named, grepl, NA, headline, fixed = TRUE)]
    expect(refused == wanted[1] && !length(lacks), paste0(
      paste(deparse(call, width.cutoff = 200), collapse = " "), "\n  is refused for ", refused, ", not for ", wanted[1],
      if (length(lacks)) paste0(", or does not name ", toString(lacks)), ".\n  ", headline
    ))
  }
}

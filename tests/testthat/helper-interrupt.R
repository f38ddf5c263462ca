# The last output of an R session that runs `lines` and is interrupted after each call of ready() in them, so not while
# R starts, loads packages or forks: `delay` seconds later, or as many as the argument of ready() says.
interrupted_session <- function(lines, delay = 0) {
  dir <- tempfile("interrupt")
  dir.create(dir)
  on.exit(unlink(dir, recursive = TRUE))
  at <- function(name) shQuote(file.path(dir, name), type = "sh")
  wait <- "i=0; while [ ! -e \"$1\" ] && [ $i -lt 600 ]; do sleep .1; i=$((i + 1)); done"
  writeLines(c(wait, "sleep $3; kill -INT $2"), file.path(dir, "send"))
  writeLines(c(
    sprintf(".libPaths(c(%s))", paste(shQuote(.libPaths(), type = "sh"), collapse = ", ")),
    "library(transelect)",
    "calls <- 0",
    # the process that sends the interrupt is started first and signalled last: system() blocks interrupts
    sprintf("ready <- function(delay = %s) {", delay),
    "  calls <<- calls + 1",
    sprintf("  go <- paste0(%s, calls)", at("go")),
    sprintf("  system(paste('sh', %s, go, Sys.getpid(), delay, '&'))", at("send")),
    "  invisible(file.create(go))",
    "}",
    lines
  ), file.path(dir, "script.R"))
  # a background job may ignore interrupts, and since 4.6 R leaves them ignored
  listening <- "env --default-signal=INT "
  able <- suppressWarnings(system(paste0(listening, "true"), ignore.stdout = TRUE, ignore.stderr = TRUE)) == 0
  said <- system(paste0(if (able) listening, shQuote(file.path(R.home("bin"), "Rscript")), " --vanilla ",
                        shQuote(file.path(dir, "script.R")), " 2>&1"), intern = TRUE)
  utils::tail(said, 1)
}

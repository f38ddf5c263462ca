# The progress of work that lasts, by progressr or cli.

progress_state <- new.env(parent = emptyenv())

progress_state$busy <- FALSE

# A function of `done` (and `all`, 0 where the end is not known) to call as the work goes on, until the function that
# asked for it returns; NULL where nobody is shown the progress.
progress_new <- function(what, total = 0, envir = rlang::caller_env(), told = isNamespaceLoaded("progressr")) {
  if (progress_state$busy) return(NULL)
  if (!told && !isTRUE(getOption("transelect.progress", interactive() && rlang::is_interactive()))) return(NULL)
  progress_silence_nested(envir)
  if (told) progress_by_progressr(what, total, envir) else progress_by_cli(what, total, envir)
}

# Silences progress of work within the call of `envir`.
progress_silence_nested <- function(envir) {
  if (progress_state$busy) return(invisible())
  progress_state$busy <- TRUE
  do.call(on.exit, list(bquote(assign("busy", FALSE, envir = .(progress_state))), add = TRUE), envir = envir)
}

# The progress in percent where the end is known, otherwise in words.
progress_by_progressr <- function(what, total, envir) {
  signal <- progressr::progressor(steps = 100, label = what, envir = envir)
  shown <- 0
  function(done, all = total) {
    here <- if (all > 0) min(100, floor(100 * done / all)) else shown
    message <- paste0(what, ": ", signif(done, 3), if (all > 0) paste(" of", signif(all, 3)))
    signal(message, amount = here - shown)
    shown <<- here
  }
}

progress_by_cli <- function(what, total, envir) {
  bar <- cli::cli_progress_bar(what, total = if (total > 0) total else NA, .envir = envir)
  function(done, all = total) {
    cli::cli_progress_update(set = done, total = if (all > 0) all else NA, id = bar, .envir = envir)
  }
}

# Runs `code`, during which the kernels report their progress.
progress_during <- function(what, code) {
  tell <- progress_new(what)
  if (!is.null(tell)) {
    .Call(C_progress, tell)
    on.exit(.Call(C_progress, NULL), add = TRUE)
  }
  code
}

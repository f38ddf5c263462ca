# Progress of work that may take seconds. Where the package progressr is loaded, it is told, and the user
# decides; else cli shows a bar in an interactive session, once the work has taken two seconds, with an
# estimate of the rest where the end is known. Work within work that is shown already is silent.

progress_state <- new.env(parent = emptyenv())
progress_state$busy <- FALSE

# A function of `done` (and `all`, 0 where the end is not known) to call as the work goes on, until the function that
# asked for it returns; NULL where nobody is shown the progress.
new_progress <- function(what, total = 0, envir = rlang::caller_env(), told = isNamespaceLoaded("progressr")) {
  if (progress_state$busy) return(NULL)
  if (!told && !isTRUE(getOption("transelect.progress", interactive() && rlang::is_interactive()))) return(NULL)
  silence_nested(envir)
  if (told) progress_by_progressr(what, total, envir) else progress_by_cli(what, total, envir)
}

# Silences progress of work within the call of `envir`.
silence_nested <- function(envir) {
  if (progress_state$busy) return(invisible())
  progress_state$busy <- TRUE
  do.call(on.exit, list(bquote(assign("busy", FALSE, envir = .(progress_state))), add = TRUE), envir = envir)
}

# In hundredths of the whole where there is one, in words else.
progress_by_progressr <- function(what, total, envir) {
  signal <- progressr::progressor(steps = 100, label = what, envir = envir)
  at <- 0
  function(done, all = total) {
    here <- if (all > 0) min(100, floor(100 * done / all)) else at
    message <- paste0(what, ": ", signif(done, 3), if (all > 0) paste(" of", signif(all, 3)))
    signal(message, amount = here - at)
    at <<- here
  }
}

progress_by_cli <- function(what, total, envir) {
  bar <- cli::cli_progress_bar(what, total = if (total > 0) total else NA, .envir = envir)
  function(done, all = total) {
    cli::cli_progress_update(set = done, total = if (all > 0) all else NA, id = bar, .envir = envir)
  }
}

# Runs `code`, during which the kernels report their progress.
with_progress_of <- function(what, code) {
  tell <- new_progress(what)
  if (!is.null(tell)) {
    .Call(C_progress, tell)
    on.exit(.Call(C_progress, NULL), add = TRUE)
  }
  code
}

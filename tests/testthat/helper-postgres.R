# A PostgreSQL server of our own for the tests: a Unix socket and data in the session's temporary
# folder, nothing on the network. Started when first asked for, stopped when R ends.

postgres <- new.env()

# A connection, or the test is skipped with the reason.
local_postgres <- function(env = parent.frame()) {
  skip_on_cran()
  skip_if_not_installed("DBI")
  skip_if_not_installed("RPostgreSQL")
  start_postgres()
  if (!is.null(postgres$reason)) skip(postgres$reason)
  con <- connect_postgres()
  DBI::dbClearResult(DBI::dbSendQuery(con, "SET client_min_messages = warning"))
  defer_to(env, function() suppressWarnings(try(DBI::dbDisconnect(con), silent = TRUE)))
  con
}

connect_postgres <- function() {
  DBI::dbConnect(RPostgreSQL::PostgreSQL(), host = postgres$socket, port = 5432,
                 user = postgres$user, dbname = "postgres")
}

# Calls f() when the function or test whose frame is `env` ends.
defer_to <- function(env, f) do.call(on.exit, list(as.call(list(f)), add = TRUE), envir = env)

start_postgres <- function() {
  if (!is.null(postgres$socket) || !is.null(postgres$reason)) return(invisible())
  postgres$reason <- tryCatch(try_postgres(), error = function(e) {
    paste("PostgreSQL did not start:", conditionMessage(e))
  })
}

# NULL when the server runs, otherwise why not.
try_postgres <- function() {
  if (.Platform$OS.type != "unix") return("PostgreSQL is started on Unix only")
  if (nzchar(Sys.getenv("LD_PRELOAD"))) return("PostgreSQL is not started under a sanitizer")
  bin <- postgres_folder()
  if (is.null(bin)) return("PostgreSQL's initdb and pg_ctl are not installed")
  root <- Sys.info()[["effective_user"]] == "root"
  postgres$user <- if (root) "postgres" else Sys.info()[["effective_user"]]
  if (root && system2("id", "postgres", stdout = FALSE, stderr = FALSE) != 0) {
    return("PostgreSQL does not run as root and there is no user postgres")
  }
  home <- tempfile("pg")
  if (nchar(home) > 80) return("The temporary folder's name is too long for a socket")
  dir.create(home)
  if (root) {
    Sys.chmod(tempdir(), "0711")
    system2("chown", c("postgres", home))
  }
  postgres$run <- function(command, wait = TRUE) {
    if (root) command <- paste("runuser -u postgres --", command)
    if (!wait && nzchar(Sys.which("setsid"))) command <- paste("setsid", command)
    system(paste(command, ">>", shQuote(paste0(home, ".log")), "2>&1 < /dev/null"), wait = wait)
  }
  data <- file.path(home, "data")
  ctl <- shQuote(file.path(bin, "pg_ctl"))
  init <- paste(shQuote(file.path(bin, "initdb")), "-D", data, "--no-sync -A trust -E UTF8",
                "--locale=C", "-U", postgres$user)
  if (postgres$run(init) != 0) return(paste("initdb failed:", last_line(home)))
  options <- paste0("-c listen_addresses='' -c fsync=off -c shared_buffers=32MB -k ", home)
  start <- paste(ctl, "-D", data, "-w -t 30 -l", file.path(home, "server.log"), "-o",
                 shQuote(options), "start")
  if (postgres$run(start) != 0) return(paste("pg_ctl failed:", last_line(home)))
  stop <- paste(ctl, "-D", data, "-m immediate stop")
  postgres$stop <- function() postgres$run(stop)
  reg.finalizer(postgres, function(e) e$stop(), onexit = TRUE)
  postgres$run(paste("sh -c", shQuote(paste(watch_r(), stop))), wait = FALSE)
  postgres$socket <- home
  NULL
}

# Shell that waits until this R process is gone, should it be killed before it can stop the server.
watch_r <- function() {
  pid <- Sys.getpid()
  alive <- sprintf("kill -0 %d || [ -d /proc/%d ]", pid, pid)
  paste0("trap '' HUP INT TERM; while ", alive, "; do sleep 2; done 2> /dev/null;")
}

last_line <- function(home) utils::tail(readLines(paste0(home, ".log"), warn = FALSE), 1)

# Where initdb and pg_ctl are: on the path, or in Debian's place, the newest.
postgres_folder <- function() {
  found <- dirname(Sys.which("pg_ctl"))
  places <- c(if (nzchar(found)) found, rev(Sys.glob("/usr/lib/postgresql/*/bin")))
  places <- places[file.exists(file.path(places, "initdb"), file.path(places, "pg_ctl")) &
                     nzchar(places)]
  if (length(places)) places[[1]]
}

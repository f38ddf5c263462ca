# A Slurm of one node on the loopback interface, for the length of one test file. Everything it
# needs, writes and listens to is in one folder; munged, slurmctld and slurmd are ended by the ids
# in their own pid files.

# Why this machine cannot have one; NULL where it can.
no_slurm_because <- function() {
  if (!requireNamespace("future.batchtools", quietly = TRUE)) {
    return("the package future.batchtools is not installed")
  }
  if (!requireNamespace("future.apply", quietly = TRUE)) {
    return("the package future.apply is not installed")
  }
  programs <- c("munged", "slurmctld", "slurmd", "sinfo", "sbatch", "scancel")
  absent <- programs[!nzchar(slurm_program(programs))]
  if (length(absent) > 0) {
    return(paste("not installed:", paste(absent, collapse = ", ")))
  }
  if (!identical(Sys.info()[["effective_user"]], "root")) {
    return("slurmd must be started by root")
  }
  NULL
}

# Full names; daemons are often outside the path of a user.
slurm_program <- function(programs) {
  vapply(programs, function(program) {
    places <- c(Sys.which(program), file.path(c("/usr/sbin", "/usr/local/sbin", "/sbin"), program))
    c(places[file.exists(places)], "")[[1]]
  }, "")
}

# Starts it in a new folder and waits until its node takes jobs; the folder, to be given to
# stop_slurm(), or a skipped test. Until then SLURM_CONF is set, USER, whose jobs batchtools asks
# for, and R_LIBS, so that jobs have the libraries of this session.
start_slurm <- function(seconds = 20) {
  dir <- tempfile("slurm")
  for (part in c("", "state", "spool", "log")) dir.create(file.path(dir, part), mode = "0755")
  at <- function(...) file.path(dir, ...)
  key <- file("/dev/urandom", "rb", raw = TRUE)
  writeBin(readBin(key, "raw", 128), at("key"))
  close(key)
  Sys.chmod(at("key"), "0400")
  writeLines(slurm_configuration(dir), at("slurm.conf"))
  slurm <- structure(dir, before = Sys.getenv(c("SLURM_CONF", "USER", "R_LIBS"), NA))
  libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
  Sys.setenv(SLURM_CONF = at("slurm.conf"), USER = "root", R_LIBS = libraries)
  run_daemon("munged", c(
    "--force", paste0("--key-file=", at("key")), paste0("--socket=", at("munge")),
    paste0("--pid-file=", at("munged.pid")), paste0("--log-file=", at("log", "munged")),
    paste0("--seed-file=", at("seed"))
  ))
  run_daemon("slurmctld", c("-f", at("slurm.conf")))
  run_daemon("slurmd", c("-f", at("slurm.conf")))
  guard_slurm(dir)
  idle <- wait_until(seconds, {
    state <- run_daemon("sinfo", c("--noheader", "--format=%T"), stdout = TRUE)
    any(grepl("^idle", state))
  })
  if (!idle) {
    log <- unlist(lapply(list.files(at("log"), full.names = TRUE), readLines, warn = FALSE))
    stop_slurm(slurm)
    errors <- c(grep("error", log, value = TRUE), grep("fatal", log, value = TRUE))
    errors <- utils::tail(errors, 2)
    testthat::skip(paste("Slurm did not start:", paste(errors, collapse = "; ")))
  }
  slurm
}

# Ends the daemons should this session be killed before it does so itself. It keeps their ids, since
# the folder may go with the session, and ends only what was started with that folder.
guard_slurm <- function(dir) {
  script <- c(
    sprintf("while kill -0 %d && [ -d '%s' ]; do", Sys.getpid(), dir),
    sprintf("  ids=$(cat '%s'/*.pid) && last=$ids; sleep 1", dir),
    "done",
    sprintf("for id in $last; do grep -aq '%s' /proc/$id/cmdline && kill $id; done", dir)
  )
  system2("sh", c("-c", shQuote(paste(script, collapse = "\n"))), stdout = FALSE, stderr = FALSE,
          wait = FALSE)
}

run_daemon <- function(program, args, stdout = FALSE) {
  suppressWarnings(system2(slurm_program(program), args, stdout = stdout, stderr = FALSE))
}

# Checks every quarter of a second.
wait_until <- function(seconds, condition) {
  condition <- substitute(condition)
  where <- parent.frame()
  for (i in seq_len(4 * seconds)) {
    if (isTRUE(eval(condition, where))) return(TRUE)
    Sys.sleep(.25)
  }
  FALSE
}

slurm_configuration <- function(dir) {
  host <- sub("[.].*", "", Sys.info()[["nodename"]])
  port <- 20000 + 2 * (Sys.getpid() %% 10000)
  at <- function(...) file.path(dir, ...)
  c(
    "ClusterName=one",
    paste0("SlurmctldHost=", host, "(127.0.0.1)"),
    paste0("SlurmctldPort=", port), paste0("SlurmdPort=", port + 1),
    "SlurmUser=root", "SlurmdUser=root",
    "AuthType=auth/munge", paste0("AuthInfo=socket=", at("munge")), "CredType=cred/munge",
    "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "MpiDefault=none",
    "SelectType=select/cons_tres", "SelectTypeParameters=CR_Core",
    "SlurmdParameters=config_overrides", "ReturnToService=2",
    "SchedulerParameters=batch_sched_delay=0,sched_min_interval=0",
    paste0("StateSaveLocation=", at("state")), paste0("SlurmdSpoolDir=", at("spool")),
    paste0("SlurmctldPidFile=", at("slurmctld.pid")), paste0("SlurmdPidFile=", at("slurmd.pid")),
    paste0("SlurmctldLogFile=", at("log", "slurmctld")),
    paste0("SlurmdLogFile=", at("log", "slurmd")),
    paste0("NodeName=", host, " NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN"),
    paste0("PartitionName=tests Nodes=", host, " Default=YES MaxTime=60 State=UP")
  )
}

# Ends the jobs, then the daemons.
stop_slurm <- function(slurm) {
  run_daemon("scancel", "--user=root")
  for (daemon in c("slurmd", "slurmctld", "munged")) {
    file <- file.path(slurm, paste0(daemon, ".pid"))
    id <- if (file.exists(file)) suppressWarnings(as.integer(readLines(file, n = 1)))
    if (length(id) != 1 || is.na(id)) next
    tools::pskill(id, tools::SIGTERM)
    gone <- wait_until(5, !file.exists(file) || !tools::pskill(id, 0))
    if (!gone) tools::pskill(id, tools::SIGKILL)
  }
  before <- attr(slurm, "before")
  Sys.unsetenv(names(before)[is.na(before)])
  if (!all(is.na(before))) do.call(Sys.setenv, as.list(before[!is.na(before)]))
  unlink(slurm, recursive = TRUE)
}

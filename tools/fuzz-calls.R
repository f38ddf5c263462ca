# Calls the exported functions and their methods with random arguments, right and wrong ones. A call must return, or
# stop with an error of this package's classes; it must leave the caller's objects, options, devices and random numbers
# as they are, and end in time.
# `Rscript tools/fuzz-calls.R [CALLS] [FIRST]`: CALLS calls (100000), numbered from FIRST (1), in processes of
# 500. `Rscript tools/fuzz-calls.R call NUMBER` shows one and repeats it. Findings go to out/fuzz-calls.csv.
source("tools/fuzz-values.R")
SECONDS_A_CALL <- 20
CALLS_A_PROCESS <- 500

pick <- function(values) values[[sample.int(length(values), 1)]]

# ---- the functions

# One row a function or method: its name, the class of its first argument ("" for any), its arguments.
functions_to_call <- function() {
  loadNamespace("transelect")
  space <- asNamespace("transelect")
  methods <- getNamespaceInfo(space, "S3methods")[, 1:3]
  # without generics that are not exported, or that belong to packages that need not be here
  called <- vapply(methods[, 1], function(generic) generic == "autoplot" || exists(generic, mode = "function"), NA)
  methods <- methods[called & !methods[, 2] %in% "transfer_frame" & !grepl("<-$", methods[, 1]), ]
  fitters <- methods[methods[, 2] == "formula", 1]
  plain <- setdiff(getNamespaceExports(space), methods[, 1])
  of_method <- lapply(seq_len(nrow(methods)), function(i) {
    formals <- as.list(formals(get0(methods[i, 3], space) %||% utils::getFromNamespace(methods[i, 3], "transelect")))
    if (methods[i, 1] %in% fitters && methods[i, 2] %in% c("default", "formula")) { # what they hand on, too
      of_frames <- get0(paste0(methods[i, 1], ".transfer_frame"), space)
      formals <- c(formals, formals(of_frames)[setdiff(names(formals(of_frames)), names(formals))])
    }
    name <- if (methods[i, 1] == "autoplot") "ggplot2::autoplot" else methods[i, 1]
    list(name = name, class = methods[i, 2], formals = formals,
         takes_data = methods[i, 1] %in% fitters)
  })
  c(of_method, lapply(plain, function(name) {
    list(name = name, class = "", formals = as.list(formals(get(name, space))), takes_data = FALSE)
  }))
}

`%||%` <- function(a, b) if (is.null(a)) b else a

# Half of the calls go to the functions that take data.
pick_function <- function(functions) {
  takes_data <- vapply(functions, `[[`, NA, "takes_data")
  pick(functions[takes_data == (runif(1) < 0.5)])
}

# ---- a call

# Strings that the function itself lists as choices.
own_choices <- function(default) {
  if (is.call(default) && identical(default[[1]], quote(c))) Filter(is.character, as.list(default)[-1])
}

# A call of the constructor with one to three settings, or a list of these.
a_control <- function(constructor) {
  formals <- as.list(formals(get(constructor)))
  formals <- formals[names(formals) != "..."]
  given <- sample(names(formals), sample(3, 1))
  as.call(c(as.name(pick(c(constructor, constructor, "list"))), Map(an_argument, given, formals[given])))
}

an_argument <- function(name, default) {
  if (name == "control" && runif(1) < 0.9) return(a_control(as.character(default[[1]])))
  known <- own_choices(default)
  if (!length(known)) known <- arguments[[name]] %||% strangers
  luck <- runif(1)
  if (luck < 0.8) return(pick(known))
  if (luck < 0.9) return(pick(strangers))
  do.call("substitute", list(pick(spoilers), list(. = pick(known))))
}

# The first argument is of the class of the method; arguments without a default are nearly always given.
make_call <- function(f) {
  formals <- f$formals[!names(f$formals) %in% c("...", "call")] # `call` is for those who write methods
  needed <- vapply(formals, function(default) identical(default, quote(expr = )), NA)
  few <- if (runif(1) < 0.3) 0.6 else 1.5
  given <- runif(length(formals)) < ifelse(needed, 0.97, few / max(1, sum(!needed)))
  if (nzchar(f$class) && length(given)) given[1] <- TRUE
  values <- Map(an_argument, names(formals)[given], formals[given])
  of_class <- if (f$class == "default") NULL else objects[[f$class]]
  if (!is.null(of_class)) values[[1]] <- pick(of_class)
  if ("fit" %in% names(values) && runif(1) < 0.5) values$max_steps <- quote(3)
  if (f$name == "compare_paths") values <- c(pick(cvs), pick(cvs))
  if (runif(1) < 0.03) values <- c(values, list(bogus = 1))
  if (length(values) && runif(1) < 0.9) names(values)[1] <- ""
  as.call(c(str2lang(sub("^\\[$", "`[`", f$name)), values))
}

# Arguments that cannot be evaluated by themselves (columns of `data` apart) say nothing about the function.
sound <- function(call, case) {
  inside <- list2env(as.list(case$data), parent = case)
  good <- vapply(as.list(call)[-1], function(argument) {
    # a fit is made in the call itself, so that its errors count
    calls_us <- is.call(argument) && as.character(argument[[1]])[1] %in% getNamespaceExports("transelect")
    calls_us || !inherits(try(eval(argument, inside), silent = TRUE), "try-error")
  }, NA)
  call[c(TRUE, good)]
}

numbered_call <- function(number, functions) {
  set.seed(number, "Mersenne-Twister", "Inversion", "Rejection")
  case <- make_case()
  call <- make_call(pick_function(functions))
  list(case = case, call = suppressWarnings(sound(call, case)))
}

# ---- what a call does

# Functions and arguments that may draw random numbers, and functions of the caller, which may do anything.
may_draw <- c(
  "cv_path", "selection_frequency", "make_folds", "simulate_domains", "similarity_pairs", "dissimilarity", "pieces",
  "candidates", "function", "simulate", "conformal"
)
unclear_words <- paste(
  "subsettable|TRUE/FALSE needed|subscript out of|non-numeric argument|undefined columns|unused argument|cannot coerce",
  "incorrect number of|not found$|invalid 'type'|non-conformable|replacement has|argument is of length",
  "cannot take a sample", sep = "|"
)

# What lm() says of the same formula, data, subset and na.action, and R of an argument that is not there or unknown.
of_base <- paste(
  "^variable lengths differ|^object '(nothing|a|x1|site)' not found|^could not find function \"(a|f)\"",
  "no 'data' argument",
  "is missing, with no default|^unused argument|^missing values in object|arguments passed to '(dim|names)'",
  "^The package .dials. is required|^'decreasing' must be a length-1", sep = "|"
)

# What generics of other packages say of an object that is not of this package, or is none any more (`unname(fit)`).
of_generics <- paste(
  "^no applicable method for|^Objects of class .* not supported by autoplot|^cannot coerce class",
  "does not have components 'x'",
  "^\\$ operator is invalid for atomic|^invalid printing digits|^need finite '.lim'|^'decreasing' must be",
  "^argument is of length",
  "^non-numeric argument to binary|^invalid printing width|^invalid 'na.print'|^invalid value -?[0-9]+ for 'digits'",
  "^subscript out of bounds", sep = "|"
)
# Warnings of what a caller writes in an argument, as as.integer("a").
of_callers <- paste(
  "^NAs introduced by coercion|not meaningful for factors|invalid factor level|timedatectl|^cannot xtfrm data frames",
  "^no non-missing arguments to|other than 'drop' are|is not a graphical parameter|^imaginary parts discarded",
  "^Setting class\\(x\\) to multiple strings",
  "^prediction from a rank-deficient fit", sep = "|"
)

# Is the first argument of a call, of a generic of another package, an object of this package?
of_ours <- function(one) {
  name <- sub(".*::", "", deparse(one$call[[1]])[1])
  if (exists(name, asNamespace("transelect"), inherits = FALSE)) return(TRUE)
  first <- if (length(one$call) > 1) {
    try(suppressWarnings(suppressMessages(eval(one$call[[2]], one$case))), silent = TRUE)
  }
  whole <- is.list(first) && length(names(first)) == length(first) && length(first) > 0
  methods <- getNamespaceInfo("transelect", "S3methods")[, 1:2]
  whole && any(methods[methods[, 1] == name, 2] %in% class(first))
}

# What the call must leave as it is.
surroundings <- function(case) {
  eager <- c("x", "y", "two", "three", "domain", "w", "zero", "foldid", "h", "data", "new")
  list(objects = serialize(mget(eager, case), NULL), options = options()[names(options()) != "cli.num_colors"],
       device = grDevices::dev.cur(), sinks = sink.number(), folder = getwd())
}

not_finite <- function(value) {
  numbers <- if (inherits(value, "transfer_path")) c(unlist(value$a0), unlist(lapply(c(value$beta), function(b) b@x)))
  any(!is.finite(numbers))
}

# Findings of a call, a named character vector; "returned" or "refused" comes first.
try_call <- function(one) {
  found <- character()
  add <- function(kind, what) found <<- c(found, stats::setNames(gsub("[[:space:]]+", " ", what), kind))
  before <- surroundings(one$case)
  random <- globalenv()$.Random.seed
  start <- proc.time()[["elapsed"]]
  setTimeLimit(elapsed = SECONDS_A_CALL, transient = TRUE)
  value <- tryCatch(
    withCallingHandlers(
      {
        utils::capture.output(value <- withVisible(eval(one$call, one$case)))
        add("returned", class(value$value)[1])
        value$value
      },
      warning = function(w) {
        if (!inherits(w, "rlang_warning") && !grepl(of_callers, conditionMessage(w)) && of_ours(one)) {
          add("base warning", conditionMessage(w))
        }
        tryInvokeRestart("muffleWarning")
      },
      message = function(m) tryInvokeRestart("muffleMessage")
    ),
    error = function(e) {
      said <- conditionMessage(e)
      add("refused", class(e)[1])
      if (grepl("time limit", said)) {
        add("hang", said)
      } else if (grepl(of_base, said) || grepl("^no applicable method for", said) ||
                 !inherits(e, "transelect_error") && !of_ours(one)) {
        add("refused", "base")
      } else if (!inherits(e, c("transelect_error", "rlib_error_dots"))) {
        add("unclear", said)
      } else if (grepl(unclear_words, full <- paste(said, conditionMessage(e$parent %||% e)))) {
        add("unclear inside", full)
      } else if (!nzchar(said)) {
        add("unclear", "an error without a message")
      }
      NULL
    }
  )
  setTimeLimit()
  seconds <- proc.time()[["elapsed"]] - start
  if (seconds > SECONDS_A_CALL) add("hang", sprintf("%.0f seconds", seconds))
  if (not_finite(value)) add("not finite", "a coefficient is NA or infinite")
  after <- surroundings(one$case)
  # options that appear are those of packages that a call loads
  after$options <- after$options[names(before$options)]
  for (part in names(before)) if (!identical(before[[part]], after[[part]])) add("left behind", part)
  drawn <- !identical(random, globalenv()$.Random.seed)
  given <- c(all.names(one$call), names(one$call), names(one$call[["control"]]))
  if (drawn && !any(given %in% may_draw)) add("left behind", "random numbers")
  found
}

# ---- processes

text_of <- function(call) substr(paste(deparse(call, width.cutoff = 500), collapse = " "), 1, 400)

# Calls in this process; each writes its number before it starts and its findings at its end.
run_calls <- function(first, last, file) {
  suppressPackageStartupMessages(library(transelect))
  functions <- functions_to_call()
  grDevices::pdf(NULL)
  for (number in first:last) {
    cat(number, file = paste0(file, ".begun"))
    one <- numbered_call(number, functions)
    found <- try_call(one)
    rows <- data.frame(number = number, kind = names(found), said = unname(found), call = text_of(one$call))
    utils::write.table(rows, file, append = TRUE, sep = ",", row.names = FALSE, col.names = FALSE, qmethod = "double")
  }
}

# A process for each batch; after a crash or a hang the next one goes on behind the call that did it.
run_batches <- function(calls, first) {
  dir.create("out", showWarnings = FALSE)
  file <- "out/fuzz-calls.csv"
  cat("number,kind,said,call\n", file = file)
  last <- first + calls - 1
  while (first <= last) {
    until <- min(last, first + CALLS_A_PROCESS - 1)
    batch <- c(1500, "Rscript", "tools/fuzz-calls.R", "calls", first, until)
    status <- system2("timeout", batch, stdout = FALSE, stderr = FALSE)
    if (status != 0) {
      until <- as.integer(readLines(paste0(file, ".begun"), warn = FALSE))
      kind <- if (status == 124) "hang" else "crash"
      cat(until, kind, paste("status", status), "\n", sep = ",", file = file, append = TRUE)
    }
    first <- until + 1
  }
  summarise(utils::read.csv(file))
}

# Counts by kind, then what was said, most frequent first, each with the number of a call.
summarise <- function(rows) {
  print(sort(table(rows$kind), decreasing = TRUE))
  told <- rows[!rows$kind %in% c("returned", "refused"), ]
  if (!nrow(told)) return(invisible())
  told$key <- paste(told$kind, sub("\\(.*", "", told$call), gsub("[0-9.e+-]+", "#", substr(told$said, 1, 80)))
  told <- told[order(-ave(told$number, told$key, FUN = length), told$key), ]
  count <- ave(told$number, told$key, FUN = length)
  told <- cbind(told, count)[!duplicated(told$key), ]
  cat(with(told, paste0(count, " ", kind, ": ", said, "\n    ", number, ": ", call, "\n")), sep = "")
  quit(status = 1)
}

given <- commandArgs(TRUE)
if (length(given) && given[[1]] == "calls") {
  run_calls(as.integer(given[[2]]), as.integer(given[[3]]), "out/fuzz-calls.csv")
} else if (length(given) && given[[1]] == "call") {
  suppressPackageStartupMessages(library(transelect))
  one <- numbered_call(as.integer(given[[2]]), functions_to_call())
  list2env(as.list(one$case), globalenv())
  print(one$call)
  print(eval(one$call, one$case))
} else {
  numbers <- as.integer(given)
  run_batches(if (length(given)) numbers[[1]] else 100000L, if (length(given) > 1) numbers[[2]] else 1L)
}

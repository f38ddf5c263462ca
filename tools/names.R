# Stops where a name is defined twice at top level in R/, or in the helpers of the tests, or in both: the later file
# would win in silence. Then stops where an internal function does not begin with a word of its file's name, where a
# part of a method stands in another file than it does for the other methods, where a variable is named like a function
# that is called beside it, where a function uses what stands on a higher floor than its own (the numbers in the table
# of CONTRIBUTING.md), where a method uses another, or where files use each other in a circle. A routine of C stands on
# the floor of the method whose entry has it. Last, stops where the tables of bench/ quote a test that is not there,
# where bench/ calls a function that is not there, or where bench/PAPERS.md is not what its template and
# bench/RESULTS.md give.
files <- c(list.files("R", "[.]R$", full.names = TRUE),
           list.files("tests/testthat", "^helper.*[.]R$", full.names = TRUE))
assigned <- function(file) {
  defines <- function(e) is.call(e) && as.character(e[[1]])[1] %in% c("<-", "=") && is.symbol(e[[2]])
  found <- Filter(defines, as.list(parse(file, keep.source = FALSE)))
  stats::setNames(lapply(found, `[[`, 3), vapply(found, function(e) as.character(e[[2]]), ""))
}
defined <- lapply(stats::setNames(nm = files), assigned)
where <- data.frame(name = unlist(lapply(defined, names), use.names = FALSE), file = rep(files, lengths(defined)))
twice <- where[where$name %in% where$name[duplicated(where$name)], ]
if (nrow(twice)) {
  at <- tapply(twice$file, twice$name, paste, collapse = " and ")
  stop("Names defined twice:\n", paste0("  ", names(at), " in ", at, collapse = "\n"), call. = FALSE)
}

# An internal function begins with a word of its file's name (in the singular or the plural), so that its name says
# where it is. Exported functions, methods and constants are found otherwise.
exported <- sub("^export\\((.*)\\)$", "\\1", grep("^export\\(", readLines("NAMESPACE"), value = TRUE))
KNOWN <- c("describe_path", "is_calibrated", "inclusion_probability", "inclusion_is_strong",
           "predict_source", "parsnip_engine")
misplaced <- unlist(lapply(grep("^R/", files, value = TRUE), function(file) {
  functions <- Filter(function(code) is.call(code) && identical(code[[1]], quote(`function`)), defined[[file]])
  internal <- setdiff(names(functions), c(exported, KNOWN))
  internal <- internal[!grepl("[.]|^\\[", internal)]
  words <- strsplit(sub("[.]R$", "", basename(file)), "-")[[1]]
  words <- c(words, sub("s$", "", words))
  internal <- internal[!sub("_.*", "", internal) %in% words]
  if (length(internal)) paste(internal, "in", file)
}))
if (length(misplaced)) {
  stop("Names that do not begin with a word of their file:\n", paste0("  ", misplaced, collapse = "\n"), call. = FALSE)
}

# The methods have the same parts in files of the same names: what each file has to hold, of a method of several files.
# `<method>.R` has the generic and what it dispatches to, and no other file has these.
method_files <- function(m) {
  list(.R = c(m, paste0(m, c(".default", ".formula", ".transfer_frame"))), "-control.R" = paste0(m, "_control"),
       "-settings.R" = paste0(m, "_settings"), "-fit.R" = paste0(m, "_fit"), "-verbs.R" = paste0("describe_path.", m),
       "-plot.R" = paste0(c("plot.", "autoplot."), m))
}
of_frames <- sub("[.]transfer_frame$", "", grep("[.]transfer_frame$", where$name, value = TRUE))
elsewhere <- unlist(lapply(of_frames[paste0(of_frames, "_control") %in% where$name], function(m) {
  own <- grep(paste0("^R/", m, "[-.]"), files, value = TRUE)
  if (length(own) < 2) return(NULL)
  wanted <- utils::stack(method_files(m))
  is_part <- startsWith(where$name, paste0(m, "_kept_"))
  makes <- vapply(seq_along(is_part), function(k) {
    where$file[k] %in% own && "path_object_new" %in% all.names(defined[[where$file[k]]][[where$name[k]]])
  }, NA)
  wanted <- rbind(wanted, data.frame(values = where$name[is_part], ind = rep("-kept.R", sum(is_part))),
                  data.frame(values = where$name[makes], ind = rep("-object.R", sum(makes))))
  stands <- where$file[match(wanted$values, where$name)]
  there <- !is.na(stands) & !(startsWith(stands, paste0("R/", m)) & endsWith(stands, as.character(wanted$ind)))
  if (any(there)) paste0(wanted$values, " in ", stands, ", not R/", m, wanted$ind)[there]
}))
if (length(elsewhere)) {
  stop("Parts of methods in other files:\n", paste0("  ", elsewhere, collapse = "\n"), call. = FALSE)
}

# A variable is not named like a function of base R, stats or utils that the same function calls: `names(x)` beside
# `names` has to be read twice. A function that was given as an argument may be called by the argument's name, and
# arguments that users give (`class`, `family`, `row.names`) have the names that users know.
r_functions <- unlist(lapply(c("base", "stats", "utils", "graphics"), getNamespaceExports))
GIVEN <- c("call", "class", "family", "row.names")
variables_and_calls <- function(code) {
  variables <- character()
  calls <- character()
  walk <- function(e) {
    if (missing(e) || !is.call(e)) return()
    head <- if (is.symbol(e[[1]])) as.character(e[[1]]) else ""
    calls <<- c(calls, head)
    if (head %in% c("<-", "for") && is.symbol(e[[2]])) variables <<- c(variables, as.character(e[[2]]))
    if (head == "function") {
      variables <<- c(variables, names(e[[2]]))
      for (default in as.list(e[[2]])) walk(default)
      return(walk(e[[3]]))
    }
    for (part in as.list(e)) walk(part)
  }
  walk(code)
  setdiff(intersect(intersect(variables, calls), r_functions), GIVEN)
}
shadowing <- unlist(lapply(grep("^R/", files, value = TRUE), function(file) {
  both <- Filter(length, lapply(defined[[file]], variables_and_calls))
  if (length(both)) paste0(vapply(both, toString, ""), " in ", names(both), " of ", file)
}))
if (length(shadowing)) stop("Variables named like a function that is called beside them:\n",
                            paste0("  ", shadowing, collapse = "\n"), call. = FALSE)

rows <- grep("^\\| [0-9]+ \\|", readLines("CONTRIBUTING.md"), value = TRUE)
cells <- strsplit(rows, " *\\| *")
patterns <- lapply(cells, function(cell) utils::glob2rx(regmatches(cell[3], gregexpr("[^`, ]+[.]R", cell[3]))[[1]]))
r_files <- basename(grep("^R/", files, value = TRUE))
floor_of <- vapply(r_files, function(file) {
  floor <- unique(unlist(lapply(cells[vapply(patterns, function(p) any(vapply(p, grepl, NA, file)), NA)], `[[`, 2)))
  if (length(floor) == 1) as.integer(floor) else NA_integer_
}, 1L)
if (anyNA(floor_of)) {
  stop("On no floor of CONTRIBUTING.md's table, or on several: ", toString(r_files[is.na(floor_of)]), call. = FALSE)
}
# Names that code uses and does not define itself. Defaults of a function's arguments are left out: they are names of
# methods that a caller may ask for.
used_by <- function(code) {
  plain <- is.call(code) && identical(code[[1]], quote(`function`))
  arguments <- if (plain) lapply(code[[2]], function(default) quote(expr = ))
  codetools::findGlobals(eval(call("function", as.pairlist(arguments), if (plain) code[[3]] else code), baseenv()))
}
of_methods <- as.integer(cells[[grep("the methods:", rows)]][2])
routines <- readLines("src/entry/routines.h")
entry <- sub("/[*] (.*)_entry[.]c [*]/", "\\1.c", grep("^/[*].*_entry[.]c", routines, value = TRUE))
entry <- c("", entry, "")[1 + cumsum(grepl("^/[*] .*[*]/$", routines))] # the header of the file is longer
is_routine <- grepl("^SEXP", routines) & file.exists(file.path("src", sub("[.]c$", "", entry)))
where <- rbind(where, data.frame(name = sub("SEXP transelect_([a-z_]+).*", "C_\\1", routines[is_routine]),
                                 file = entry[is_routine]))
floor_of[unique(entry[is_routine])] <- of_methods
where$floor <- floor_of[basename(where$file)]
uses <- do.call(rbind, lapply(which(!is.na(where$floor) & where$file %in% files), function(k) {
  code <- defined[[where$file[k]]][[where$name[k]]]
  near <- where[which(where$floor >= where$floor[k] & where$file != where$file[k]), ]
  used <- near[near$name %in% all.names(code), ]
  if (nrow(used)) used <- used[used$name %in% used_by(code), ] # the slower look
  if (nrow(used)) data.frame(from = where$file[k], to = used$file, up = used$floor > where$floor[k],
                             says = paste("  ", where$name[k], "in", where$file[k], "uses", used$name, "in", used$file))
}))
refuse <- function(what, uses) if (nrow(uses)) stop(what, ":\n", paste(uses$says, collapse = "\n"), call. = FALSE)
refuse("Calls from a lower floor to a higher one", uses[uses$up, ])
method <- function(file) sub("[-.].*", "", basename(file))
both <- floor_of[basename(uses$from)] == of_methods & floor_of[basename(uses$to)] == of_methods
refuse("Methods that use each other", uses[both & method(uses$from) != method(uses$to), ])
while (nrow(uses) > nrow(uses <- uses[uses$from %in% uses$to & uses$to %in% uses$from, ])) NULL
refuse("Files of a floor that use each other in a circle", uses)

tables <- unlist(lapply(list.files("bench", "[.]md$", full.names = TRUE), readLines))
quoted <- unlist(regmatches(tables, gregexpr('test-[a-z-]+[.]R "[^"]+"([,;] "[^"]+")*', tables)))
lost <- unlist(lapply(quoted, function(text) {
  file <- file.path("tests/testthat", sub(" .*", "", text))
  titles <- strsplit(sub('^[^"]*"', "", sub('"$', "", text)), '"[,;] "')[[1]]
  there <- if (file.exists(file)) paste(readLines(file), collapse = "\n") else ""
  if (length(titles <- Filter(function(title) !grepl(title, there, fixed = TRUE), titles))) paste(file, titles)
}))
if (length(lost)) stop("Tests that bench/ quotes:\n", paste0("  ", lost, collapse = "\n"), call. = FALSE)

# Benchmarks call functions of their own, of R, and exported ones; a name that none of these has was renamed elsewhere.
calls_of <- function(e) {
  if (is.pairlist(e) || is.expression(e)) return(unlist(lapply(as.list(e), calls_of)))
  if (!is.call(e)) return(NULL)
  if (identical(e[[1]], quote(`::`)) || identical(e[[1]], quote(`:::`))) return(NULL)
  parts <- lapply(as.list(e), function(part) if (!missing(part)) calls_of(part))
  c(if (is.symbol(e[[1]])) as.character(e[[1]]), unlist(parts))
}
assigned_in <- function(e) {
  if (is.pairlist(e) || is.expression(e)) {
    return(c(names(e), unlist(lapply(as.list(e), function(part) if (!missing(part)) assigned_in(part)))))
  }
  if (!is.call(e)) return(NULL)
  own <- if (as.character(e[[1]])[1] %in% c("<-", "<<-", "=", "for") && is.symbol(e[[2]])) as.character(e[[2]])
  c(own, unlist(lapply(as.list(e), function(part) if (!missing(part)) assigned_in(part))))
}
bench <- lapply(list.files("bench", "[.]R$", full.names = TRUE, recursive = TRUE), parse, keep.source = FALSE)
of_r <- unlist(lapply(c("base", "stats", "utils", "methods", "graphics", "grDevices"), getNamespaceExports))
known <- c(of_r, exported, unlist(lapply(bench, assigned_in)), unlist(lapply(defined[grepl("^tests", files)], names)))
gone <- setdiff(unlist(lapply(bench, calls_of)), known)
if (length(gone)) stop("Functions that bench/ calls and nobody has: ", toString(gone), call. = FALSE)
if (system2("Rscript", c("bench/papers.R", "--check"))) stop("bench/PAPERS.md is out of date.", call. = FALSE)

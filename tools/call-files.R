# Rscript tools/call-files.R: the files of R/ whose functions run in tlcp() with domains and in cv_path() of tgreedy(),
# of the installed package. CONTRIBUTING.md names them.
library(transelect, lib.loc = if (dir.exists(".lib")) ".lib")
namespace <- asNamespace("transelect")
is_function <- function(e) is.call(e) && identical(e[[1]], quote(`<-`)) && is.call(e[[3]]) &&
  identical(e[[3]][[1]], quote(`function`))
defined <- lapply(list.files("R", "[.]R$", full.names = TRUE), function(file) {
  names <- vapply(Filter(is_function, as.list(parse(file, keep.source = FALSE))), function(e) as.character(e[[2]]), "")
  stats::setNames(rep(basename(file), length(names)), names)
})
file_of <- unlist(defined)

ran <- new.env()
tables <- list(namespace[[".__S3MethodsTable__."]], asNamespace("stats")[[".__S3MethodsTable__."]])
for (name in names(file_of)) { # each function first writes down that it ran
  f <- get0(name, namespace, inherits = FALSE)
  if (!is.function(f)) next
  environment(f) <- list2env(list(.ran = ran), parent = namespace)
  body(f) <- call("{", bquote(assign(.(name), TRUE, .ran)), body(f))
  unlockBinding(name, namespace)
  assign(name, f, namespace)
  for (table in tables) if (exists(name, table, inherits = FALSE)) assign(name, f, table)
}

set.seed(1)
x <- matrix(rnorm(495), 99)
y <- x[, 1] - x[, 2] + rnorm(99)
domain <- rep(c("a", "b", "c"), 33)
calls <- list(
  "tlcp(x, y, domain = domain, target = \"a\")" = function() namespace$tlcp(x, y, domain = domain, target = "a"),
  "tlcp(y ~ ., data, domain = domain, target = \"a\")" = function() {
    namespace$tlcp(y ~ ., data.frame(x, y), domain = domain, target = "a")
  },
  "cv_path(x, y, fit = tgreedy, domain = domain)" = function() {
    namespace$cv_path(x, y, fit = namespace$tgreedy, domain = domain)
  }
)
for (what in names(calls)) {
  rm(list = ls(ran, all.names = TRUE), envir = ran)
  calls[[what]]()
  functions <- ls(ran, all.names = TRUE)
  files <- sort(table(file_of[functions]), decreasing = TRUE)
  cat(what, ": ", length(files), " files, ", length(functions), " functions\n",
      paste0("  ", names(files), " ", files, "\n"), sep = "")
}

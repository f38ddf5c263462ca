# Stops where a name is defined twice at top level in R/, or in the helpers of the tests, or in both:
# the later file would win in silence.
files <- c(list.files("R", "[.]R$", full.names = TRUE),
           list.files("tests/testthat", "^helper.*[.]R$", full.names = TRUE))
assigned <- function(file) {
  defines <- function(e) is.call(e) && is.name(e[[1]]) && as.character(e[[1]]) %in% c("<-", "=")
  names <- lapply(Filter(defines, as.list(parse(file, keep.source = FALSE))), `[[`, 2)
  vapply(Filter(function(name) is.name(name) || is.character(name), names), as.character, "")
}
names <- lapply(stats::setNames(nm = files), assigned)
where <- data.frame(name = unlist(names, use.names = FALSE), file = rep(files, lengths(names)))
twice <- where[where$name %in% where$name[duplicated(where$name)], ]
if (nrow(twice)) {
  at <- tapply(twice$file, twice$name, paste, collapse = " and ")
  stop("Names defined twice:\n", paste0("  ", names(at), " in ", at, collapse = "\n"), call. = FALSE)
}

# Runs the examples of README.md, one after the other, stops if one prints something else than
# stands below it, and draws `d` of the first example, a dissimilarity(). From the top folder, after `make install`:
#
#   Rscript tools/readme-figure.R            check, and draw man/figures/README-path.svg
#   Rscript tools/readme-figure.R --write    first put what the examples print into README.md

.libPaths(c(".lib", .libPaths()))
text <- readLines("README.md")

# The lines of an example are those after ```r; of what it prints, those in the next fence.
fence <- grep("^```", text)
examples <- lapply(which(text == "```r"), function(from) {
  marks <- fence[fence >= from][1:4]
  between <- if (!anyNA(marks)) text[seq(marks[2] + 1, marks[3] - 1)]
  if (anyNA(marks) || text[marks[3]] != "```" || any(nzchar(between))) {
    stop("What the example of line ", from, " prints does not stand below it.")
  }
  list(code = seq_len(marks[2] - from - 1) + from, after = marks[3], before = marks[4])
})

run <- function(code, where) {
  printed <- utils::capture.output(
    for (step in parse(text = code)) {
      shown <- withVisible(eval(step, where))
      if (shown$visible) print(shown$value)
    }
  )
  trimws(printed, "right")
}

scratch <- new.env(parent = globalenv())
printed <- list()
first <- NULL
for (k in seq_along(examples)) {
  printed[[k]] <- run(text[examples[[k]]$code], scratch)
  if (is.null(first)) first <- scratch$d
}

stands <- lapply(examples, function(at) text[seq_len(at$before - at$after - 1) + at$after])
if ("--write" %in% commandArgs(trailingOnly = TRUE)) {
  for (k in rev(seq_along(examples))) {
    at <- examples[[k]]
    text <- c(text[seq_len(at$after)], printed[[k]], text[at$before:length(text)])
  }
  writeLines(text, "README.md")
} else {
  for (k in which(!mapply(identical, stands, printed))) {
    writeLines(printed[[k]])
    stop("README.md says otherwise; Rscript tools/readme-figure.R --write puts this there.")
  }
}

if (!requireNamespace("svglite", quietly = TRUE)) stop("The picture needs the package svglite.")
svglite::svglite("man/figures/README-path.svg", width = 7, height = 4.4, fix_text_size = FALSE)
plot(first, main = "May, with the help of other months")
invisible(grDevices::dev.off())
cat(length(examples), "examples; man/figures/README-path.svg\n")

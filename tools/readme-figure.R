# Runs the example of README.md, stops if it prints something else than README.md says, and draws
# the picture beside it. From the top folder, after `make install`:
#
#   Rscript tools/readme-figure.R            check, and draw man/figures/README-path.png
#   Rscript tools/readme-figure.R --write    first put what the example prints into README.md

.libPaths(c(".lib", .libPaths()))
text <- readLines("README.md")
fence <- grep("^```", text)
code_from <- match("```r", text)
output_from <- fence[fence > code_from][2]
output_to <- fence[fence > code_from][3]
code <- text[(code_from + 1):(fence[fence > code_from][1] - 1)]

scratch <- new.env()
printed <- utils::capture.output(
  for (step in parse(text = code)) {
    shown <- withVisible(eval(step, scratch))
    if (shown$visible) print(shown$value)
  }
)
printed <- trimws(printed, "right")
if ("--write" %in% commandArgs(trailingOnly = TRUE)) {
  text <- c(text[seq_len(output_from)], printed, text[output_to:length(text)])
  writeLines(text, "README.md")
} else {
  stands <- text[seq_len(output_to - output_from - 1) + output_from]
  if (!identical(stands, printed)) {
    writeLines(printed)
    stop("README.md says otherwise; Rscript tools/readme-figure.R --write puts this there.")
  }
}

grDevices::png("man/figures/README-path.png", width = 7, height = 4.4, units = "in", res = 110)
plot(scratch$fit, main = "Learning P: what enters, step by step")
invisible(grDevices::dev.off())
cat("man/figures/README-path.png\n")

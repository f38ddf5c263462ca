# What print() says, as one line: its lines break at the width of the console.
printed <- function(x, ...) gsub("\\s+", " ", paste(utils::capture.output(print(x, ...)), collapse = " "))

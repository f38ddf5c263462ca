# Makes the SVG pictures of the vignettes smaller: each style is written once, as a class, and coordinates have one digit.
knitr::opts_chunk$set(fig.process = function(file, ...) {
  text <- readLines(file, warn = FALSE)
  if (!grepl("^<[?]xml", text[1], useBytes = TRUE)) return(file)
  style <- regmatches(text, gregexpr("style='[^']*'", text))
  all <- unique(unlist(style))
  regmatches(text, gregexpr("style='[^']*'", text)) <- lapply(style, function(one) {
    sprintf("class='s%d'", match(one, all))
  })
  text <- gsub("([0-9][.][0-9])[0-9](?=[,' ][^<>]*/>)", "\\1", text, perl = TRUE) # not of labels
  rules <- sprintf(".svglite .s%d{%s}", seq_along(all), sub("^style='(.*)'$", "\\1", all))
  end <- grep("]]>", text, fixed = TRUE)[1]
  text[end] <- sub("]]>", paste0(paste(rules, collapse = ""), "]]>"), text[end], fixed = TRUE)
  writeLines(text, file)
  file
})

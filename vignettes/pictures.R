# SVG pictures of the vignettes stand in the page itself, which makes it smaller: not encoded, each style once, as a
# class of the picture, and coordinates with one digit.
svg_of_page <- function(file, name) {
  text <- readLines(file, warn = FALSE)
  style <- regmatches(text, gregexpr("style='[^']*'", text))
  all <- unique(unlist(style))
  regmatches(text, gregexpr("style='[^']*'", text)) <- lapply(style, function(one) {
    sprintf("class='%s%d'", name, match(one, all))
  })
  text <- gsub("([0-9][.][0-9])[0-9](?=[,' ][^<>]*/>)", "\\1", text, perl = TRUE) # not of labels
  rules <- sprintf(".svglite .%s%d{%s}", name, seq_along(all), sub("^style='(.*)'$", "\\1", all))
  end <- grep("]]>", text, fixed = TRUE)[1]
  text[end] <- sub("]]>", paste(rules, collapse = ""), text[end], fixed = TRUE)
  text <- sub("<![CDATA[", "", text[-1], fixed = TRUE)
  text[text != ""]
}

local({
  image <- knitr::knit_hooks$get("plot")
  pictures <- 0
  knitr::knit_hooks$set(plot = function(x, options) {
    if (!grepl("[.](svg|png)$", x) || !file.exists(x)) return(image(x, options))
    if (!identical(readBin(x, "raw", 5), charToRaw("<?xml"))) return(image(x, options))
    pictures <<- pictures + 1
    svg <- svg_of_page(x, letters[pictures])
    caption <- options$fig.cap
    words <- if (is.null(options$fig.alt)) caption else options$fig.alt
    svg[1] <- sub("<svg ", "<svg style='max-width: 100%; height: auto;' ", svg[1], fixed = TRUE)
    if (length(words)) {
      svg[1] <- sub("<svg ", sprintf("<svg role='img' aria-label='%s' ", gsub("'", "&#39;", words)), svg[1], fixed = TRUE)
    }
    paste(c("", "~~~{=html}", "<div style='text-align: center;'>", svg,
            if (length(caption)) paste0("<p class='caption'>", caption, "</p>"), "</div>", "~~~", ""), collapse = "\n")
  })
})

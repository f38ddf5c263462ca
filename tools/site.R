# Builds the web pages of the package in docs/, which work without the network and from a folder: formulas
# are written as MathML, the index of the search box is a script, and pkgdown/extra.js takes the place of
# the scripts that pkgdown loads from the network. `Rscript tools/site.R` from the project root, or
# `make site`.
options(pkgdown.internet = FALSE)
pkgdown::build_site(new_process = FALSE, install = FALSE, preview = FALSE)

# Leftovers of examples, and pictures of the vignettes: pkgdown calls all of them .png, and browsers do not show an SVG
# image under that name.
unlink(list.files("docs/reference", "^Rplot[0-9]*[.]p", full.names = TRUE))
pictures <- list.files("docs/articles", "[.]png$", recursive = TRUE)
drawn <- pictures[vapply(file.path("docs/articles", pictures), function(file) {
  identical(readBin(file, "raw", 5), charToRaw("<?xml"))
}, NA)]
file.rename(file.path("docs/articles", drawn), file.path("docs/articles", sub("png$", "svg", drawn)))

# Formulas are not replaced within code and scripts, where `\(x)` is a function, nor in the head of a page, which
# has its description as an attribute.
CODE <- "(?s)<head>.*?</head>|<pre.*?</pre>|<code.*?</code>|<script.*?</script>"
FORMULA <- paste0("(?s)<span class=\"math (?:inline|display)\">(.+?)</span>|",
                  "(\\\\\\(.+?\\\\\\)|\\\\\\[.+?\\\\\\]|\\$\\$.+?\\$\\$)")

# The page with f applied to its parts that are not code.
outside_code <- function(page, f) {
  code <- regmatches(page, gregexpr(CODE, page, perl = TRUE))[[1]]
  text <- regmatches(page, gregexpr(CODE, page, perl = TRUE), invert = TRUE)[[1]]
  paste(c(rbind(vapply(text, f, ""), c(code, ""))), collapse = "")
}

formulas_of <- function(text) regmatches(text, gregexpr(FORMULA, text, perl = TRUE))[[1]]

# TeX as it is in the page to what pandoc's markdown takes for a formula, in one line.
as_markdown <- function(formula) {
  tex <- gsub("<[^>]+>", "", formula)
  # pkgdown escapes the formulas of help pages twice
  for (entity in list(c("&amp;", "&"), c("&lt;", "<"), c("&gt;", ">"), c("&nbsp;", " "))) {
    tex <- gsub(entity[1], entity[2], tex, fixed = TRUE)
  }
  display <- grepl("^\\s*(\\\\\\[|\\$\\$)", tex)
  bare <- trimws(gsub("^\\s*(\\\\[\\[(]|\\$\\$)|(\\\\[])]|\\$\\$)\\s*$", "", tex))
  mark <- ifelse(display, "$$", "$")
  paste0(mark, gsub("\\s+", " ", bare), mark)
}

files <- list.files("docs", "[.]html$", recursive = TRUE, full.names = TRUE)
pages <- vapply(files, function(file) readChar(file, file.size(file), useBytes = TRUE), "")
Encoding(pages) <- "UTF-8"
found <- list()
for (page in pages) outside_code(page, function(text) { found[[length(found) + 1]] <<- formulas_of(text); "" })
found <- unique(unlist(found))

if (length(found)) {
  input <- tempfile(fileext = ".md")
  output <- tempfile(fileext = ".html")
  writeLines(paste0(as_markdown(found), "\n"), input, useBytes = TRUE)
  rmarkdown::pandoc_convert(input, to = "html5", from = "markdown", output = output,
                            options = c("--mathml", "--wrap=none"))
  written <- readChar(output, file.size(output), useBytes = TRUE)
  Encoding(written) <- "UTF-8"
  shown <- regmatches(written, gregexpr("(?s)<math.*?</math>", written, perl = TRUE))[[1]]
  if (length(shown) != length(found)) {
    stop("pandoc wrote ", length(shown), " formulas of ", length(found), ".", call. = FALSE)
  }
  names(shown) <- found
  with_math <- function(text) {
    regmatches(text, gregexpr(FORMULA, text, perl = TRUE)) <- list(unname(shown[formulas_of(text)]))
    text
  }
  pages <- vapply(pages, outside_code, "", f = with_math)
}

# Scripts and styles from elsewhere, and pkgdown's own script, which needs them.
ELSEWHERE <- "(src|href)=\"([a-z]+:)?//[^\"]*\""
pages <- gsub("(?s)<!--\\[if .*?<!\\[endif\\]-->", "", pages, perl = TRUE)
pages <- gsub(paste0("(?s)<script[^>]*(", ELSEWHERE, "|src=\"[^\"]*pkgdown[.]js\")[^>]*>.*?</script>"), "", pages,
              perl = TRUE)
pages <- gsub(paste0("<link[^>]*", ELSEWHERE, "[^>]*>"), "", pages, perl = TRUE)
pages <- gsub("href=\"vignettes/([^\"]+)[.]Rmd\"", "href=\"articles/\\1.html\"", pages) # README's links
for (picture in drawn) pages <- gsub(picture, sub("png$", "svg", picture), pages, fixed = TRUE)
for (k in seq_along(files)) writeLines(enc2utf8(pages[[k]]), files[[k]], useBytes = TRUE, sep = "")
unlink("docs/pkgdown.js")

# The index as a script, without the marks of formulas in its text.
index <- readChar("docs/search.json", file.size("docs/search.json"), useBytes = TRUE)
index <- gsub("\\\\\\\\[][()]", "", index, useBytes = TRUE)
writeLines(paste0("window.searchIndex = ", index, ";"), "docs/search-index.js", useBytes = TRUE)
unlink("docs/search.json")
message("site: ", length(found), " formulas written as MathML in ", length(files), " pages")

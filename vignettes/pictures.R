# SVG pictures of the vignettes stand in the page itself, which makes it smaller: not encoded, coordinates with one
# digit, each style once per page as a class, and the shapes of one style that follow each other as one path.

# The attributes of elements as lists, by name.
svg_attributes <- function(element) {
  found <- regmatches(element, gregexpr("[A-Za-z0-9:-]+=('[^']*'|\"[^\"]*\")", element))
  lapply(found, function(all) {
    value <- substring(sub("^[^=]*=", "", all), 2)
    as.list(stats::setNames(substring(value, 1, nchar(value) - 1), sub("=.*", "", all)))
  })
}

# A number of a picture, or several with a space between, as short as it can be written.
svg_number <- function(x) sub("^(-?)0[.]", "\\1.", as.character(round(as.numeric(x), 1)))

# Points of a line (columns of `v`) without those that are nearer than a third of a point to the line through the
# others, after Douglas and Peucker (1973).
svg_points <- function(v) {
  n <- ncol(v)
  if (n < 3) return(v)
  along <- v[, n] - v[, 1]
  from <- v - v[, 1]
  size <- sqrt(sum(along^2))
  off <- if (size > 0) abs(from[1, ] * along[2] - from[2, ] * along[1]) / size else sqrt(colSums(from^2))
  # a line that turns back leaves the section between its ends
  if (size > 0) {
    share <- colSums(from * along) / size^2
    off <- pmax(off, size * (share - 1), -size * share)
  }
  k <- which.max(off)
  if (off[k] < 1 / 3) return(v[, c(1, n)])
  cbind(svg_points(v[, 1:k, drop = FALSE]), svg_points(v[, k:n, drop = FALSE])[, -1, drop = FALSE])
}

# The nearest colour of three hexadecimal digits.
svg_near_colour <- function(colour) {
  if (!grepl("^#[0-9A-F]{6}$", colour)) return(colour)
  parts <- strtoi(substring(colour, c(2, 4, 6), c(3, 5, 7)), 16)
  sprintf("#%s", paste(sprintf("%X", as.integer(round(parts / 17))), collapse = ""))
}

# The first point (columns of `v`), then the moves to the others.
svg_moves <- function(v) {
  v <- round(v, 1)
  by <- v[, -1, drop = FALSE] - v[, -ncol(v), drop = FALSE]
  x <- svg_number(by[1, ])
  y <- svg_number(by[2, ])
  moves <- ifelse(y == "0", paste0("h", x), ifelse(x == "0", paste0("v", y), paste0("l", x, " ", y)))
  paste0(c(paste(svg_number(v[, 1]), collapse = " "), moves[x != "0" | y != "0"]), collapse = "")
}

# The outline of a shape as commands of a path; NULL for other elements.
svg_outline <- function(tag, at) {
  number <- function(...) unname(vapply(c(...), function(name) as.numeric(at[[name]]), 0))
  step <- function(...) paste(vapply(c(...), svg_number, ""), collapse = " ")
  if (tag == "rect" && !grepl("%", at$width, fixed = TRUE)) {
    v <- number("x", "y", "width", "height")
    return(paste0("M", step(v[1:2]), "h", step(v[3]), "v", step(v[4]), "h", step(-v[3]), "z"))
  }
  if (tag == "line") {
    v <- round(number("x1", "y1", "x2", "y2"), 1)
    rest <- if (v[2] == v[4]) paste0("H", step(v[3])) else if (v[1] == v[3]) paste0("V", step(v[4]))
    return(paste0("M", step(v[1:2]), if (is.null(rest)) paste0("L", step(v[3:4])) else rest))
  }
  if (tag == "circle") {
    v <- number("cx", "cy", "r")
    arc <- function(by) paste0("a", step(v[3], v[3]), " 0 1 0 ", step(by), " 0")
    return(paste0("M", step(v[1] - v[3], v[2]), arc(2 * v[3]), arc(-2 * v[3]), "z"))
  }
  if (tag %in% c("polyline", "polygon")) {
    v <- svg_points(matrix(as.numeric(strsplit(trimws(at$points), "[ ,]+")[[1]]), 2))
    return(paste0("M", svg_moves(v), if (tag == "polygon") "z"))
  }
}

# `known`: an environment with the styles of the page so far; `name`: one word per picture, for its clip paths.
svg_of_page <- function(file, name, known) {
  text <- paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  head <- svg_attributes(regmatches(text, regexpr("<svg [^>]*>", text)))[[1]]
  elements <- regmatches(text, gregexpr("(?s)<text.*?</text>|<image.*?>|<[^>]*>", text, perl = TRUE))[[1]]
  elements <- elements[(max(grep("</style>|^<style", elements)) + 1):length(elements)]
  tags <- sub("^<(/?[A-Za-z]+).*", "\\1", elements)
  attributes <- svg_attributes(elements)
  fresh <- length(known$rules) + 1
  # NULL: nothing is drawn. Tiles have many colours, which are written where they stand (`fill`).
  class_of <- function(style, fill = NULL) {
    style <- gsub(" *([:;]) *", "\\1", sub(";? *$", "", style))
    style <- gsub(";+", ";", sub(";$", "", sub("font-family:[^;]*", "", style)))
    style <- gsub("([.][0-9]*[1-9])0+(?![0-9])|[.]0+(?![0-9])", "\\1", style, perl = TRUE)
    style <- gsub("#([0-9A-F])\\1([0-9A-F])\\2([0-9A-F])\\3", "#\\1\\2\\3", style)
    if (grepl("stroke:none", style) && !grepl("fill:|font", style)) return(NULL)
    if (!is.null(fill)) style <- sub(";?fill:[^;]*", "", style)
    if (!style %in% known$rules) known$rules <- c(known$rules, style)
    paste0("class='v", match(style, known$rules), "'", if (!is.null(fill)) sprintf(" style='fill:%s'", fill))
  }
  out <- path <- character()
  at_class <- at_tag <- ""
  close <- function() {
    if (length(path)) out <<- c(out, paste0("<path ", names(path), " d='", path, "'/>"))
    path <<- character()
  }
  clip <- ""
  clips <- character()
  open <- FALSE
  for (k in seq_along(elements)) {
    at <- attributes[[k]]
    if (tags[k] == "clipPath") {
      clip <- at$id
    } else if (tags[k] == "rect" && nzchar(clip)) {
      clips[clip] <- svg_outline("rect", at)
      clip <- ""
    } else if (tags[k] == "g" && !is.null(at[["clip-path"]])) {
      id <- sub("^url\\(#(.*)\\)$", "\\1", at[["clip-path"]])
      close()
      which <- match(id, names(clips))
      open <- which > 1 # the first is the whole picture
      if (open) out <- c(out, sprintf("<g clip-path='url(#%s%d)'>", name, which))
    } else if (tags[k] == "/g") {
      close()
      if (open) out <- c(out, "</g>")
      open <- FALSE
    } else if (tags[k] == "text") {
      close()
      at <- svg_attributes(sub(">.*", ">", elements[k]))[[1]]
      words <- sub("(?s)^[^>]*>(.*)</text>$", "\\1", elements[k], perl = TRUE)
      place <- if (is.null(at$transform)) {
        sprintf("x='%s' y='%s'", svg_number(at$x), svg_number(at$y))
      } else {
        sprintf("transform='%s'", at$transform)
      }
      anchor <- if (!is.null(at[["text-anchor"]])) paste0(";text-anchor:", at[["text-anchor"]])
      out <- c(out, sprintf("<text %s %s>%s</text>", place, class_of(paste0(at$style, anchor)), words))
    } else if (!is.null(at$style) && !is.null(outline <- svg_outline(tags[k], at))) {
      # a filled circle is a line of no length with round ends
      colours <- regmatches(at$style, gregexpr("#[0-9A-F]{6}", at$style))[[1]]
      width <- as.numeric(sub(".*stroke-width: *([0-9.]+).*|.*", "\\1", at$style))
      if (tags[k] == "circle" && length(colours) == 2 && colours[1] == colours[2] && !grepl("opacity", at$style)) {
        outline <- paste0("M", svg_number(at$cx), " ", svg_number(at$cy), "h0")
        at$style <- sprintf("stroke-width: %s; stroke: %s", svg_number(2 * as.numeric(at$r) + width), colours[1])
      }
      # tiles of nearly the same colour are one path
      colour <- if (tags[k] == "rect") svg_near_colour(sub(".*fill: *([^;]*).*", "\\1", at$style))
      class <- class_of(at$style, colour)
      if (is.null(class)) next
      # tiles that follow each other do not overlap: their order does not matter
      if (!(class %in% names(path)) && !(tags[k] == "rect" && at_tag == "rect")) close()
      path[class] <- if (class %in% names(path)) paste0(path[class], outline) else outline
      at_tag <- tags[k]
    } else if (!grepl("^/|defs|svg|style", tags[k])) {
      close()
      out <- c(out, elements[k])
    }
  }
  close()
  rules <- if (fresh <= length(known$rules)) {
    sprintf(".svglite .v%d{%s}", fresh:length(known$rules), known$rules[fresh:length(known$rules)])
  }
  base <- if (fresh == 1) {
    paste0(".svglite path{fill:none;stroke:#000;stroke-linecap:round;stroke-linejoin:round;stroke-miterlimit:10}",
           ".svglite text{white-space:pre;font-family:\"Liberation Sans\",Arial,Helvetica,sans-serif}")
  }
  clips <- clips[-1]
  c(sprintf("<svg style='max-width:100%%;height:auto' class='svglite' width='%s' height='%s' viewBox='%s'>",
            head$width, head$height, head$viewBox),
    "<style>", base, rules, "</style>",
    if (length(clips)) sprintf("<clipPath id='%s%d'><path d='%s'/></clipPath>", name, seq_along(clips) + 1, clips),
    out, "</svg>")
}

local({
  image <- knitr::knit_hooks$get("plot")
  pictures <- 0
  known <- new.env()
  knitr::knit_hooks$set(plot = function(x, options) {
    if (!grepl("[.](svg|png)$", x) || !file.exists(x)) return(image(x, options))
    if (!identical(readBin(x, "raw", 5), charToRaw("<?xml"))) return(image(x, options))
    pictures <<- pictures + 1
    svg <- svg_of_page(x, letters[pictures], known)
    caption <- options$fig.cap
    words <- if (is.null(options$fig.alt)) caption else options$fig.alt
    if (length(words)) {
      label <- sprintf("<svg role='img' aria-label='%s' ", gsub("'", "&#39;", words))
      svg[1] <- sub("<svg ", label, svg[1], fixed = TRUE)
    }
    paste(c("", "~~~{=html}", "<div style='text-align: center;'>", svg,
            if (length(caption)) paste0("<p class='caption'>", caption, "</p>"), "</div>", "~~~", ""), collapse = "\n")
  })
})

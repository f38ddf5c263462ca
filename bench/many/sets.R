# Public data sets of several domains, chosen by a rule that was written before the first fit and looks at no fit. Only
# definitions.
#
# Packages. Those of MANY_PACKAGES that are installed.
# Sets. Every data frame of these packages with 100 to 50,000 rows and 4 to 200 columns, in the order of the alphabet,
#   that has what follows; at most MANY_MOST a package, and none whose response is that of a set before it.
# Columns. Texts are factors, logical values 0 and 1. A column with more than a fifth of its values missing is left out,
#   then every row with a missing value.
# Domains. The levels of a factor, or of a column of whole numbers whose name has a word of GROUP_WORDS, with 3 to 60
#   levels, of which at least three have MANY_TARGET rows or more; of several such columns the one with most such
#   levels, the first of equal ones. Levels of fewer than five rows are left out.
# Response. The left side of the first formula in the examples of the set's help page whose left side has one variable,
#   a numeric column or one of two values, not that of the domains. A set without one is left out. Two values: binomial.
#   Whole numbers, not negative, with a mean below 20: Poisson. Else Gaussian, the logarithm of positive numbers whose
#   skewness is above 1.
# Features. All other numeric columns and factors of at most ten levels, in their order, factors as columns of zeros and
#   ones. Left out: whole numbers whose name has a word of GROUP_WORDS; columns with a rank correlation of .95 or more
#   with the response, and factors whose levels explain nine tenths of the variance of its ranks; columns that are
#   constant in more than half of the domains; combinations, within the domains, of columns before them. The first eight
#   stay; there must be two.
MANY_PACKAGES <- c("agridat", "AER", "carData", "DAAG", "Ecdat", "faraway", "gamair", "HSAUR3", "lme4", "MASS", "MEMSS",
                   "mlmRev", "multilevel", "nlme", "openintro", "plm", "survival", "wooldridge")
MANY_MOST <- 6
MANY_TARGET <- 50 # 30 training and 20 test rows
MANY_FEATURES <- 8
GROUP_WORDS <- paste0(
  "(^|[^a-z])(id|no|nr|code|year|yr|school|class|county|state|region|district|hospital|cent(er|re)|inst|site|loc|",
  "block|subject|firm|industry|country|city|cohort|batch|lab|plant|farm|plot|env|rep)([^a-z]|$)"
)

many_frames <- function(package) {
  found <- suppressWarnings(utils::data(package = package)$results)
  names <- sub(" .*", "", found[, "Item"])
  files <- sub("^.*\\((.*)\\)$", "\\1", sub("^[^ ]*$", "", found[, "Item"]))
  files <- ifelse(nzchar(files), files, names)
  order <- order(names, method = "radix")
  lapply(stats::setNames(order, names[order]), function(k) {
    function() {
      store <- new.env()
      try(suppressWarnings(utils::data(list = files[k], package = package, envir = store)), silent = TRUE)
      store[[names[k]]]
    }
  })
}

# The set's columns as the rule has them, without missing values.
many_columns <- function(data) {
  data <- as.data.frame(data)
  data <- data[!duplicated(names(data))]
  data[] <- lapply(data, function(v) {
    if (is.character(v) || is.factor(v)) factor(as.character(v)) else if (is.logical(v)) as.numeric(v) else
      if (is.numeric(v) && is.null(dim(v)) && !inherits(v, c("Date", "POSIXt", "difftime", "Surv"))) as.numeric(v)
  })
  data <- data[vapply(data, function(v) !is.null(v) && mean(is.na(v)) <= .2, NA)]
  data <- stats::na.omit(data)
  data[vapply(data, function(v) length(unique(v)) > 1, NA)]
}

whole <- function(v) is.numeric(v) && all(v == round(v))

named_a_group <- function(names) grepl(GROUP_WORDS, gsub("([a-z])([A-Z])", "\\1 \\2", names) |> tolower())

many_domain <- function(data) {
  groups <- vapply(names(data), function(name) {
    v <- data[[name]]
    if (!is.factor(v) && !(whole(v) && named_a_group(name))) return(0)
    size <- table(v)
    if (sum(size > 0) < 3 || sum(size > 0) > 60) 0 else sum(size >= MANY_TARGET)
  }, 0)
  if (max(groups, 0) < 3) NULL else names(data)[which.max(groups)]
}

# Names on the left of the formulas in the examples of a help page, in their order.
many_left_sides <- function(rd) {
  file <- tempfile()
  on.exit(unlink(file))
  tryCatch(tools::Rd2ex(rd, file), error = function(e) NULL)
  if (!file.exists(file)) return(character())
  lines <- sub("^##D ?", "", readLines(file, warn = FALSE))
  code <- tryCatch(parse(text = lines, keep.source = FALSE), error = function(e) NULL)
  found <- character()
  walk <- function(e) {
    left <- if (is.call(e) && identical(e[[1]], quote(`~`)) && length(e) == 3) all.vars(e[[2]])
    if (length(left) == 1) found <<- c(found, left)
    if (is.call(e) || is.expression(e)) for (part in as.list(e)) if (!missing(part)) walk(part)
  }
  if (!is.null(code)) walk(code)
  unique(found)
}

many_response <- function(data, domain, left) {
  able <- vapply(data, function(v) is.numeric(v) || nlevels(v) == 2, NA) & names(data) != domain
  named <- intersect(left, names(data)[able])
  if (length(named)) named[1]
}

# list(y, family) of a response.
many_family <- function(v) {
  if (is.factor(v)) v <- as.integer(v)
  if (length(unique(v)) == 2) return(list(y = as.numeric(v == max(v)), family = "binomial"))
  if (whole(v) && min(v) >= 0 && mean(v) < 20) return(list(y = v, family = "poisson"))
  skew <- mean((v - mean(v))^3) / mean((v - mean(v))^2)^1.5
  list(y = if (min(v) > 0 && skew > 1) log(v) else v, family = "gaussian")
}

many_features <- function(data, domain, response, y) {
  group <- data[[domain]]
  x <- do.call(cbind, lapply(setdiff(names(data), c(domain, response)), function(name) {
    v <- data[[name]]
    if (is.numeric(v)) return(if (!(whole(v) && named_a_group(name))) matrix(v, dimnames = list(NULL, name)))
    if (nlevels(v) > 10 || stats::var(stats::ave(rank(y), v)) > .9 * stats::var(rank(y))) return(NULL)
    out <- vapply(levels(v)[-1], function(level) as.numeric(v == level), y)
    colnames(out) <- paste0(name, "=", levels(v)[-1])
    out
  }))
  if (is.null(x)) return(NULL)
  steady <- apply(x, 2, function(v) mean(tapply(v, group, function(u) max(u) == min(u)), na.rm = TRUE) > .5)
  x <- x[, !steady, drop = FALSE]
  x <- x[, abs(stats::cor(x, y, method = "spearman")) < .95, drop = FALSE]
  if (!ncol(x)) return(NULL)
  within <- apply(x, 2, function(v) (v - stats::ave(v, group)) / stats::sd(v))
  found <- qr(within, tol = 1e-6)
  x <- x[, sort(found$pivot[seq_len(found$rank)]), drop = FALSE]
  x[, seq_len(min(ncol(x), MANY_FEATURES)), drop = FALSE]
}

# A set as list(x, y, domain, family, names), or why it is none.
many_set <- function(data, rd) {
  if (!is.data.frame(data)) return("no data frame")
  if (nrow(data) < 100 || nrow(data) > 50000 || ncol(data) < 4 || ncol(data) > 200) return("size")
  data <- many_columns(data)
  if (nrow(data) < 100 || ncol(data) < 4) return("missing values")
  domain <- many_domain(data)
  if (is.null(domain)) return("no domains")
  size <- table(data[[domain]])
  data <- data[data[[domain]] %in% names(size)[size >= 5], ]
  response <- many_response(data, domain, many_left_sides(rd))
  if (is.null(response)) return("no response")
  found <- many_family(data[[response]])
  x <- many_features(data, domain, response, found$y)
  if (is.null(x) || ncol(x) < 2) return("features")
  c(found, list(x = x, domain = factor(data[[domain]]), names = c(domain = domain, response = response)))
}

# All sets by name, `package::set`.
many_sets <- function() {
  out <- list()
  seen <- list()
  for (package in Filter(installed, MANY_PACKAGES)) {
    frames <- many_frames(package)
    pages <- tools::Rd_db(package)
    topics <- lapply(pages, function(rd) {
      unlist(lapply(Filter(function(part) identical(attr(part, "Rd_tag"), "\\alias"), rd), as.character))
    })
    taken <- 0
    for (name in names(frames)) {
      if (taken == MANY_MOST) break
      page <- which(vapply(topics, function(topic) name %in% topic, NA))
      set <- many_set(frames[[name]](), if (length(page)) pages[[page[1]]])
      if (is.character(set)) next
      print <- signif(c(length(set$y), mean(set$y), stats::sd(set$y)), 6)
      if (any(vapply(seen, identical, NA, print))) next
      seen <- c(seen, list(print))
      taken <- taken + 1
      out[[paste0(package, "::", name)]] <- set
    }
  }
  out
}

# Errors and messages, how names and numbers are written in them, and which argument was meant.

# `most`: the largest allowed value, for a caller that takes this value instead. Names in braces are those of `env`.
abort_input <- function(what, argument, ..., call, env = rlang::caller_env(), most = NULL) {
  message <- c(what, ...)
  message[] <- vapply(message, in_words, "", env = env)
  cli::cli_abort(message, class = c(paste0("transelect_error_", argument), "transelect_error"),
                 call = call, .envir = env, most = most)
}

# The three commonest errors: the value of an argument is not what is wanted, or it is an object of another kind, or
# there is none. mend: what to do, in which names in braces are those of the caller.
abort_value <- function(value, argument, mend, call, env = rlang::caller_env()) {
  abort_argument("is {.val {value}}.", value, argument, mend = mend, call = call, env = env)
}

abort_kind <- function(value, argument, mend, call, env = rlang::caller_env()) {
  abort_argument("is {.obj_type_friendly {value}}.", value, argument, mend = mend, call = call, env = env)
}

abort_missing <- function(argument, mend, call, env = rlang::caller_env()) {
  abort_argument("is missing.", NULL, argument, mend = mend, call = call, env = env)
}

# The error of an argument that should have a value for each row.
abort_rows <- function(value, argument, mend, call, env = rlang::caller_env()) {
  missing <- if (is.atomic(value)) sum(is.na(value)) else 0
  what <- paste0("is {.obj_type_friendly {value}} of length {length(value)}",
                 if (missing) paste(" with", counted(missing, "missing value")), ".")
  abort_argument(what, value, argument, mend = mend, call = call, env = env)
}

abort_argument <- function(what, value, argument, mend, call, env) {
  env <- rlang::new_environment(list(value = value, argument = argument), parent = env)
  abort_input(paste("{.arg {argument}}", what), argument, i = mend, call = call, env = env)
}

# Dates and times are numbers, as in lm().
TIMES <- c("Date", "POSIXct", "difftime")

# "{.val {value}}" shows numbers and names; of anything else the message says what it is.
in_words <- function(text, env) {
  shown <- regmatches(text, gregexpr("\\{\\.val \\{[A-Za-z._]+\\}\\}", text))[[1]]
  for (part in shown) {
    name <- gsub("^\\{\\.val \\{|\\}\\}$", "", part)
    value <- get0(name, envir = env)
    plain <- is.atomic(value) && !is.raw(value) && is.null(dim(value)) && length(value) &&
      (!is.object(value) || is.factor(value) || inherits(value, TIMES))
    if (!plain) text <- sub(part, paste0("{.obj_type_friendly {", name, "}}"), text, fixed = TRUE)
  }
  text
}

# A message in words; cli's markup would take longer than many a fit. mend: what to do, a line of its own.
tell <- function(text, mend = NULL, class = NULL) {
  rlang::inform(c(text, i = mend), class = c(class, "transelect_message"))
}

# "a", "b" and "c"
in_quotes <- function(names) {
  more <- length(names) - 20
  if (more > 0) names <- names[1:20]
  text <- paste0('"', names, '"')
  if (more > 0) text <- c(text, paste(more, "more"))
  k <- length(text)
  paste0(paste(text[-k], collapse = ", "), if (k > 1) " and ", text[k])
}

# "1 domain", "2 domains"
counted <- function(n, what, ending = "s") paste0(n, " ", what, if (n != 1) ending)

# Names of domains, folds and levels: whole numbers are written without exponents, in whatever type they are stored.
value_names <- function(v) {
  names <- as.character(v)
  if (!is.numeric(v)) return(names)
  long <- which(is.finite(v) & abs(v) >= 1e5 & v == round(v))
  names[long] <- sprintf("%.0f", v[long])
  names
}

# For each value its place among the names `known`, NA where it is none of them. A number, or a text that is one as R
# writes it, is found in whichever way it is written there: 100000, "100000" and "1e+05" are the same.
match_names <- function(values, known) {
  at <- match(value_names(values), known)
  open <- is.na(at)
  if (any(open)) at[open] <- match(plain_names(as.character(values)[open]), plain_names(known))
  at
}

plain_names <- function(names) {
  number <- suppressWarnings(as.numeric(names))
  same <- which(names == as.character(number))
  names[same] <- value_names(number[same])
  names
}

# The name of the one domain that all rows are of where no domains were given.
NO_DOMAIN <- "all"
in_domain <- function(name) if (name == NO_DOMAIN) "" else paste0(" in domain \"", name, "\"")

# A line for domains that na.action has left without a row.
lost_domains <- function(domains) {
  if (!length(domains)) return("")
  shown <- utils::head(domains, 10)
  paste0("\nNo complete row: domain", if (length(domains) > 1) "s", " ",
         paste(shown, collapse = ", "), if (length(domains) > 10) ", ...")
}

# Names of more than `keep` characters are cut in the middle. Those that would become one are cut elsewhere, so that
# the first place in which they differ stays.
shorten <- function(names, keep) {
  distinct <- unique(names)
  short <- cut_out(distinct, keep, ceiling((keep - 2) / 2))
  short <- cut_apart(distinct, short, keep, keep %/% 3)
  short[match(names, distinct)]
}

# short: of distinct names. Of those that are equal, `head` characters stay, and others from the first on in which they
# differ.
cut_apart <- function(names, short, keep, head) {
  same <- which(short %in% short[duplicated(short)])
  for (these in split(same, short[same])) {
    low <- head
    high <- max(nchar(names[these])) # equal up to `low`, not up to `high`
    while (high - low > 1) {
      middle <- (low + high) %/% 2
      if (length(unique(substr(names[these], 1L, middle))) == 1L) low <- middle else high <- middle
    }
    rest <- keep - 2 - head
    from <- pmin(high, nchar(names[these]) - rest + 1)
    cut <- paste0(substr(names[these], 1L, head), "..", substr(names[these], from, from + rest - 1))
    short[these] <- if (all(cut == cut[1L])) cut else cut_apart(names[these], cut, keep, head)
  }
  short
}

# Names of more than `keep` characters, of which `head` stand before the gap.
cut_out <- function(names, keep, head) {
  n <- nchar(names)
  long <- n > keep
  names[long] <- paste0(substr(names[long], 1L, head), "..", substring(names[long], n[long] - (keep - 3L - head)))
  names
}

# Text of more than `most` characters is cut at its end.
shortened <- function(text, most) {
  ifelse(nchar(text) > most, paste0(substr(text, 1, most - 3), "..."), text)
}

big_number <- function(x) format(x, big.mark = ",", scientific = FALSE, trim = TRUE)

refuse_argument <- function(name, at, call, more = NULL) {
  meant <- nearest_argument(name, c(known_names(at), more))
  mend <- if (length(meant)) "Did you mean {.arg {meant}}?" else
    "Give one of {.arg {c(own_names(at), more)}}."
  abort_input("There is no argument {.arg {name}}.", "argument", i = mend, call = call)
}

own_names <- function(at) setdiff(names(formals(sys.function(at))), "...")

# Arguments of frame `at` and of the functions of this package that handed theirs on to it.
known_names <- function(at) {
  functions <- lapply(seq_len(at), sys.function)
  ours <- vapply(functions, function(f) {
    identical(environment(f), topenv()) && "..." %in% names(formals(f))
  }, NA)
  setdiff(unlist(lapply(rev(functions[ours]), function(f) names(formals(f)))), "...")
}

# The arguments of this package by the names that other packages give them.
OTHER_NAMES <- c(
  s = "step", x = "formula", newx = "newdata", new_data = "newdata", group = "domain",
  groups = "domain", method = "fit", fun = "fit", model = "fit", learner = "fit", dfmax = "max_steps", nvmax = "max_steps", type.measure = "loss", folds = "foldid"
)

# The argument that was meant: by another package's name, by a part of it or by the fewest
# letters to be changed; nothing if none is near.
nearest_argument <- function(name, known) {
  plain <- function(text) gsub("[._]", "", tolower(text))
  known <- setdiff(known, name)
  other <- OTHER_NAMES[tolower(name)]
  if (!is.na(other) && other %in% known) return(unname(other))
  begun <- known[startsWith(plain(known), plain(name))]
  if (length(begun)) return(begun[which.min(nchar(begun))])
  within <- known[nchar(name) > 3 & grepl(plain(name), plain(known), fixed = TRUE)]
  if (length(within)) return(within[which.min(nchar(within))])
  away <- letters_apart(plain(name), plain(known))
  if (length(away) && min(away) <= max(1, nchar(name) / 3)) known[which.min(away)]
}

# The fewest letters to be changed, added or left out; two that changed places count as one.
letters_apart <- function(word, words) {
  letters_of <- function(text) vapply(strsplit(text, ""), function(l) paste(sort(l), collapse = ""), "")
  away <- drop(utils::adist(word, words))
  away - (away == 2 & letters_of(words) == letters_of(word))
}

# `cure` says what to do about missing values.
abort_not_finite <- function(label, argument, column, call, cure = missing_cure(argument)) {
  missing <- sum(is.na(column))
  infinite <- sum(is.infinite(column))
  what <- if (missing) {
    "{missing} missing value{?s}"
  } else if (infinite) {
    "{infinite} infinite value{?s}"
  } else {
    paste("values too", if (max(abs(column)) > 1) "large" else "small", "to be squared")
  }
  mend <- if (missing) cure else if (infinite) "Give finite values, or leave out the column or such rows." else
    "Rescale it, or leave it out."
  abort_input(paste0("Column {.val {label}} of {.arg {argument}} has ", what, "."), argument,
              i = mend, call = call)
}

missing_cure <- function(argument) {
  if (argument == "x") {
    "Leave their rows out, impute them, or give a formula and {.code na.action}."
  } else {
    "Give a prediction of every source for every row."
  }
}

# Refuses an argument whose number of values is not n, the number of rows of the argument `of`.
refuse_unequal <- function(value, argument, n, of, call) {
  if (NROW(value) == n) return(invisible())
  abort_input("{.arg {argument}} has {NROW(value)} value{?s}, {.arg {of}} has {n} row{?s}.", argument,
              i = "Give one value for each row.", call = call)
}

# Responses, checked, as numbers and as classes.

response_abort_surv <- function(call) {
  abort_input("{.arg y} is a {.cls Surv}.", "y",
              i = "Give survival times to {.fn tlcp}, {.fn tgreedy} or {.fn greedytl}, or to {.code cv_path(fit =
                   tgreedy)}; what these return {.fn compare_paths} compares.", call = call)
}

# The frame with the offset subtracted from the response, which is what an offset means in least squares.
response_without_offset <- function(frame, call) {
  if (is.factor(frame$y)) {
    abort_input("There is an {.arg offset}, and {.arg y} has classes fitted by least squares.",
                "offset", i = "Give {.code family = \"binomial\"}.", call = call)
  }
  frame$y <- response_less_offset(frame)
  frame
}

response_less_offset <- function(frame) if (is.null(frame$offset)) frame$y else frame$y - frame$offset

# A response of numbers or classes: its type, length and missing or infinite values are checked.
# response_check_variation() does the rest, where no family is to do it.
response_read <- function(y, n, many, call) {
  if (is.object(y) || !is.null(dim(y))) y <- table_one_column(y)
  if (many && is.matrix(y)) return(response_read_several(y, n, call))
  if (!is.null(dim(y)) || is.list(y)) response_abort_several(y, call)
  classes <- is.factor(y) || is.character(y) || is.logical(y)
  if (!classes && !is.numeric(y)) abort_kind(y, "y", "Give a numeric vector or a factor.", call)
  if (length(y) != n || anyNA(y)) response_refuse_incomplete(y, n, call)
  if (classes) return(response_check_classes(y, call))
  y <- as.double(y)
  if (!is.finite(sum(y)) && any(is.infinite(y))) {
    abort_input("{.arg y} has {sum(is.infinite(y))} infinite value{?s}.", "y",
                i = "Give finite values.", call = call)
  }
  y
}

# A response as response_read() gives it, to be fitted by least squares or as classes: an error where numbers are
# constant, or too large or small to be squared.
response_check_variation <- function(y, call) {
  if (is.factor(y) || !length(y)) return(y)
  if (is.matrix(y)) return(response_check_variations(y, call))
  range <- c(min(y), max(y))
  if (range[1] == range[2]) {
    abort_input("{.arg y} is constant: every value is {y[1]}.", "y",
                i = "Give a response that varies.", call = call)
  }
  response_check_size(range, "", call)
  y
}

# An error where the response has not n values, or one is missing.
response_refuse_incomplete <- function(y, n, call) {
  check_same_length(y, "y", n, "x", call)
  if (anyNA(y)) {
    abort_input("{.arg y} has {sum(is.na(y))} missing value{?s}.", "y",
                i = "Leave those rows out, or give a formula and {.code na.action}.",
                call = call)
  }
}

response_abort_several <- function(y, call) {
  abort_input("{.arg y} is {.obj_type_friendly {y}} of {NCOL(y)} column{?s}.", "y",
              i = "Give one response: a numeric vector or a factor.", call = call)
}

# An error for a response whose squares overflow or all underflow. range: its least and largest value.
response_check_size <- function(range, where, call) {
  spread <- range[2] - range[1]
  if (max(abs(range)) > SQUARES_MOST || spread < SQUARES_LEAST) {
    abort_input(paste0("{.arg y} is too ", if (spread > 1) "large" else "small", " to be squared",
                       where, "."), "y", i = "Rescale it.", call = call)
  }
}

# Several numeric responses: a double matrix with a named column for each.
response_read_several <- function(y, n, call) {
  if (!is.numeric(y) || ncol(y) == 0) {
    abort_input("{.arg y} is {.obj_type_friendly {y}} of {ncol(y)} column{?s}.", "y",
                i = "Give numbers: one column for each response.", call = call)
  }
  check_same_length(y, "y", n, "x", call)
  names <- response_names(colnames(y), ncol(y))
  y <- matrix(as.double(y), n, dimnames = list(NULL, names))
  open <- which(!is.finite(colSums(y))) # a sum of finite numbers may overflow
  wrong <- names[open[colSums(!is.finite(y[, open, drop = FALSE])) > 0]]
  if (length(wrong)) {
    abort_input("{.arg y} has missing or infinite values in {.val {wrong}}.", "y",
                i = "Leave those rows out, or give a formula and {.code na.action}.",
                call = call)
  }
  y
}

# response_check_variation() of several responses.
response_check_variations <- function(y, call) {
  names <- colnames(y)
  check_names(names, "y", call)
  ranges <- vapply(seq_along(names), function(k) {
    column <- y[, k]
    c(min(column), max(column))
  }, c(0, 0))
  same <- names[ranges[1, ] == ranges[2, ]]
  if (length(same)) {
    abort_input("{.arg y} is constant in {.val {same}}.", "y", i = "Give a response that varies.",
                call = call)
  }
  for (k in seq_along(names)) response_check_size(ranges[, k], paste0(" in \"", names[k], "\""), call)
  y
}

# The names of responses. Response k without a name is called y<k>, or y<k>.1 and so on where another has this name.
response_names <- function(names, count) {
  names <- names %||% character(count)
  blank <- is.na(names) | names == ""
  if (!any(blank)) return(names)
  made <- make.unique(c(names[!blank], paste0("y", which(blank))))
  names[blank] <- utils::tail(made, sum(blank))
  names
}

# An error for a response, not a factor, whose number of different values is above a third of the rows (and above two):
# they are unlikely to be classes.
response_refuse_many_classes <- function(y, call) {
  if (is.factor(y)) return(invisible())
  values <- length(unique(y))
  if (values <= max(2, length(y) / 3)) return(invisible())
  number <- is.numeric(y) || !anyNA(suppressWarnings(as.numeric(y)))
  abort_input("{.arg y} is {.obj_type_friendly {y}} with {values} different values in {length(y)}
               rows.", "y",
              i = if (number) "Give {.code as.numeric(y)} if it holds numbers,
                               {.code factor(y)} if every value is a class of its own." else
                "Give {.code factor(y)} if every value is a class of its own.", call = call)
}

response_check_classes <- function(y, call) {
  response_refuse_many_classes(y, call)
  y <- as.factor(y)
  empty <- levels(y)[tabulate(y, nlevels(y)) == 0]
  if (length(empty)) {
    tell(paste0("Dropping the class", if (length(empty) > 1) "es", " ", words_in_quotes(empty),
                " of `y`: no complete row has ", if (length(empty) > 1) "them." else "it."))
    y <- factor(y, levels = setdiff(levels(y), empty))
  }
  if (nlevels(y) < 2) {
    abort_input("{.arg y} has one class: {.val {levels(y)}}.", "y",
                i = "Give a response of two classes or more.", call = call)
  }
  check_names_not_empty(levels(y), "y", "class", call, missing = TRUE)
  y
}

response_refuse_few_rows <- function(n, call) {
  if (n > 1) return(invisible())
  abort_input("{n} row{?s} {?is/are} left to fit.", "x",
              i = "Give at least 2 rows that remain after {.arg subset}, {.arg na.action} and weights of 0.",
              call = call)
}

# Indicators of classes, rows x classes: TRUE where the row is of the class.
response_class_indicators <- function(y) {
  of <- matrix(FALSE, length(y), nlevels(y), dimnames = list(NULL, levels(y)))
  of[seq_along(y) + length(y) * (as.integer(y) - 1L)] <- TRUE
  of
}

# Classes coded as `low` and 1: of two classes a vector with 1 for the second, of more a matrix with a column for each.
response_class_codes <- function(y, low = -1) {
  if (nlevels(y) == 2) return((1 - low) * (as.integer(y) == 2L) + low)
  (1 - low) * response_class_indicators(y) + low
}

# The response as least squares fits it: numbers as they are, classes coded -1 and 1.
response_coded <- function(y) if (is.factor(y)) response_class_codes(y) else y

# response_coded() as a matrix with a named column for each response.
response_matrix <- function(y) {
  coded <- response_coded(y)
  if (is.matrix(coded)) return(coded)
  matrix(coded, dimnames = list(NULL, if (is.factor(y)) levels(y)[2] else "y"))
}

# response_coded() as a vector; of several responses the first.
response_first <- function(y) {
  coded <- response_coded(y)
  if (is.matrix(coded)) coded[, 1] else coded
}

# y as a factor with the levels `classes`; whose: what has these classes, in words for the error.
response_among_classes <- function(y, classes, whose, call) {
  unknown <- setdiff(as.character(y), c(classes, NA))
  if (length(unknown)) {
    abort_input("{.arg y} has {.val {unknown}}, which {?is not a class/are not classes} of the {whose}.", "y",
                i = "Give classes among {.val {classes}}.", call = call)
  }
  factor(as.character(y), classes, ordered = is.ordered(y))
}

# A response of numbers with fractions, which no method takes for classes or counts; mostly the first ones show it.
response_has_fractions <- function(y) {
  fractions <- function(y) any(y != round(y))
  !is.factor(y) && (is.matrix(y) || fractions(utils::head(y, 100)) || fractions(y))
}

# One shape for every kind of input: a frame holds the design (double matrix or dgCMatrix), the
# response and all that is aligned with its rows; `rows` says which of the n_all rows given they
# are, `row_labels` what all of these are called. In place of a design there may be a map of features, which holds
# the columns that they are made of. `refit`: NULL, or the fit that is made again, see path-refit.R. `sums`: NULL, or
# what with_moments() adds. Fitters, cross-validation and predict() see frames only. How a design is built from data, and again
# from new data: frame-blueprint.R. A frame of moments() has no rows, but `moments`: frame-moments.R.

new_frame <- function(x, y, weights = NULL, domain = NULL, sources = NULL, raw = NULL,
                      blueprint, intercept = TRUE, na_action = NULL, rows, n_all,
                      row_labels = NULL) {
  frame <- list(
    x = x, y = y, weights = weights, domain = domain, sources = sources, raw = raw,
    blueprint = blueprint, intercept = intercept, na.action = na_action,
    rows = rows, n_all = n_all, row_labels = row_labels, left_out = NULL, family = NULL,
    offset = NULL, strata = NULL, refit = NULL
  )
  class(frame) <- "transfer_frame" # several times as fast as structure()
  frame
}

# x, y and what belongs to their rows, as the user gave them. `many`: may y be a matrix of several
# responses? `family`: FALSE where responses have no likelihood of their own. `moments`: may x be moments?
frame_default <- function(x, y, weights = NULL, domain = NULL, sources = NULL, many = FALSE,
                          family = FALSE, offset = NULL, strata = NULL, moments = FALSE,
                          call = rlang::caller_env()) {
  if (moments && inherits(x, "moments")) {
    refuse_beside_moments(list(y = if (!missing(y)) y, weights = weights, domain = domain, sources = sources,
                               offset = offset, strata = strata), call)
    return(moments_frame(x, call))
  }
  if (!missing(x) && inherits(x, "transfer_path")) {
    abort_input("{.arg x} is a fit of {.fn {class(x)[1]}}, and data are wanted.", "x",
                i = "Give the data, or a formula and {.arg data}, as for the fit. {.fn cv_path} takes the method by
                     name: {.code cv_path(y ~ ., data, fit = {class(x)[1]})}.",
                call = call)
  }
  if (!missing(x) && inherits(x, "transfer_estimates")) {
    family <- x$sites[[1]]$family
    family <- if (by_likelihood(family)) paste0("family = \"", family, "\", ")
    abort_input("{.arg x} is estimates, or moments of a likelihood, and the rows of the target are wanted.", "x",
                i = "Give these rows, and the estimates as {.arg sources}:
                     {.code tlcp(y ~ ., data, {family}sources = )}.", call = call)
  }
  if (missing(y)) {
    abort_input("{.arg y} is missing.", "y",
                i = "Give one response for each row of {.arg x}. A formula must be the first
                     argument.",
                call = call)
  }
  map <- if (inherits(x, "feature_map")) x
  if (!is.null(map) && is.null(dim(map))) {
    abort_input("{.arg x} is a part of what {.fn {class(map)[1]}} returned.", "x",
                i = "Give the whole of it.", call = call)
  }
  built <- if (is.null(map)) design_from_data(x, call = call) else map
  n <- nrow(built$x)
  family <- family_of_response(family, y, call)
  y <- frame_response(y, n, many, family, call)
  frame <- new_frame(
    x = built$x, y = y,
    weights = check_weights(weights, n, call = call),
    domain = check_domain(domain, n, call = call),
    sources = as_sources(sources, n, call = call),
    raw = if (is.null(dim(x)) || !is.null(map)) built$x else x, blueprint = built$blueprint,
    rows = seq_len(n), n_all = n,
    row_labels = if (is.null(map)) row_labels(x) else map$row_labels
  )
  frame <- with_likelihood(frame, family, offset, strata, call)
  if (!is.null(map)) {
    map$row_labels <- NULL # the frame has them
    frame$x <- map
  }
  frame_checked(frame, call = call)
}

# Refuses stumps and pieces where a method takes columns as they are, and products unless it has them.
refuse_map <- function(frame, method, call, products = FALSE) {
  if (!is_mapped(frame) || products && inherits(frame$x, "products")) return(invisible())
  mend <- if (inherits(frame$x, "products")) {
    "Give products to {.fn shareboost}, {.fn greedytl} or {.fn tgreedy}."
  } else {
    "Give stumps and pieces to {.fn shareboost}."
  }
  abort_input("{.fn {method}} takes no {.cls {class(frame$x)[1]}}.", "x", i = mend, call = call)
}

# Stumps, pieces and products, written or named among the terms of a formula.
refuse_map_terms <- function(formula, data, call) {
  for (name in setdiff(all.names(formula[[3]]), names(data))) {
    value <- get0(name, environment(formula)) %||% get0(name, topenv())
    made <- identical(value, stumps) || identical(value, pieces) || identical(value, products)
    if (!made && !inherits(value, "feature_map")) next
    it <- if (made) "{.fn {name}}" else "{.code {name}}, a {.cls {class(value)[1]}},"
    example <- if (made) paste0(name, "(x)") else name
    abort_input(paste0("{.arg formula} has ", it, " among its terms."), "formula",
                i = "Give them in place of {.arg x}, with the response beside them: {.code
                     shareboost({example}, y)}.", call = call)
  }
}

# A formula with lm()'s meaning of data, weights, subset and na.action. matched: the call of the method, which holds
# what is evaluated in the data.
frame_formula <- function(formula, data, matched, na_action, sources = NULL, sparse = FALSE,
                          many = FALSE, family = FALSE, env = parent.frame(),
                          call = rlang::caller_env()) {
  if (missing(formula)) {
    abort_input("{.arg formula} is missing.", "formula",
                i = "Give it as the first argument, or as {.code formula = }.", call = call)
  }
  if (missing(data)) data <- NULL
  sparse <- check_flag(sparse, "sparse", call)
  check_formula(formula, data, offset = !isFALSE(family), call = call)
  refuse_map_terms(formula, data, call = call)
  if (!is.null(data)) data <- plain_numbers(data)
  extras <- as.list(matched)[intersect(c("weights", "subset", "domain", "offset"), names(matched))]
  if (!isFALSE(family)) {
    split <- split_strata(formula, call)
    formula <- split$formula
    extras$strata <- extras$strata %||% split$strata
  }
  extras <- extra_columns(extras, data, env, call)
  na_action <- check_na_action(if (missing(na_action)) getOption("na.action") else na_action, call)
  parts <- if (is.data.frame(data) && !is.null(wide_side(formula[[3]]))) {
    wide_frame(formula, data, extras, na_action, env, call)
  } else {
    model_frame(formula, data, extras = extras, na_action = na_action, env = env, sparse = sparse, call = call)
  }
  rows <- parts$rows
  n_all <- parts$n_all
  built <- parts$built
  sources <- as_sources(sources, n_all, call = call)
  if (!is.null(data)) raw <- data[rows, , drop = FALSE] else raw <- parts$raw
  n <- length(rows)
  family <- family_of_response(family, parts$y, call)
  frame <- new_frame(
    x = built$x, y = frame_response(parts$y, n, many, family, call),
    weights = check_weights(parts$weights, n, call = call),
    domain = check_domain(parts$domain, n, call = call),
    sources = source_rows(sources, rows), raw = raw, blueprint = built$blueprint,
    intercept = built$intercept, na_action = parts$na_action, rows = rows, n_all = n_all,
    row_labels = if (is.null(data)) seq_len(n_all) else row_labels(data)
  )
  frame <- with_likelihood(frame, family, parts$offset, parts$strata, call)
  frame$left_out <- incomplete_rows(parts, frame$domain)
  frame_checked(frame, call = call)
}

# What na.action has left out: list(of, incomplete, domains), the numbers of rows there were and of
# incomplete ones, and the domains that have no complete row. NULL where all are complete.
incomplete_rows <- function(parts, domain) {
  incomplete <- length(parts$na_action)
  if (!incomplete) return(NULL)
  all <- unique(as.character(parts$all_domains))
  list(of = length(parts$rows) + incomplete, incomplete = incomplete,
       domains = setdiff(all[!is.na(all)], levels(domain)))
}

# Last checks that need the frame whole; rows of weight zero are left out, as lm() does.
frame_checked <- function(frame, call) {
  if (!is.null(frame$weights) && any(frame$weights == 0)) {
    frame <- frame_rows(frame, which(frame$weights > 0))
    frame$y <- frame_response(frame$y, frame_nobs(frame), is.matrix(frame$y),
                              frame$family %||% FALSE, call)
  }
  if (!is.null(frame$weights)) frame$weights <- weights_in_range(frame$weights, call)
  frame$sources <- sources_of_response(frame$sources, frame$y)
  if (!needs_raw(frame$sources)) frame$raw <- NULL
  n <- frame_nobs(frame)
  refuse_few_rows(n, call)
  if ("(Intercept)" %in% frame$blueprint$columns) {
    abort_input("{.arg x} has a column named {.val (Intercept)}.", "x",
                i = "Leave it out: the intercept is added by the fit.", call = call)
  }
  names <- source_names(frame$sources)
  both <- names[match(names, frame$blueprint$columns, 0L) > 0]
  if (length(both)) {
    abort_input("{.arg sources} and the features share the name{?s} {.val {both}}.", "sources",
                i = "Give every column of either a name of its own.", call = call)
  }
  frame
}

refuse_few_rows <- function(n, call) {
  if (n > 1) return(invisible())
  abort_input("{n} row{?s} {?is/are} left to fit.", "x",
              i = "Give at least 2 that {.arg subset}, {.arg na.action} and weights leave in.",
              call = call)
}

# Rows of the frame, or those behind the moments it stands for.
frame_nobs <- function(frame) frame$n_rows %||% nrow(frame$x)

frame_family <- function(frame) {
  if (by_likelihood(frame$family)) return(frame$family)
  if (!is.factor(frame$y)) return("gaussian")
  if (nlevels(frame$y) > 2) "multinomial" else "binomial"
}

# The frame restricted to rows i; levels of the response stay.
frame_rows <- function(frame, i) {
  frame$x <- design_rows(frame$x, i)
  frame$y <- response_rows(frame$y, i)
  frame$weights <- frame$weights[i]
  frame$domain <- frame$domain[i]
  frame$rows <- frame$rows[i]
  frame$offset <- frame$offset[i]
  frame$strata <- frame$strata[i]
  frame$sources <- source_rows(frame$sources, i)
  if (!is.null(frame$raw)) frame$raw <- frame$raw[i, , drop = FALSE]
  frame
}

# The frame without the rows, or the moments, of other domains.
frame_domains <- function(frame, domains) {
  if (has_rows(frame)) {
    frame <- frame_rows(frame, which(frame$domain %in% domains))
  } else {
    frame$moments <- frame$moments[domains]
    frame$domain <- frame$domain[frame$domain %in% domains]
    frame$n_rows <- sum(frame$moments$cells$n)
  }
  frame$domain <- used_levels(frame$domain)
  frame
}

response_rows <- function(y, i) if (is.matrix(y)) y[i, , drop = FALSE] else y[i]

# Asks every source model for its predictions once and keeps them. The rows as they were given stay: a method
# that borrows coefficients may code levels anew that only its sources know.
frame_with_source_values <- function(frame, call = rlang::caller_env()) {
  if (!needs_raw(frame$sources)) return(frame)
  frame$sources <- evaluated_sources(frame$sources, frame$raw, frame_nobs(frame), call = call)
  frame
}

# The frame with the moments of its rows, so that a fit need not add them up again; unchanged where a fit by moments
# would be off by more than rounding.
with_moments <- function(frame, moments) {
  if (!is.null(moments) && well_conditioned(moments_pool(moments))) {
    frame$sums <- list(moments = moments, of = summed(frame))
  }
  frame
}

# The moments that with_moments() has added. NULL where there are none, or where the rows are others by now: a
# function around a method may have changed them.
frame_moments <- function(frame) {
  if (!has_rows(frame)) return(frame$moments)
  if (!is.null(frame$sums) && identical(frame$sums$of, summed(frame))) frame$sums$moments
}

summed <- function(frame) list(frame$x, frame$y, frame$weights, frame$domain)

# ---- checks -----------------------------------------------------------------------------------

check_response <- function(y, n, many = FALSE, call) {
  y <- one_column(plain_number(y))
  if (many && is.matrix(y)) return(check_responses(y, n, call))
  if (!is.null(dim(y)) || is.list(y)) abort_responses(y, call)
  if (is.language(y)) {
    abort_input("{.arg y} is {.obj_type_friendly {y}}.", "y", i = "Give a numeric vector or a factor.",
                call = call)
  }
  refuse_incomplete(y, n, call)
  if (is.factor(y) || is.character(y) || is.logical(y)) return(check_classes(y, call))
  if (!is.numeric(y)) {
    abort_input("{.arg y} is {.obj_type_friendly {y}}.", "y",
                i = "Give a numeric vector or a factor.", call = call)
  }
  y <- as.double(y)
  if (!length(y)) return(y)
  range <- range(y)
  if (any(is.infinite(range))) {
    abort_input("{.arg y} has {sum(is.infinite(y))} infinite value{?s}.", "y",
                i = "Give finite values.", call = call)
  }
  if (range[1] == range[2]) {
    abort_input("{.arg y} is constant: every value is {y[1]}.", "y",
                i = "Give a response that varies.", call = call)
  }
  check_response_size(range, "", call)
  y
}

# Refuses an argument whose number of values is not n, the number of rows of the argument `of`.
refuse_unequal <- function(value, argument, n, of, call) {
  if (NROW(value) == n) return(invisible())
  abort_input("{.arg {argument}} has {NROW(value)} value{?s}, {.arg {of}} has {n} row{?s}.", argument,
              i = "Give one value for each row.", call = call)
}

# A response for every row, none missing.
refuse_incomplete <- function(y, n, call) {
  refuse_unequal(y, "y", n, "x", call)
  if (anyNA(y)) {
    abort_input("{.arg y} has {sum(is.na(y))} missing value{?s}.", "y",
                i = "Remove those rows, or use the formula interface with {.code na.action}.",
                call = call)
  }
}

abort_responses <- function(y, call) {
  abort_input("{.arg y} is {.obj_type_friendly {y}} of {NCOL(y)} column{?s}.", "y",
              i = "Give one response: a numeric vector or a factor.", call = call)
}

# Refuses several responses where a method takes one.
refuse_responses <- function(frame, call) {
  if (is.matrix(frame$y) && !by_likelihood(frame$family)) abort_responses(frame$y, call)
}

# Refuses a response whose squares overflow or all underflow. range: its least and largest value.
check_response_size <- function(range, where, call) {
  spread <- range[2] - range[1]
  if (max(abs(range)) > SQUARES_MOST || spread < SQUARES_LEAST) {
    abort_input(paste0("{.arg y} is too ", if (spread > 1) "large" else "small", " to be squared",
                       where, "."), "y", i = "Rescale it.", call = call)
  }
}

# Several numeric responses: a matrix with names, one column a response.
check_responses <- function(y, n, call) {
  if (!is.numeric(y) || ncol(y) == 0) {
    abort_input("{.arg y} is {.obj_type_friendly {y}} of {ncol(y)} column{?s}.", "y",
                i = "Give numbers: one column for each response.", call = call)
  }
  refuse_unequal(y, "y", n, "x", call)
  names <- response_names(colnames(y), ncol(y))
  if (anyDuplicated(names)) {
    abort_input("{.arg y} has several columns named {.val {names[anyDuplicated(names)]}}.", "y",
                i = "Give every response a name of its own.", call = call)
  }
  y <- matrix(as.double(y), n, dimnames = list(NULL, names))
  wrong <- names[colSums(!is.finite(y)) > 0]
  if (length(wrong)) {
    abort_input("{.arg y} has missing or infinite values in {.val {wrong}}.", "y",
                i = "Remove those rows, or use the formula interface with {.code na.action}.",
                call = call)
  }
  same <- names[apply(y, 2, function(column) min(column) == max(column))]
  if (n && length(same)) {
    abort_input("{.arg y} is constant in {.val {same}}.", "y", i = "Give a response that varies.",
                call = call)
  }
  for (name in if (n) names) check_response_size(range(y[, name]), paste0(" in \"", name, "\""), call)
  y
}

# Response k without a name is y<k>; where that is the name of another, y<k>.1 and so on.
response_names <- function(names, count) {
  names <- names %||% character(count)
  blank <- is.na(names) | names == ""
  if (!any(blank)) return(names)
  made <- make.unique(c(names[!blank], paste0("y", which(blank))))
  names[blank] <- utils::tail(made, sum(blank))
  names
}

# Refuses empty names. `missing` is TRUE where the names are entries of a vector, in which an empty one
# is likely to stand for a missing value.
refuse_unnamed <- function(names, argument, what, call, missing = FALSE) {
  unnamed <- names[is.na(names) | names == ""]
  if (length(unnamed)) {
    abort_input("{.arg {argument}} has the {what} {.val {unnamed[1]}}.", argument,
                i = "Give every {what} a name.",
                i = if (missing) "If the entry is missing, say {.code NA} or leave the row out.",
                call = call)
  }
}

# Refuses text or whole numbers with more different values than a third of the rows: they are unlikely
# to be classes.
refuse_many_classes <- function(y, call) {
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

check_classes <- function(y, call) {
  refuse_many_classes(y, call)
  y <- as.factor(y)
  empty <- levels(y)[tabulate(y, nlevels(y)) == 0]
  if (length(empty)) {
    tell(paste0("Dropping the class", if (length(empty) > 1) "es", " ", in_quotes(empty),
                " of `y`: no complete row has ", if (length(empty) > 1) "them." else "it."))
    y <- factor(y, levels = setdiff(levels(y), empty))
  }
  if (nlevels(y) < 2) {
    abort_input("{.arg y} has one class: {.val {levels(y)}}.", "y",
                i = "Give a response of two classes or more.", call = call)
  }
  refuse_unnamed(levels(y), "y", "class", call, missing = TRUE)
  y
}

check_weights <- function(weights, n, call) {
  if (is.null(weights)) return(NULL)
  weights <- plain_number(weights)
  if (!is.numeric(weights) || length(weights) != n) {
    abort_input("{.arg weights} is {.obj_type_friendly {weights}} of length {length(weights)}.",
                "weights", i = "Give one number for each of the {n} rows.", call = call)
  }
  wrong <- which(!is.finite(weights) | weights < 0)
  if (length(wrong)) {
    abort_input("{.arg weights} has a missing, infinite or negative value at {.val {wrong[1]}}.",
                "weights", i = "Give finite weights, none negative.", call = call)
  }
  if (all(weights == 0)) {
    abort_input("{.arg weights} are all zero.", "weights", i = "Give at least one positive weight.",
                call = call)
  }
  as.double(weights)
}

WEIGHT_RATIO <- 1e300 # between weights; shares of their sum are numbers then
WEIGHT_MOST <- 1e100  # sums of products with weights up to it, or down to its inverse, are numbers

# Brings very large or very small weights to about 1 by a power of two, which changes no fit, since fits
# depend on ratios of weights only. The power is applied in two halves, as the whole may overflow. Weights
# of ordinary size stay as they were given.
weights_in_range <- function(weights, call) {
  most <- max(weights)
  if (min(weights) / most < 1 / WEIGHT_RATIO) {
    abort_input("{.arg weights} go from {.val {min(weights)}} to {.val {most}}.", "weights",
                i = "Give weights of which the largest is at most {.val {WEIGHT_RATIO}} times the
                     smallest above 0; rows of weight 0 are left out.", call = call)
  }
  if (most <= WEIGHT_MOST && most >= 1 / WEIGHT_MOST) return(weights)
  power <- -floor(log2(most))
  half <- floor(power / 2)
  weights * 2^half * 2^(power - half)
}

check_domain <- function(domain, n, call) {
  if (is.null(domain)) return(NULL)
  domain <- plain_number(domain)
  if (!is.atomic(domain) || !is.null(dim(domain))) {
    abort_input("{.arg domain} is {.obj_type_friendly {domain}}.", "domain",
                i = "Give a vector or factor with one entry for each row.", call = call)
  }
  if (length(domain) != n || anyNA(domain)) {
    missing <- sum(is.na(domain))
    abort_input("{.arg domain} has length {length(domain)} and {missing} missing value{?s}.",
                "domain", i = "Give the domain of each of the {n} rows.", call = call)
  }
  domain <- quick_factor(domain)
  refuse_unnamed(levels(domain), "domain", "domain", call, missing = TRUE)
  domain
}

# As factor() of a vector that names domains or folds, of a factor its levels in use. It does not turn the value of
# every row into text first.
quick_factor <- function(x) {
  if (is.factor(x)) return(used_levels(x))
  values <- distinct_sorted(x)
  labels <- as.character(values)
  if (anyDuplicated(labels)) return(factor(x))
  coded <- is.integer(x) && identical(values, seq_along(values))
  structure(if (coded) as.integer(x) else match(x, values), levels = labels, class = "factor")
}

# sort(unique(x)), of small whole numbers without a table of their values.
distinct_sorted <- function(x) {
  counts <- if (is.integer(x) && !is.object(x)) tabulate(x, 1000L)
  if (length(x) && sum(counts) == length(x)) which(counts > 0L) else sort(unique(x))
}

# As droplevels(), but faster where every level is in use.
used_levels <- function(f) {
  if (all(tabulate(f, nlevels(f)) > 0)) f else droplevels(f)
}

# The names of the rows of a frame.
frame_row_names <- function(frame) {
  labels <- frame$row_labels
  if (is.null(labels)) return(NULL)
  if (length(frame$rows) == length(labels)) labels else labels[frame$rows]
}

# One shape for every kind of input: a frame holds the design (double matrix or dgCMatrix), the
# response and all that is aligned with its rows; `rows` says which of the n_all rows given they
# are, `row_labels` what all of these are called. In place of a design there may be a map of features, which holds
# the columns that they are made of (frame-map.R). `refit`: NULL, or the fit that is made again, see path-refit.R.
# `sums`: NULL, or what with_moments() adds. Fitters, cross-validation and predict() see frames only. How a design is
# built from data: frame-blueprint.R and frame-formula.R; again from new data: frame-bake.R. A frame of moments() has
# no rows, but `moments`: frame-moments.R.

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

# The rows of positive weight, as lm() has it, with weights whose sums are numbers.
with_positive_weights <- function(frame, call) {
  if (any(frame$weights == 0)) {
    frame <- frame_rows(frame, which(frame$weights > 0))
    frame$y <- frame_response(frame$y, frame_nobs(frame), is.matrix(frame$y),
                              frame$family %||% FALSE, call)
  }
  frame$weights <- weights_in_range(frame$weights, call)
  frame
}

# Last checks that need the frame whole.
frame_checked <- function(frame, call) {
  if (!is.null(frame$weights)) frame <- with_positive_weights(frame, call)
  sources <- sources_of_response(frame$sources, frame$y)
  frame$sources <- sources
  if (!needs_raw(sources)) frame$raw <- NULL
  refuse_few_rows(frame_nobs(frame), call)
  columns <- frame$blueprint$columns
  if ("(Intercept)" %in% columns) {
    abort_input("{.arg x} has a column named {.val (Intercept)}.", "x",
                i = "Leave it out: the intercept is added by the fit.", call = call)
  }
  names <- sources$names
  both <- names[names %in% columns]
  if (length(both)) {
    abort_input("{.arg sources} and the features share the name{?s} {.val {both}}.", "sources",
                i = "Give every column of either a name of its own.", call = call)
  }
  frame
}

# Asks every source model for its predictions once and keeps them. The rows as they were given stay: a method
# that borrows coefficients may code levels anew that only its sources know.
frame_with_source_values <- function(frame, call = rlang::caller_env()) {
  if (!needs_raw(frame$sources)) return(frame)
  frame$sources <- evaluated_sources(frame$sources, frame$raw, frame_nobs(frame), call = call)
  frame
}

# The names of the rows of a frame.
frame_row_names <- function(frame) {
  labels <- frame$row_labels
  if (is.null(labels)) return(NULL)
  if (length(frame$rows) == length(labels)) labels else labels[frame$rows]
}

# ---- rows, or their moments, added up by domain ----------------------------------------------------

# A cell is what is added up of one domain, see moments-cells.R.

# The target first, the others in the order of their levels.
frame_cells <- function(frame, target, call) {
  known <- frame_moments(frame)
  cells <- if (!is.null(known)) moments_domains(known) else {
    sums <- frame_sums(frame, NULL, call)
    stats::setNames(sums$cells, sums$labels$domain)
  }
  cells[c(target, setdiff(levels(frame$domain), target))]
}

# Sums of the features; the response is all zeros.
feature_cells <- function(frame, target, call) {
  frame$y <- numeric(nrow(frame$x))
  frame_cells(frame, target, call)
}

# Sums of the rows by domain and, unless it is NULL, fold.
frame_sums <- function(frame, fold, call) {
  columns <- all_labels(frame$blueprint)
  y <- response_matrix(frame$y)[, 1]
  sums <- add_up(frame$x, y, domain = frame$domain, fold = fold, weights = frame$weights, columns = columns,
                 response = "y", call = call)
  if (sums$dropped) refuse_missing(frame$x, columns, call)
  refuse_tiny(sums, frame$x, columns, call)
  sums
}

# Cells as a fit takes them, columns x domains with the response last: means, sums of squares about the
# mean (about 0 without an intercept), standard deviations (exactly 0 where a column is constant to
# rounding), `binary` columns of zeros and ones, `pooled` standard deviations within domains, and the
# means of all rows, `centre`; n and df (n - 1) by domain.
domain_sums <- function(cells, intercept) .Call(C_domain_sums, cells, intercept)

# One shape for every kind of input: a frame holds the design (double matrix or dgCMatrix), the
# response and all that is aligned with its rows; `rows` says which of the n_all rows given they
# are, `row_labels` what all of these are called. In place of a design there may be a map of features, which holds
# the columns that they are made of (frame-design.R). `sums`: NULL, or what with_moments() adds. Fitters,
# cross-validation and predict() see frames only. How a design is built from data: frame-design.R and frame-formula.R;
# again from new data: frame-bake.R. A frame of moments() has no rows, but `moments`.

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
  if (!missing(x) && inherits(x, c("transfer_path", "transfer_estimates"))) abort_fitted(x, call)
  if (missing(y)) {
    abort_input("{.arg y} is missing.", "y",
                i = "Give one response for each row of {.arg x}. A formula must be the first
                     argument.",
                call = call)
  }
  mapped <- inherits(x, "feature_map")
  if (mapped && is.null(dim(x))) {
    abort_input("{.arg x} is a part of what {.fn {class(x)[1]}} returned.", "x",
                i = "Give the whole of it.", call = call)
  }
  built <- if (mapped) list(x = x, blueprint = x$blueprint) else design_from_data(x, call = call)
  labels <- if (mapped) x$row_labels else row_labels(x)
  if (mapped) built$x$row_labels <- NULL # the frame has them
  new_frame(built, y, weights = weights, domain = domain, sources = sources, many = many, family = family,
            offset = offset, strata = strata, rows = seq_len(nrow(built$x)), row_labels = labels,
            raw = if (mapped) x$x else if (is.null(dim(x))) built$x else x, call = call)
}

# A fit, estimates, or moments of a likelihood, where data are wanted.
abort_fitted <- function(x, call) {
  if (inherits(x, "transfer_path")) {
    abort_input("{.arg x} is a fit of {.fn {class(x)[1]}}, and data are wanted.", "x",
                i = "Give the data, or a formula and {.arg data}, as for the fit. {.fn cv_path} takes the method by
                     name: {.code cv_path(y ~ ., data, fit = {class(x)[1]})}.",
                call = call)
  }
  family <- x$sites[[1]]$family
  family <- if (by_likelihood(family)) paste0("family = \"", family, "\", ")
  abort_input("{.arg x} is estimates, or moments of a likelihood, and the rows of the target are wanted.", "x",
              i = "Give these rows, and the estimates as {.arg sources}:
                   {.code tlcp(y ~ ., data, {family}sources = )}.", call = call)
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
  if (length(extras)) extras <- extra_columns(extras, data, env, call)
  na_action <- check_na_action(if (missing(na_action)) getOption("na.action") else na_action, call)
  parts <- if (is.data.frame(data) && !is.null(wide_side(formula[[3]]))) {
    wide_frame(formula, data, extras, na_action, env, call)
  } else {
    model_frame(formula, data, extras = extras, na_action = na_action, env = env, sparse = sparse, call = call)
  }
  frame <- new_frame(
    parts$built, parts$y, weights = parts$weights, domain = parts$domain, sources = sources, many = many,
    family = family, offset = parts$offset, strata = parts$strata, rows = parts$rows, n_all = parts$n_all,
    raw = if (is.null(data)) parts$raw else data[parts$rows, , drop = FALSE],
    row_labels = if (is.null(data)) seq_len(parts$n_all) else row_labels(data), call = call
  )
  frame["na.action"] <- list(parts$na_action)
  if (length(parts$na_action)) frame$left_out <- incomplete_rows(parts, frame$domain)
  frame
}

# What na.action has left out: list(of, incomplete, domains), the numbers of rows there were and of
# incomplete ones, and the domains that have no complete row.
incomplete_rows <- function(parts, domain) {
  incomplete <- length(parts$na_action)
  all <- unique(as.character(parts$all_domains))
  list(of = length(parts$rows) + incomplete, incomplete = incomplete,
       domains = setdiff(all[!is.na(all)], levels(domain)))
}

# The frame of what is given, checked. built: the design and its blueprint. The others have an entry for each row, but
# sources, which are of all n_all rows. raw: the rows as they were given, which only models among the sources need.
new_frame <- function(built, y, weights = NULL, domain = NULL, sources = NULL, many = FALSE, family = FALSE,
                      offset = NULL, strata = NULL, rows, n_all = length(rows), row_labels, raw, call) {
  n <- length(rows)
  family <- if (isFALSE(family)) NULL else if (!is.null(family)) check_family(family, call) else
    if (inherits(y, "Surv")) "cox" else "gaussian"
  if (!is.null(sources)) sources <- as_sources(sources, n_all, call)
  y <- frame_response(y, n, many, family, call)
  frame <- list(
    x = built$x, y = y, weights = if (!is.null(weights)) check_weights(weights, n, call),
    domain = if (!is.null(domain)) check_domain(domain, n, call),
    sources = if (!is.null(sources)) source_rows(sources, rows), raw = if (!is.null(sources) && needs_raw(sources)) raw,
    blueprint = built$blueprint, intercept = built$intercept %||% TRUE, na.action = NULL, rows = rows, n_all = n_all,
    row_labels = row_labels, left_out = NULL, family = family,
    offset = if (!is.null(offset)) check_offset(offset, n, call),
    strata = if (!is.null(strata)) check_strata(strata, n, family, call)
  )
  class(frame) <- "transfer_frame" # several times as fast as structure()
  if (!is.null(weights)) frame <- with_positive_weights(frame, call)
  if (nrow(frame$x) < 2) refuse_few_rows(nrow(frame$x), call)
  if (match("(Intercept)", built$blueprint$columns, 0L)) {
    abort_input("{.arg x} has a column named {.val (Intercept)}.", "x",
                i = "Leave it out: the intercept is added by the fit.", call = call)
  }
  if (!is.null(sources)) frame$sources <- sources_beside(frame$sources, frame, call)
  frame
}

# The rows of positive weight, as lm() has it, with weights whose sums are numbers.
with_positive_weights <- function(frame, call) {
  if (any(frame$weights == 0)) {
    frame <- frame_rows(frame, which(frame$weights > 0))
    frame$y <- frame_response(frame$y, frame_nobs(frame), is.matrix(frame$y), frame$family, call)
  }
  frame$weights <- weights_in_range(frame$weights, call)
  frame
}

# The sources for the response of the frame, whose columns must have other names.
sources_beside <- function(sources, frame, call) {
  sources <- sources_of_response(sources, frame$y)
  names <- sources$names
  both <- names[names %in% frame$blueprint$columns]
  if (length(both)) {
    abort_input("{.arg sources} and the features share the name{?s} {.val {both}}.", "sources",
                i = "Give every column of either a name of its own.", call = call)
  }
  sources
}

# An error where the frame, which cross-validation may have made for any method, has an input that the method does
# not take; families are refused elsewhere. takes: what the method takes, any of "maps", "products", "responses"
# (several) and "sources".
refuse_for <- function(method, frame, takes, call) {
  if (is_mapped(frame) && !"maps" %in% takes && !(inherits(frame$x, "products") && "products" %in% takes)) {
    refuse_map(frame, method, call)
  }
  likelihood <- by_likelihood(frame$family)
  if (is.matrix(frame$y) && !likelihood && !"responses" %in% takes) abort_responses(frame$y, call)
  if (inherits(frame$y, "Surv")) abort_surv(call)
  if (!is.null(frame$offset)) abort_offset(call)
  if (likelihood) {
    abort_input("{.arg family} is {.val {frame$family}}.", "family",
                i = "Leave it out, or use {.fn tlcp}.", call = call)
  }
  if (!is.null(frame$sources) && !"sources" %in% takes) {
    abort_input("{.fn {method}} takes no {.arg sources}.", "sources", i = "Give them to {.fn greedytl}.", call = call)
  }
}

# Refuses a map of features.
refuse_map <- function(frame, method, call) {
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

# Asks every source model for its predictions once and keeps them. The rows as they were given stay: a method
# that borrows coefficients may code levels anew that only its sources know.
frame_with_source_values <- function(frame, call = rlang::caller_env()) {
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
  if (is.null(known)) {
    sums <- frame_sums(frame, NULL, call)
    cells <- sums$cells
    names(cells) <- sums$labels$domain
  } else {
    cells <- moments_domains(known)
  }
  all <- levels(frame$domain)
  cells[c(target, all[!all %in% target])]
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

# ---- a frame of second moments: it has no rows, but `moments` by domain ----------------------------------

moments_frame <- function(m, call) {
  refuse_few_rows(sum(m$cells$n), call)
  domains <- moment_names(m)
  responses <- length(m$response)
  y <- if (responses > 1) matrix(0, 0, responses, dimnames = list(NULL, m$response)) else
    if (is.null(m$classes)) numeric() else factor(character(), levels = m$classes)
  structure(
    list(x = matrix(0, 0, m$blueprint$p), blueprint = m$blueprint, intercept = m$intercept, y = y, sources = m$sources,
         domain = if (!identical(domains, NO_DOMAIN)) factor(domains, levels = domains),
         n_rows = sum(m$cells$n), moments = m,
         left_out = if (isTRUE(m$dropped > 0)) {
           list(of = sum(m$cells$n) + m$dropped, incomplete = m$dropped, domains = m$lost)
         }),
    class = "transfer_frame"
  )
}

# given: by name what may have been given beside moments, NULL where it was not.
refuse_beside_moments <- function(given, call) {
  given <- names(Filter(Negate(is.null), given))
  if (!length(given)) return(invisible())
  abort_input("{.arg {given}} {?is/are} given beside moments.", "moments",
              i = "Leave {.arg {given}} out, or give the rows in place of the moments, which have the response, the
                   weights and the domains that they were made of, and no other columns.", call = call)
}

# For a fit to moments. given: its arguments. for_rows: those that need rows, each with the value that moments can have,
# or NULL.
refuse_without_rows <- function(given, for_rows, call) {
  lacking <- function(name) !is.null(given[[name]]) && !identical(given[[name]], for_rows[[name]])
  needing <- Filter(lacking, names(for_rows))
  if (!length(needing)) return(invisible())
  abort_input("{.arg {needing}} need{?s/} rows, and {.arg x} is moments.", "moments",
              i = "Leave {.arg {needing}} out, or give the rows in place of the moments.", call = call)
}

# The second moments of all rows, as kernels take them.
frame_gram <- function(frame, intercept) {
  known <- frame_moments(frame)
  if (!is.null(known)) moments_gram(moments_total(known), length(known$columns), intercept)
}

FAR_FROM_0 <- 1e5 # means in standard deviations, and condition numbers, from which moments lose too many digits

# Are fits to these moments off by no more than rounding? list(weight, mean, cross) of all rows.
well_conditioned <- function(all) {
  spread <- sqrt(diag(cell_covariance(all)))
  all(spread > SQUARES_LEAST & abs(all$mean) < FAR_FROM_0 * spread) && rcond(stats::cov2cor(all$cross)) > 1 / FAR_FROM_0
}

# Centred cross products with weights that sum to n, of p columns and the responses; about zero without an intercept.
moments_gram <- function(all, p, intercept) {
  cross <- all$n * cell_covariance(all)
  mean <- unname(all$mean)
  if (!intercept) {
    cross <- cross + all$n * tcrossprod(mean)
    mean[] <- 0
  }
  x <- seq_len(p)
  list(G = unname(cross[x, x, drop = FALSE]), b = unname(cross[x, -x]), yy = unname(diag(cross)[-x]), n = all$n,
       mean = mean[x], y_mean = mean[-x])
}

rss_from_gram <- function(w, gram) {
  gram$yy - 2 * sum(gram$b * w) + sum(w * (gram$G %*% w))
}

# The frame with the moments of its rows (of the response less its offset), so that a fit need not add them up again;
# unchanged where a fit by moments would be off by more than rounding.
with_moments <- function(frame, moments) {
  if (!is.null(moments) && well_conditioned(moments_total(moments))) {
    frame$sums <- list(moments = moments, of = summed_parts(frame, less_offset(frame)))
  }
  frame
}

# The moments that with_moments() has added. NULL where there are none, or where the rows are others by now: a
# function around a method may have changed them.
frame_moments <- function(frame) {
  if (!is.null(frame$moments)) return(frame$moments)
  if (!is.null(frame$sums) && identical(frame$sums$of, summed_parts(frame, frame$y))) frame$sums$moments
}

summed_parts <- function(frame, y) list(frame$x, y, frame$weights, frame$domain, frame$sources$values)

# Refuses a column that varies, but whose squares underflow, as the kernels of the other fitters do.
refuse_tiny <- function(sums, x, columns, call) {
  at <- seq_len(ncol(x))
  diagonal <- (at - 1L) * (ncol(x) + 1) + at
  most <- 0
  for (cell in sums$cells) most <- pmax.int(most, cell$cross[diagonal])
  for (j in at[!is.na(most) & most < SQUARES_LEAST^2]) {
    v <- as.numeric(x[, j])
    v <- v[is.finite(v)]
    if (length(v) && max(abs(v)) <= SQUARES_LEAST && min(v) < max(v)) abort_not_finite(columns[j], "x", v, call)
  }
}

refuse_missing <- function(x, columns, call) {
  bad <- if (!is.matrix(x)) {
    which(Matrix::colSums(is.na(x)) > 0)
  } else if (anyNA(x)) {
    which(colSums(is.na(x)) > 0)
  }
  if (length(bad)) abort_not_finite(columns[bad[1]], "x", as.numeric(x[, bad[1]]), call)
}

# ---- families, offsets and strata ----------------------------------------------------------------------

frame_response <- function(y, n, many, family, call) {
  if (by_likelihood(family)) return(check_family_response(y, n, family, call))
  if (inherits(y, "Surv")) abort_surv(call)
  check_response(y, n, many, call = call)
}

abort_surv <- function(call) {
  abort_input("{.arg y} is a {.cls Surv}.", "y",
              i = "Give survival times to {.fn tlcp} with {.code family = \"cox\"}.", call = call)
}

# A frame that was made without a family, as cross-validation gives it to a function of the user's.
as_family_frame <- function(frame, family, call) {
  family <- check_family(family, call)
  if (identical(family, frame$family)) return(frame)
  if (by_likelihood(frame$family)) {
    abort_input("{.arg family} is {.val {family}}, and the response is one of {.val {frame$family}}.",
                "family", i = "Give the family once.", call = call)
  }
  frame$y <- frame_response(frame$y, nrow(frame$x), FALSE, family, call)
  frame$family <- family
  frame
}

# A numeric response less its offset: that is what an offset means to least squares.
without_offset <- function(frame, call) {
  if (is.factor(frame$y)) {
    abort_input("There is an {.arg offset}, and {.arg y} has classes fitted by least squares.",
                "offset", i = "Give {.code family = \"binomial\"}.", call = call)
  }
  frame$y <- less_offset(frame)
  frame
}

less_offset <- function(frame) if (is.null(frame$offset)) frame$y else frame$y - frame$offset

# ---- offsets of new rows ---------------------------------------------------------------------------

# How predict() finds the offsets of new rows of a fit that has an offset: by the `expression` of the argument.
offset_plan <- function(expression = NULL) list(expression = if (is.language(expression)) expression)

# object: a fit with an offset.
new_offset <- function(object, newdata, n, call) {
  plan <- object$offset
  if (!is.null(plan$given)) return(plan$given)
  terms <- object$blueprint$terms
  variables <- as.list(attr(terms, "variables"))[-1][attr(terms, "offset")]
  if (!is.null(plan$expression)) variables <- c(variables, plan$expression)
  values <- lapply(variables, function(e) {
    tryCatch(eval(e, as.data.frame(newdata), environment(terms) %||% globalenv()),
             error = function(e) NULL)
  })
  good <- length(values) && all(vapply(values, function(v) is.numeric(v) && length(v) %in% c(1, n), NA))
  if (!good) {
    abort_input("The fit has an offset, which {.arg newdata} does not.", "offset",
                i = "Give {.arg offset}: a number for each row, 0 for none.", call = call)
  }
  Reduce(`+`, values)
}

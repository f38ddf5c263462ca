# A frame is the one form of every kind of input; fitters, cross-validation and predict() take nothing else. It holds
# the design (a double matrix or dgCMatrix), the response, and what else has an entry for each row. `rows` are the
# numbers of its rows among the n_all rows given, `row_labels` the labels of all of these. In place of a design there
# may be a map of features (frame-design.R). `sums` is NULL, or what with_moments() adds. A frame of moments() has no
# rows, but `moments`. Designs are built from data in frame-design.R and frame-formula.R, from new data in
# frame-bake.R.

# The frame of x, y and the other arguments of a fit. many: may y be a matrix of several responses? family: FALSE for
# methods without likelihoods of responses. moments: may x be moments?
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
  if (mapped) built$x$row_labels <- NULL # the frame has `row_labels`
  new_frame(built, y, weights = weights, domain = domain, sources = sources, many = many, family = family,
            offset = offset, strata = strata, rows = seq_len(nrow(built$x)), row_labels = labels,
            raw = if (mapped) x$x else if (is.null(dim(x))) built$x else x, call = call)
}

# The error where x is a fit, estimates, or moments of a likelihood, and data are wanted.
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

# The frame of a formula; data, weights, subset and na.action mean what they mean in lm(). matched: the call of the
# method, with the expressions that are evaluated in the data.
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

# The rows that na.action has left out: list(of, incomplete, domains), the number of all rows, the number of
# incomplete ones, and the domains that have no complete row.
incomplete_rows <- function(parts, domain) {
  incomplete <- length(parts$na_action)
  all <- unique(as.character(parts$all_domains))
  list(of = length(parts$rows) + incomplete, incomplete = incomplete,
       domains = setdiff(all[!is.na(all)], levels(domain)))
}

# The frame, its parts checked. built: list(x, blueprint), see design_from_data(). The other parts have an entry for
# each row, sources for each of the n_all rows. raw: the rows as they were given, which only models among the sources
# need.
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
  class(frame) <- "transfer_frame" # structure() takes longer
  if (!is.null(weights)) frame <- with_positive_weights(frame, call)
  if (nrow(frame$x) < 2) refuse_few_rows(nrow(frame$x), call)
  if (match("(Intercept)", built$blueprint$columns, 0L)) {
    abort_input("{.arg x} has a column named {.val (Intercept)}.", "x",
                i = "Leave it out: the intercept is added by the fit.", call = call)
  }
  if (!is.null(sources)) frame$sources <- sources_beside(frame$sources, frame, call)
  frame
}

# The frame without rows of weight 0, which lm() leaves out, too, and with weights whose sums do not overflow.
with_positive_weights <- function(frame, call) {
  if (any(frame$weights == 0)) {
    frame <- frame_rows(frame, which(frame$weights > 0))
    frame$y <- frame_response(frame$y, frame_nobs(frame), is.matrix(frame$y), frame$family, call)
  }
  frame$weights <- weights_in_range(frame$weights, call)
  frame
}

# The sources as they are for the frame's response; an error where a source and a feature have the same name.
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

# An error where the frame has an input that the method, which is not tlcp(), does not take: cross-validation makes
# frames for any method. takes: what the method takes, any of "maps", "products", "responses" (several) and "sources".
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

# The error for a map of features.
refuse_map <- function(frame, method, call) {
  mend <- if (inherits(frame$x, "products")) {
    "Give products to {.fn shareboost}, {.fn greedytl} or {.fn tgreedy}."
  } else {
    "Give stumps and pieces to {.fn shareboost}."
  }
  abort_input("{.fn {method}} takes no {.cls {class(frame$x)[1]}}.", "x", i = mend, call = call)
}

# An error where a term of a formula is stumps, pieces or products: a call of these functions or their result.
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

# The frame with the predictions of every source model, which is called once. `raw` is kept: a method that borrows
# coefficients codes rows anew where its sources have levels of factors that the design has not.
frame_with_source_values <- function(frame, call = rlang::caller_env()) {
  frame$sources <- evaluated_sources(frame$sources, frame$raw, frame_nobs(frame), call = call)
  frame
}

# The labels of the frame's rows.
frame_row_names <- function(frame) {
  labels <- frame$row_labels
  if (is.null(labels)) return(NULL)
  if (length(frame$rows) == length(labels)) labels else labels[frame$rows]
}

# The rows of the target, or their moments.
target_rows <- function(frame, target) {
  if (!has_rows(frame) && !is.null(frame$domain)) frame$moments <- frame$moments[target]
  if (is.null(frame$domain) || !nrow(frame$x)) return(frame)
  frame_rows(frame, which(frame$domain == target))
}

# Under na.exclude fitted values stand at the places of their rows in the data. This returns the rows without a fitted
# value: incomplete rows, and rows of other domains.
rows_elsewhere <- function(frame, target) {
  left_out <- frame$na.action
  whole <- frame_nobs(frame) + length(left_out)
  if (is.null(frame$domain) || whole < max(left_out)) return(NULL)
  kept <- setdiff(seq_len(whole), left_out)
  rest <- setdiff(seq_len(whole), kept[frame$domain == target])
  names <- character(whole)
  names[kept] <- frame_row_names(frame)
  names[left_out] <- names(left_out)
  structure(rest, names = names[rest], class = "exclude")
}

# ---- rows, or their moments, added up by domain ----------------------------------------------------

# The cells (the sums of one domain each, see moments-cells.R), the target's first, the others in the order of their
# levels.
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

# As frame_cells(), for features alone: the response counts as 0.
feature_cells <- function(frame, target, call) {
  frame$y <- numeric(nrow(frame$x))
  frame_cells(frame, target, call)
}

# The sums of the rows (moments-cells.R) by domain and, unless it is NULL, fold.
frame_sums <- function(frame, fold, call) {
  columns <- all_labels(frame$blueprint)
  y <- response_matrix(frame$y)[, 1]
  sums <- add_up(frame$x, y, domain = frame$domain, fold = fold, weights = frame$weights, columns = columns,
                 response = "y", call = call)
  if (sums$dropped) refuse_missing(frame$x, columns, call)
  refuse_tiny(sums, frame$x, columns, call)
  sums
}

# The cells, intercept, and by column (the response last) and domain: `mean` (0 without an intercept), `square`, the
# sum of squares about it, and `spread`, the standard deviation (exactly 0 where the column is constant to rounding).
# By column: is it `binary` (zeros and ones in every domain); `within`, the standard deviation within domains;
# `centre`, the mean of all rows. By domain: n and df (n - 1).
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

# An error where an argument is given beside moments. given: a named list of these arguments, NULL where not given.
refuse_beside_moments <- function(given, call) {
  given <- names(Filter(Negate(is.null), given))
  if (!length(given)) return(invisible())
  abort_input("{.arg {given}} {?is/are} given beside moments.", "moments",
              i = "Leave {.arg {given}} out, or give the rows in place of the moments, which have the response, the
                   weights and the domains that they were made of, and no other columns.", call = call)
}

# An error where an argument of a fit to moments needs rows. given: the arguments by name. for_rows: those that need
# rows, each with the one value that does not, or NULL.
refuse_without_rows <- function(given, for_rows, call) {
  lacking <- function(name) !is.null(given[[name]]) && !identical(given[[name]], for_rows[[name]])
  needing <- Filter(lacking, names(for_rows))
  if (!length(needing)) return(invisible())
  abort_input("{.arg {needing}} need{?s/} rows, and {.arg x} is moments.", "moments",
              i = "Leave {.arg {needing}} out, or give the rows in place of the moments.", call = call)
}

# moments_gram() of all rows; NULL where the frame has no moments.
frame_gram <- function(frame, intercept) {
  known <- frame_moments(frame)
  if (!is.null(known)) moments_gram(moments_total(known), length(known$columns), intercept)
}

FAR_FROM_0 <- 1e5 # largest means, in standard deviations, and condition numbers with enough digits in moments

# Do fits to these moments agree with fits to the rows up to rounding? all: list(weight, mean, cross) of all rows.
well_conditioned <- function(all) {
  spread <- sqrt(diag(cell_covariance(all)))
  all(spread > SQUARES_LEAST & abs(all$mean) < FAR_FROM_0 * spread) && rcond(stats::cov2cor(all$cross)) > 1 / FAR_FROM_0
}

# The sums of products of p columns and the responses about the means (about 0 without an intercept), with weights that
# sum to n. all: moments of all rows.
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

# w: coefficients, a column for each response.
rss_from_gram <- function(w, gram) unname(gram$yy + colSums(w * (gram$G %*% w - 2 * gram$b)))

# The frame with the moments of its rows (of the response less its offset), so that a fit need not add them up again;
# without them where moments lose too many digits (well_conditioned()).
with_moments <- function(frame, moments) {
  if (!is.null(moments) && well_conditioned(moments_total(moments))) {
    frame$sums <- list(moments = moments, of = summed_parts(frame, less_offset(frame)))
  }
  frame
}

# The moments that the frame has, or that with_moments() has added. NULL where there are none, or where the rows are
# not those of the moments: a function of the user's around a method may have changed them.
frame_moments <- function(frame) {
  if (!is.null(frame$moments)) return(frame$moments)
  if (!is.null(frame$sums) && identical(frame$sums$of, summed_parts(frame, frame$y))) frame$sums$moments
}

summed_parts <- function(frame, y) list(frame$x, y, frame$weights, frame$domain, frame$sources$values)

# An error for a column that varies, but whose squares underflow, as in the kernels of other methods.
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

# The frame with `family`, which the call of a method has: cross-validation gives a function of the user's a frame that
# was made without it.
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

# The frame with the offset subtracted from the response, which is what an offset means in least squares.
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

# What a fit with an offset keeps of it: the expression of the argument, by which predict() finds offsets of new rows.
offset_plan <- function(expression = NULL) list(expression = if (is.language(expression)) expression)

# The offsets of n new rows for a fit with an offset; an error where newdata does not have them.
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

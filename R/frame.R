# A frame is the one form of every kind of input; fitters, cross-validation and predict() take nothing else. It holds
# the design (a double matrix or dgCMatrix), the response, and what else has an entry for each row. `rows` are the
# numbers of its rows among the n_all rows given, `row_labels` the labels of all of these. In place of a design there
# may be a map of features (frame-design.R). `sums` is NULL, or what with_moments() adds. A frame of moments() has no
# rows, but `moments` (frame-moments.R). Formulas are read in frame-formula.R, variables of data frames coded in
# frame-design.R, new data in frame-bake.R.
#
# A blueprint says how to make a design from new data: it holds names, levels and contrasts, but no rows, and for a wide
# formula no terms object. It has the elements
#   kind      "matrix" (columns taken by name), "frame" (a data frame's variables, one by one),
#             "terms" (a formula's terms) or "map" (stumps, pieces or products: features that
#             expand(blueprint, x) makes from a design x of the blueprint `base`)
#   columns   names of the design's columns; NULL for a matrix without column names
#   p         their number

# The frame of x, y and the other arguments of a fit. many: may y be a matrix of several responses? family: FALSE for
# methods without likelihoods of responses; NA where a method will say it later, see as_family_frame(). moments: may x
# be moments?
frame_default <- function(x, y, weights = NULL, domain = NULL, sources = NULL, many = FALSE,
                          family = FALSE, offset = NULL, strata = NULL, moments = FALSE,
                          call = rlang::caller_env()) {
  object <- !missing(x) && is.object(x)
  if (object && moments && inherits(x, "moments")) {
    refuse_beside_moments(list(y = if (!missing(y)) y, weights = weights, domain = domain, sources = sources,
                               offset = offset, strata = strata), call)
    return(moments_frame(x, call))
  }
  if (object && inherits(x, c("transfer_path", "transfer_estimates"))) abort_fitted(x, call)
  if (missing(x)) abort_missing("x", "Give the features of each row, or a formula as the first argument.", call)
  if (missing(y)) {
    abort_input("{.arg y} is missing.", "y",
                i = "Give one response for each row of {.arg x}. A formula must be the first
                     argument.",
                call = call)
  }
  mapped <- object && inherits(x, "feature_map")
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

# The frame, its parts checked. built: list(x, blueprint), see design_from_data(). The other parts have an entry for
# each row, sources for each of the n_all rows. raw: the rows as they were given, which only models among the sources
# need. unweighted: are rows of weight 0 to be kept apart, as list(at, frame)?
new_frame <- function(built, y, weights = NULL, domain = NULL, sources = NULL, many = FALSE, family = FALSE,
                      offset = NULL, strata = NULL, rows, n_all = length(rows), row_labels, raw, unweighted = FALSE,
                      call) {
  n <- length(rows)
  later <- identical(family, NA) # strata are then taken as they are, until the family is said
  said <- !later || inherits(y, "Surv")
  quasi <- is_quasi(family)
  theta <- negbin_theta(family)
  family <- if (isFALSE(family)) NULL else if (!is.null(family) && !later) check_family(family, call) else
    if (inherits(y, "Surv")) "cox" else "gaussian"
  if (!is.null(sources)) sources <- as_sources(sources, n_all, call)
  y <- frame_response(y, n, many, family, said, call)
  frame <- list(
    x = built$x, y = y, weights = if (!is.null(weights)) check_weights(weights, n, call),
    domain = if (!is.null(domain)) check_domain(domain, n, call),
    sources = if (identical(rows, seq_len(n_all))) sources else if (!is.null(sources)) source_rows(sources, rows),
    raw = if (!is.null(sources) && needs_raw(sources)) raw,
    blueprint = built$blueprint, intercept = built$intercept %||% TRUE, na.action = NULL, rows = rows, n_all = n_all,
    row_labels = row_labels, left_out = NULL, family = family, said = said, quasi = quasi, theta = theta,
    offset = if (!is.null(offset)) check_offset(offset, n, call),
    strata = if (!is.null(strata)) check_strata(strata, n, if (said) family else "cox", call)
  )
  if (!is.null(weights)) frame <- with_positive_weights(frame, unweighted, call)
  if (nrow(frame$x) < 2) refuse_few_rows(nrow(frame$x), call)
  if (match("(Intercept)", built$blueprint$columns, 0L)) {
    abort_input("{.arg x} has a column named {.val (Intercept)}.", "x",
                i = "Leave it out: the intercept is added by the fit.", call = call)
  }
  if (!is.null(sources)) frame$sources <- sources_beside(frame$sources, frame, call)
  class(frame) <- "transfer_frame" # last, since `$` then looks for a method
  frame
}

new_blueprint <- function(kind, columns, p, ...) {
  blueprint <- list(kind = kind, columns = columns, p = p, ...)
  class(blueprint) <- "transfer_blueprint"
  blueprint
}

frame_blueprint <- function(plans) {
  columns <- columns_of_variables(plans)
  new_blueprint("frame", columns, length(columns), variables = plans)
}

# Returns list(x, blueprint), x being a double matrix or dgCMatrix. Missing values are not looked for here: the
# kernels find them. whole, incomplete: see variable_plan() and refuse_single_levels().
design_from_data <- function(x, call, whole = TRUE, incomplete = 0) {
  if (is.data.frame(x)) {
    refuse_nameless(x, "x", call)
    x <- plain_numbers(x)
    tell_texts(x)
    variables <- lapply(x, variable_plan, whole = whole)
    refuse_variables(x, variables, call, incomplete)
    design <- frame_design(x, variables)
    blueprint <- frame_blueprint(variables)
  } else {
    design <- as_design_matrix(x, "x", call)
    check_names(colnames(design), "x", call)
    blueprint <- new_blueprint("matrix", colnames(design), ncol(design))
  }
  list(x = design, blueprint = blueprint)
}

# NULL where every column is a group of its own, else list(of, labels): the number of every column's group, groups
# being numbered in the order of their first columns, and the names of the groups.
column_groups <- function(groups, frame, call) {
  if (isFALSE(groups) || is.null(groups) && frame$blueprint$kind == "matrix") return(NULL)
  groups <- if (is.null(groups)) factor_groups(frame$blueprint) else as.character(check_groups(groups, frame, call))
  if (is.null(groups) || !anyDuplicated(groups)) return(NULL)
  list(of = match(groups, unique(groups)), labels = unique(groups))
}

# The design matrix of a frame's rows, with the features of a map written out.
framed_design <- function(blueprint, frame) {
  if (blueprint$kind == "map") expanded(blueprint, columns_of(frame$x)) else frame$x
}

# The frame without rows of weight 0, which lm() leaves out, too, and with weights whose sums do not overflow. keep: see
# `unweighted` of new_frame().
with_positive_weights <- function(frame, keep, call) {
  if (length(frame$weights) && min(frame$weights) == 0) {
    left <- which(frame$weights == 0)
    apart <- if (keep) list(at = left, frame = structure(frame_rows(frame, left), class = "transfer_frame"))
    frame <- frame_rows(frame, which(frame$weights > 0))
    frame$unweighted <- apart
    frame$y <- frame_response(frame$y, frame_nobs(frame), is.matrix(frame$y), frame$family, frame$said, call)
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

# The frame for a method that is not tlcp(); an error where it has an input that the method does not take:
# cross-validation makes frames for any method. takes: what the method takes, any of "maps", "products", "responses"
# (several) and "sources".
frame_for <- function(method, frame, takes, call) {
  frame <- as_family_frame(frame, NULL, call)
  has <- unclass(frame) # for a faster `$`
  if (is_mapped(has) && !"maps" %in% takes && !(inherits(has$x, "products") && "products" %in% takes)) {
    refuse_map(frame, method, call)
  }
  likelihood <- by_likelihood(has$family)
  if (is.matrix(has$y) && !likelihood && !"responses" %in% takes) abort_responses(has$y, call)
  if (inherits(has$y, "Surv")) abort_surv(call)
  if (!is.null(has$offset)) abort_offset(call)
  if (likelihood) {
    abort_input("{.arg family} is {.val {has$family}}.", "family", i = "Leave it out, or use {.fn tlcp}.", call = call)
  }
  if (!is.null(has$sources) && !"sources" %in% takes) {
    abort_input("{.fn {method}} takes no {.arg sources}.", "sources", i = "Give them to {.fn greedytl}.", call = call)
  }
  frame
}

abort_offset <- function(call) {
  abort_input("{.arg formula} has an offset.", "formula",
              i = "Subtract the offset from a response of numbers; only {.fn tlcp} takes offsets.",
              call = call)
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
  frame_rows(frame, which(of_domain(frame, target)))
}

# Under na.exclude fitted values stand at the places of their rows in the data. This returns the rows without a fitted
# value: incomplete rows, rows of other domains than the target (NULL: there is none), and rows of weight 0. NULL where
# only incomplete rows have none.
rows_elsewhere <- function(frame, target) {
  left_out <- frame$na.action
  apart <- frame$unweighted
  whole <- frame_nobs(frame) + length(apart$at) + length(left_out)
  if (is.null(frame$domain) && is.null(apart) || whole < max(left_out)) return(NULL)
  complete <- setdiff(seq_len(whole), left_out)
  kept <- if (is.null(apart)) complete else complete[-apart$at]
  own <- if (is.null(target) || is.null(frame$domain)) kept else kept[of_domain(frame, target)]
  rest <- setdiff(seq_len(whole), own)
  names <- character(whole)
  names[kept] <- frame_row_names(frame)
  names[complete[apart$at]] <- if (!is.null(apart)) frame_row_names(apart$frame)
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

# The sums of the response alone by domain, a named list.
response_cells <- function(frame, call) {
  y <- first_response(frame$y)
  sums <- sums_of_rows(list(), y, frame$domain, NULL, weights = NULL, columns = NULL, response = "y", call = call)
  stats::setNames(sums$cells, sums$labels$domain)
}

# As frame_cells(), for features alone: the response counts as 0.
feature_cells <- function(frame, target, call) {
  frame$y <- numeric(nrow(frame$x))
  frame_cells(frame, target, call)
}

# The sums of the rows (see moments-cells.R) by domain and, unless it is NULL, fold. y: n numbers or a matrix.
frame_sums <- function(frame, fold, call, y = first_response(frame$y)) {
  columns <- all_labels(frame$blueprint)
  sums <- tryCatch(
    add_up(frame$x, y, domain = frame$domain, fold = fold, weights = frame$weights, columns = columns, response = "y",
           call = call),
    transelect_error_moments = function(error) {
      refuse_large(frame$x, columns, call)
      rlang::cnd_signal(error)
    }
  )
  if (sums$dropped) refuse_missing(frame$x, columns, call)
  refuse_tiny(sums, frame$x, columns, call)
  sums
}

add_up <- function(x, ...) if (isS4(x)) sums_of_sparse(x, ...) else sums_of_rows(x, ...)

# The moments of rows: x a double matrix, or a list of them, y n numbers or a matrix; domain, fold, weights n values or
# NULL; columns, response: names of the columns of x and of y.
sums_of_rows <- function(x, y, domain, fold, weights, columns, response, call) {
  parts <- c(if (is.matrix(x)) list(x) else x, list(y))
  n <- NROW(y)
  cells <- code_cells(domain, fold, n)
  if (!nrow(cells$labels)) return(no_sums(n))
  out <- with_progress_of("Rows", .Call(C_moments, parts, cells$code - 1L, nrow(cells$labels), weights))
  if (out$status != 0) {
    value <- do.call(cbind, parts)[, out$bad]
    abort_moments_value(c(columns, response)[out$bad], if (any(is.infinite(value))) "infinite" else "large", call)
  }
  there <- out$n > 0
  sums <- list(labels = cells$labels, cells = out$cells, dropped = out$dropped, lost = character())
  if (all(there)) return(sums)
  sums$labels <- cells$labels[there, , drop = FALSE]
  sums$cells <- out$cells[there]
  sums$lost <- cells$labels$domain[!there]
  sums
}

# list(code, labels): for each row the number of its cell, 0 where domain or fold is missing; the labels of the cells.
code_cells <- function(domain, fold, n) {
  if (is.null(domain) && is.null(fold) && n > 0) {
    return(list(code = rep(1L, n), labels = quick_frame(list(domain = "all", fold = NA_character_))))
  }
  domains <- code_values(domain, "all", n)
  folds <- code_values(fold, NA_character_, n)
  step <- length(domains$values)
  most <- step * as.double(length(folds$values))
  if (most > .Machine$integer.max) step <- as.double(step)
  both <- if (is.null(fold)) domains$code else if (is.null(domain)) folds$code else
    domains$code + step * (folds$code - 1L)
  used <- if (most <= n) which(tabulate(both, most) > 0) else unique(both[!is.na(both)])
  code <- if (length(used) == most && is.integer(both) && !anyNA(both)) both else match(both, used, nomatch = 0L)
  labels <- quick_frame(list(
    domain = domains$values[(used - 1) %% step + 1],
    fold = folds$values[(used - 1) %/% step + 1]
  ))
  list(code = code, labels = labels)
}

code_values <- function(v, all, n) {
  if (is.null(v)) return(list(code = rep_len(1L, min(n, 1L)), values = all)) # a single code stands for all rows
  if (is.factor(v)) return(list(code = as.integer(v), values = levels(v)))
  distinct <- unique(v)
  distinct <- distinct[!is.na(distinct)]
  names <- value_names(distinct)
  values <- unique(names)
  list(code = match(names, values)[match(v, distinct)], values = values)
}

# The names of the domains or folds in a column, without NA.
known_cells <- function(v) {
  v <- unique(plain_number(v))
  value_names(v[!is.na(v)])
}

# sums_of_rows() of a sparse matrix, some rows of which are made dense at a time.
sums_of_sparse <- function(x, y, domain, fold, weights, columns, response, call) {
  sums <- no_sums()
  step <- max(1, floor(4e6 / (ncol(x) + 1)))
  for (from in seq(1, nrow(x), by = step)) {
    i <- from:min(nrow(x), from + step - 1)
    part <- sums_of_rows(as.matrix(x[i, , drop = FALSE]), if (is.matrix(y)) y[i, , drop = FALSE] else y[i],
                         domain = domain[i], fold = fold[i], weights = weights[i], columns = columns,
                         response = response, call = call)
    sums <- join_sums(sums, part)
  }
  sums
}

# The cells, intercept, and by column (the response last) and domain: `mean` (0 without an intercept), `square`, the
# sum of squares about it, and `spread`, the standard deviation (exactly 0 where the column is constant to rounding).
# By column: is it `binary` (zeros and ones in every domain); `within`, the standard deviation within domains;
# `centre`, the mean of all rows. By domain: n and df (n - 1).
domain_sums <- function(cells, intercept) .Call(C_domain_sums, cells, intercept)

# moments_gram() of all rows; NULL where the frame has no moments.
frame_gram <- function(frame, intercept) {
  known <- frame_moments(frame)
  if (!is.null(known)) moments_gram(moments_total(known), length(known$columns), intercept)
}

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
  most <- 0
  for (cell in sums$cells) most <- pmax.int(most, diag(cell$cross)[at])
  for (j in at[!is.na(most) & most < SQUARES_LEAST^2]) {
    v <- as.numeric(x[, j])
    v <- v[is.finite(v)]
    if (length(v) && max(abs(v)) <= SQUARES_LEAST && min(v) < max(v)) abort_not_finite(columns[j], "x", v, call)
  }
}

# An error for the first column with values that are infinite or too large to be squared, as in the kernels of other
# methods.
refuse_large <- function(x, columns, call) {
  for (j in seq_len(ncol(x))) {
    v <- as.numeric(x[, j])
    if (any(abs(v) > SQUARES_MOST, na.rm = TRUE)) abort_not_finite(columns[j], "x", v, call)
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

# said: is `family` what the method has? If not, as_family_frame() checks the rest.
frame_response <- function(y, n, many, family, said, call) {
  if (by_likelihood(family)) return(check_family_response(y, n, family, call))
  if (inherits(y, "Surv")) abort_surv(call)
  y <- read_response(y, n, many, call)
  if (said) check_variation(y, call) else y
}

abort_surv <- function(call) {
  abort_input("{.arg y} is a {.cls Surv}.", "y",
              i = "Give survival times to {.fn tlcp} with {.code family = \"cox\"}.", call = call)
}

# The frame with `family`, which the call of a method has or leaves out (NULL), and its response checked for it:
# cross-validation makes frames before a method says its family (`said` is FALSE). Survival times have theirs from the
# start.
as_family_frame <- function(frame, family, call) {
  said <- !isFALSE(frame$said)
  if (is.null(family) && said) return(frame)
  if (is_quasi(family)) frame$quasi <- TRUE
  if (!is.null(negbin_theta(family))) frame$theta <- negbin_theta(family)
  family <- if (is.null(family)) "gaussian" else check_family(family, call)
  if (identical(family, frame$family) && said) return(frame)
  if (by_likelihood(frame$family) && !inherits(frame$y, "Surv")) {
    abort_input("{.arg family} is {.val {family}}, and the response is one of {.val {frame$family}}.",
                "family", i = "Give the family once.", call = call)
  }
  n <- nrow(frame$x)
  frame$y <- if (by_likelihood(family)) {
    check_family_response(frame$y, n, family, call)
  } else if (inherits(frame$y, "Surv")) {
    abort_surv(call)
  } else {
    check_variation(frame$y, call)
  }
  if (!is.null(frame$strata)) check_strata(frame$strata, n, family, call)
  frame$family <- family
  frame$said <- TRUE
  frame
}

# The frame of two classes by the binomial likelihood, where the call has no `family` and nothing that only least squares
# have: with a message, and unchanged otherwise.
with_family_of_classes <- function(frame, family, squares, call) {
  classes <- is.null(family) && !squares && has_rows(frame) && !by_likelihood(frame$family) && is.factor(frame$y) &&
    nlevels(frame$y) == 2
  if (!classes) return(as_family_frame(frame, family, call))
  frame$said <- FALSE
  frame <- as_family_frame(frame, "binomial", call)
  tell(paste0("`y` has two classes: the fit is logistic, of the log odds of \"", levels(frame$y)[2], "\"."),
       "Say `family = \"binomial\"` to be silent, `family = \"gaussian\"` for least squares of classes coded -1 and 1.",
       "transelect_message_family")
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

# A frame is the one form of every kind of input; fitters, cross-validation and predict() take nothing else. It holds
# the design (a double matrix or dgCMatrix), the response, and what else has an entry for each row. `rows` are the
# numbers of its rows among the n_all rows given, `row_labels` the labels of all of these. In place of a design there
# may be a map of features (frame-design.R). `sums` is NULL, or what frame_moments_added() adds. A frame of moments()
# has no rows, but `moments` (frame-moments.R). Formulas are read in frame-formula.R, variables of data frames coded in
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
# methods without likelihoods of responses; NA: the family is not yet known, see frame_as_family(). moments: may x be
# moments?
frame_default <- function(x, y, weights = NULL, domain = NULL, sources = NULL, many = FALSE,
                          family = FALSE, offset = NULL, strata = NULL, moments = FALSE,
                          call = rlang::caller_env()) {
  object <- !missing(x) && is.object(x)
  if (object && inherits(x, "moments")) {
    if (!moments) {
      abort_input("{.arg x} is {.obj_type_friendly {x}}, sums over rows.", "x",
                  i = "Give a matrix or data frame: the rows themselves are needed.", call = call)
    }
    frame_moments_refuse_beside(list(y = if (!missing(y)) y, weights = weights, domain = domain, sources = sources,
                                     offset = offset, strata = strata), call)
    return(frame_moments_new(x, call))
  }
  if (object && inherits(x, c("transfer_path", "transfer_estimates"))) frame_abort_fitted(x, call)
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
  built <- if (mapped) list(x = x, blueprint = x$blueprint) else frame_design_from_data(x, call = call)
  labels <- if (mapped) x$row_labels else labels_of_rows(x)
  if (mapped) built$x$row_labels <- NULL # the frame has `row_labels`
  frame_new(built, y, weights = weights, domain = domain, sources = sources, many = many, family = family,
            offset = offset, strata = strata, rows = seq_len(nrow(built$x)), row_labels = labels,
            raw = if (mapped) x$x else if (is.null(dim(x))) built$x else x, call = call)
}

# The error where x is a fit, estimates, or moments of a likelihood, and data are wanted.
frame_abort_fitted <- function(x, call) {
  if (inherits(x, "transfer_path")) {
    abort_input("{.arg x} is a fit of {.fn {class(x)[1]}}, and data are wanted.", "x",
                i = "Give the data, or a formula and {.arg data}, as for the fit. {.fn cv_path} takes the fit itself:
                     {.code cv_path(fit)}.",
                call = call)
  }
  family <- x$sites[[1]]$family
  family <- if (likelihood_is_used(family)) paste0("family = \"", family, "\", ")
  abort_input("{.arg x} is estimates, or moments of a likelihood, and the rows of the target are wanted.", "x",
              i = "Give these rows, and the estimates as {.arg sources}:
                   {.code tlcp(y ~ ., data, {family}sources = )}.", call = call)
}

# The frame, its parts checked. built: list(x, blueprint), see frame_design_from_data(). The other parts have an entry
# for each row, sources for each of the n_all rows. raw: the rows as they were given, which only models among the
# sources need. unweighted: are rows of weight 0 to be kept apart, as list(at, frame)?
frame_new <- function(built, y, weights = NULL, domain = NULL, sources = NULL, many = FALSE, family = FALSE,
                      offset = NULL, strata = NULL, rows, n_all = length(rows), row_labels, raw, unweighted = FALSE,
                      call) {
  n <- length(rows)
  if (is.data.frame(y)) y <- table_one_column(y)
  later <- identical(family, NA) # strata are then taken as they are, until the family is said
  said <- !later || inherits(y, "Surv")
  quasi <- likelihood_is_quasi(family)
  theta <- negbin_theta(family)
  family <- if (isFALSE(family)) NULL else if (!is.null(family) && !later) likelihood_check_family(family, call) else
    if (inherits(y, "Surv")) "cox" else "gaussian"
  if (!is.null(sources)) sources <- sources_as(sources, n_all, call)
  y <- frame_response(y, n, many, family, said, call)
  frame <- list(
    x = built$x, y = y, weights = if (!is.null(weights)) response_weights_check(weights, n, call),
    domain = if (!is.null(domain)) frame_rows_check_domain(domain, n, call),
    sources = if (identical(rows, seq_len(n_all))) sources else if (!is.null(sources)) frame_rows_of_sources(sources,
                                                                                                             rows),
    raw = if (!is.null(sources) && sources_need_raw(sources)) raw,
    blueprint = built$blueprint, intercept = built$intercept %||% TRUE, na.action = NULL, rows = rows, n_all = n_all,
    row_labels = row_labels, left_out = NULL, family = family, said = said, quasi = quasi, theta = theta,
    offset = if (!is.null(offset)) response_family_offset(offset, n, call),
    strata = if (!is.null(strata)) response_family_strata(strata, n, if (said) family else "cox", call)
  )
  if (!is.null(weights)) frame <- frame_of_positive_weight(frame, unweighted, call)
  if (nrow(frame$x) < 2) response_refuse_few_rows(nrow(frame$x), call)
  if (match("(Intercept)", built$blueprint$columns, 0L)) {
    abort_input("{.arg x} has a column named {.val (Intercept)}.", "x",
                i = "Leave it out: the intercept is added by the fit.", call = call)
  }
  if (!is.null(sources)) frame$sources <- frame_sources_beside(frame$sources, frame, call)
  class(frame) <- "transfer_frame" # last, since `$` then looks for a method
  frame
}

# The frame without rows of weight 0, which lm() leaves out, too, and with weights whose sums do not overflow. keep: see
# `unweighted` of frame_new().
frame_of_positive_weight <- function(frame, keep, call) {
  if (length(frame$weights) && min(frame$weights) == 0) {
    left <- which(frame$weights == 0)
    apart <- if (keep) list(at = left, frame = structure(frame_rows(frame, left), class = "transfer_frame"))
    frame <- frame_rows(frame, which(frame$weights > 0))
    frame$unweighted <- apart
    frame$y <- frame_response(frame$y, frame_rows_count(frame), is.matrix(frame$y), frame$family, frame$said, call)
  }
  frame$weights <- response_weights_in_range(frame$weights, call)
  frame
}

# The sources as they are for the frame's response; an error where a source and a feature have the same name.
frame_sources_beside <- function(sources, frame, call) {
  sources <- sources_for_response(sources, frame$y)
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
frame_for_method <- function(method, frame, takes, call) {
  frame <- frame_as_family(frame, NULL, call)
  # `$` of a plain list takes a tenth of the time of `$` of an object with a class. With all unclass() and .subset2()
  # for a faster `$` taken out of the methods' functions, in one process in turns, greedytl(), tgreedy(), msplit() and
  # shareboost() of 20 rows and 3 columns took 1.06 to 1.17 times as long; tlcp() 1.00 to 1.14.
  has <- unclass(frame)
  if (frame_is_mapped(has) && !"maps" %in% takes && !(inherits(has$x, "products") && "products" %in% takes)) {
    frame_map_refuse(frame, method, call)
  }
  likelihood <- likelihood_is_used(has$family)
  if (is.matrix(has$y) && !likelihood && !"responses" %in% takes) response_abort_several(has$y, call)
  if (inherits(has$y, "Surv")) response_abort_surv(call)
  if (!is.null(has$offset)) abort_offset(call)
  if (likelihood) {
    abort_input("{.arg family} is {.val {has$family}}, which {.fn {method}} does not fit.", "family",
                i = "Leave it out, or use {.fn tlcp}.", call = call)
  }
  if (!is.null(has$sources) && !"sources" %in% takes) {
    abort_input("{.fn {method}} takes no {.arg sources}.", "sources", i = "Give them to {.fn greedytl}.", call = call)
  }
  frame
}

# The frame with the predictions of every source model, which is called once. `raw` is kept: a method that borrows
# coefficients codes rows anew where its sources have levels of factors that the design has not.
frame_with_source_values <- function(frame, call = rlang::caller_env()) {
  frame$sources <- sources_evaluated(frame$sources, frame$raw, frame_rows_count(frame), call = call)
  frame
}

# said: has the method fixed the family? If not, frame_as_family() checks the rest.
frame_response <- function(y, n, many, family, said, call) {
  if (likelihood_is_used(family)) return(response_family_check(y, n, family, call))
  if (inherits(y, "Surv")) response_abort_surv(call)
  y <- response_read(y, n, many, call)
  if (said) response_check_variation(y, call) else y
}

# The frame with `family`, which the call of a method has or leaves out (NULL), and its response checked for it:
# cross-validation makes frames before a method says its family (`said` is FALSE). Survival times have theirs from the
# start.
frame_as_family <- function(frame, family, call) {
  said <- !isFALSE(frame$said)
  if (is.null(family) && said) return(frame)
  if (likelihood_is_quasi(family)) frame$quasi <- TRUE
  if (!is.null(negbin_theta(family))) frame$theta <- negbin_theta(family)
  family <- if (is.null(family)) "gaussian" else likelihood_check_family(family, call)
  if (identical(family, frame$family) && said) return(frame)
  if (likelihood_is_used(frame$family) && !inherits(frame$y, "Surv")) {
    abort_input("{.arg family} is {.val {family}}, but the response was read with the family {.val {frame$family}}.",
                "family", i = "Give the family once.", call = call)
  }
  n <- nrow(frame$x)
  frame$y <- if (likelihood_is_used(family)) {
    response_family_check(frame$y, n, family, call)
  } else if (inherits(frame$y, "Surv")) {
    response_abort_surv(call)
  } else {
    response_check_variation(frame$y, call)
  }
  if (!is.null(frame$strata)) response_family_strata(frame$strata, n, family, call)
  frame$family <- family
  frame$said <- TRUE
  frame
}

# The frame of two classes by the binomial likelihood, where the call has no `family` and nothing that only least
# squares have: with a message, and unchanged otherwise.
frame_with_family_of_classes <- function(frame, family, squares, call) {
  classes <- is.null(family) && !squares && frame_rows_are_there(frame) && !likelihood_is_used(frame$family) &&
    is.factor(frame$y) &&
    nlevels(frame$y) == 2
  if (!classes) return(frame_as_family(frame, family, call))
  frame$said <- FALSE
  frame <- frame_as_family(frame, "binomial", call)
  tell(paste0("`y` has two classes: the fit is logistic, of the log odds of \"", levels(frame$y)[2], "\"."),
       "Give `family = \"binomial\"` to turn this message off, or `family = \"gaussian\"` for least squares.",
       "transelect_message_family")
  frame
}

# Is an intercept fitted? intercept: the argument of a method.
frame_has_intercept <- function(frame, intercept, call) {
  asked <- check_flag(intercept, "intercept", call)
  if (!asked && frame$intercept && !identical(frame$family, "cox")) {
    frame_design_refuse_differences(frame$blueprint, call)
  }
  asked && frame$intercept
}

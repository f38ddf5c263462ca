# Families, offsets and strata on their way into a frame, and offsets of new rows.

# FALSE: the method has no families. A Surv says that it is for Cox's likelihood.
family_of_response <- function(family, y, call) {
  if (isFALSE(family)) return(FALSE)
  check_family(family, call) %||% if (is_surv(y)) "cox" else "gaussian"
}

frame_response <- function(y, n, many, family, call) {
  if (by_likelihood(family)) return(check_family_response(y, n, family, call))
  if (is_surv(y)) abort_surv(call)
  check_response(y, n, many, call = call)
}

abort_surv <- function(call) {
  abort_input("{.arg y} is a {.cls Surv}.", "y",
              i = "Give survival times to {.fn tlcp} with {.code family = \"cox\"}.", call = call)
}

# For methods without families, of frames that cross-validation made for any method.
refuse_family <- function(frame, call) {
  if (is_surv(frame$y)) abort_surv(call)
  if (!is.null(frame$offset)) abort_offset(call)
  if (by_likelihood(frame$family)) {
    abort_input("{.arg family} is {.val {frame$family}}.", "family",
                i = "Leave it out, or use {.fn tlcp}.", call = call)
  }
}

with_likelihood <- function(frame, family, offset, strata, call) {
  if (isFALSE(family)) return(frame)
  n <- nrow(frame$x)
  frame$family <- family
  frame["offset"] <- list(check_offset(offset, n, call))
  frame["strata"] <- list(check_strata(strata, n, family, call))
  frame
}

# A frame that was made without a family, as cross-validation gives it to a function of the user's.
as_family_frame <- function(frame, family, call) {
  family <- check_family(family, call)
  if (is.null(family) || identical(family, frame$family)) return(frame)
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
  if (is.null(frame$offset)) return(frame)
  if (is.factor(frame$y)) {
    abort_input("There is an {.arg offset}, and {.arg y} has classes fitted by least squares.",
                "offset", i = "Give {.code family = \"binomial\"}.", call = call)
  }
  frame$y <- frame$y - frame$offset
  frame
}

# ---- offsets of new rows ---------------------------------------------------------------------------

# How predict() finds the offsets of new rows: NULL without an offset; `expression` of the argument.
offset_plan <- function(frame, expression = NULL) {
  if (is.null(frame$offset)) return(NULL)
  list(expression = if (is.language(expression)) expression)
}

# newdata: data, or a frame.
new_offset <- function(object, newdata, n, call) {
  plan <- object$offset
  if (inherits(newdata, "transfer_frame")) return(newdata$offset %||% 0)
  if (!is.null(plan$given)) return(plan$given)
  if (is.null(plan)) return(0)
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

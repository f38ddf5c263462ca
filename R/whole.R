# Is an object as it was made? Its components' shapes, an attribute, are compared with those it was made with. All verbs
# ask so when they check their arguments, so that a changed object is one error in words, not one of base R further on.

# The object with the shapes of its components. The last thing that is done to an object which a user is given.
whole_sealed <- function(object) {
  parts <- unclass(object)
  shape <- .Call(C_shape, parts)
  attr(object, "shape") <- shape[!names(shape) %in% WHOLE_FREE]
  object
}

# Components that are set after the object was made.
WHOLE_FREE <- c("offset", "by")

# Components that may be left out to save room: only verbs on the rows of the fit, and update(), need them.
WHOLE_SPARED <- c("call", "formula", "fitted", "residuals", "deviance_residuals", "pearson_residuals", "prior_weights",
                  "na.action", "elsewhere", "left_out", "trials")

# Components without which an object is none of this version; of an object that was not sealed.
whole_needed <- function(object) UseMethod("whole_needed")

#' @export
whole_needed.default <- function(object) NULL

# An error for an object of this package that has been changed, or was made by an older version.
whole_check <- function(object, call) {
  made <- attr(object, "shape", exact = TRUE)
  if (is.null(made)) return(whole_check_needed(object, call))
  now <- .Call(C_shape, unclass(object))[names(made)]
  if (identical(now, made)) return(invisible())
  changed <- names(made)[is.na(now) | now != made]
  lost <- changed[vapply(changed, function(name) is.null(object[[name]]), NA)]
  changed <- setdiff(changed, intersect(lost, WHOLE_SPARED))
  if (length(changed)) whole_refuse(object, changed, lost, call)
}

whole_check_needed <- function(object, call) {
  lost <- setdiff(whole_needed(object), names(object))
  if (length(lost)) whole_refuse(object, lost, lost, call)
}

whole_refuse <- function(object, changed, lost, call) {
  lost <- intersect(changed, lost)
  changed <- setdiff(changed, lost)
  abort_input(c(
    "The {.cls {class(object)[1]}} object was changed after it was made, or is of another version of the package.",
    x = if (length(lost)) "It lacks {.val {utils::head(lost, 5)}}.",
    x = if (length(changed)) "Of another type or size than it was made {?is/are} {.val {utils::head(changed, 5)}}."
  ), "object", i = "Make it again. Take a copy of a component to change it.", call = call)
}

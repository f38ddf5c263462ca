# What the C kernels return, in words.

STATUS <- c("ok", "not_finite", "constant_y", "collinear_keep", "no_evidence")

# `column` is the one the kernel refused, `label` its name, `argument` where it came from.
abort_status <- function(code, label, argument, column, call) {
  missing <- sum(is.na(column))
  infinite <- sum(is.infinite(column))
  switch(STATUS[code + 1],
    not_finite = abort_input(
      c("Column {.val {label}} of {.arg {argument}} has {missing} missing and {infinite} infinite
         value{?s}."), argument,
      i = "All must be finite (and their squares): remove or impute them, or use the formula
           interface with {.code na.action}.", call = call
    ),
    constant_y = abort_input("{.arg y} is constant.", "y", i = "A response must vary.",
                             call = call),
    collinear_keep = abort_input(
      "{.arg keep} names {.val {label}}, which is constant or a combination of those before it.",
      "keep", i = "Leave it out, or use a positive {.arg lambda}.", call = call
    ),
    no_evidence = abort_input(
      "The evidence for {.arg ridge} could not be evaluated.", "ridge",
      i = "Give numbers: {.code ridge = c(features = 10, sources = 1)}.", call = call
    )
  )
}

# Statuses of the C kernels as errors.

SQUARES_LEAST <- 1e-140 # values whose squares are numbers
SQUARES_MOST <- 1e140

# names(status) is the status word. `column` is the one that the kernel refused, `label` its name, `argument` the
# argument that it came from.
status_abort <- function(status, label, argument, column, call) {
  switch(names(status),
    not_finite = status_abort_not_finite(label, argument, column, call),
    constant_y = abort_input("{.arg y} is constant, or too small or large to be squared.", "y",
                             i = "Give a response that varies; rescale it if it does.", call = call),
    collinear_keep = abort_input(
      "{.arg keep} names {.val {label}}, which is constant or a combination of those before it.",
      "keep", i = "Leave it out.", call = call
    ),
    no_evidence = abort_input(
      "The evidence for {.arg ridge} could not be evaluated.", "ridge",
      i = "Give numbers: {.code ridge = c(features = 10, sources = 1)}.", call = call
    )
  )
}

# `cure` says what to do about missing values.
status_abort_not_finite <- function(label, argument, column, call, cure = status_missing_cure(argument)) {
  missing <- sum(is.na(column))
  infinite <- sum(is.infinite(column))
  what <- if (missing) {
    "{missing} missing value{?s}"
  } else if (infinite) {
    "{infinite} infinite value{?s}"
  } else {
    paste("values too", if (max(abs(column)) > 1) "large" else "small", "to be squared")
  }
  mend <- if (missing) cure else if (infinite) "Give finite values, or leave out the column or such rows." else
    "Rescale it, or leave it out."
  abort_input(paste0("Column {.val {label}} of {.arg {argument}} has ", what, "."), argument,
              i = mend, call = call)
}

status_missing_cure <- function(argument) {
  if (argument == "x") {
    "Leave their rows out, impute them, or give a formula and {.code na.action}."
  } else {
    "Give a prediction of every source for every row."
  }
}

# What code that serves all methods asks of one that has not fitted yet.

# by_domain: unless told otherwise, cross-validation leaves one domain out at a time.
# classes:   whole numbers in the response name classes.
# families:  the response may have a likelihood of its own, and an offset.
# domains:   the method itself tells rows of different domains apart.
# logistic:  the scores of classes are those of a logistic model.
# matrix:    the response may be a matrix.
METHOD_TRAITS <- list(
  greedytl = character(),
  tgreedy = c("by_domain", "domains"),
  tlcp = c("domains", "families"),
  msplit = "matrix",
  shareboost = c("classes", "logistic")
)

# The name of a method given as a function; "" for one that is not of this package.
method_name <- function(fit) {
  ours <- names(METHOD_TRAITS)
  same <- vapply(ours, function(name) identical(fit, get(name, envir = topenv())), NA)
  c(ours[same], "")[1]
}

# NA for a function of the user's: its path will say.
will_be_logistic <- function(fit) {
  method <- method_name(fit)
  if (nzchar(method)) has_trait(method, "logistic") else NA
}

has_trait <- function(method, trait) trait %in% METHOD_TRAITS[[method]]

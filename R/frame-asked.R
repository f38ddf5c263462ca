# What fits to parts of the rows take from the fit to all rows, also where a function of the user's makes them.
#
# The fit to all rows notes in `frame$noted`, an environment, how many fits of each method there are (a function
# around methods may make several) and what the sources answered. Fits to parts of the rows find in `frame$asked`:
#   method, given   the method and the arguments of the fit whose path is returned
#   only            is that the only fit of its method?
#   points          the points of its path
#   draws           the random numbers for its candidates
#   kept            the stumps that it keeps
#   compared        do responses compete, as classes do?

new_notes <- function() list2env(list(fits = list()), parent = emptyenv())

# Was the fit to these data, noted there, the only one of the path's method?
only_fit <- function(path, data) identical(data$noted$fits[[class(path)[[1]]]], 1L)

# path: of the fit to all rows. ...: what is asked for beside its points where these are times.
new_asked <- function(path, only, ...) {
  list(method = class(path)[[1]], given = path$settings$given, only = only,
       points = if (!is.null(path$points$t)) path$points, ...)
}

# For a method that is about to fit a frame or moments with the arguments `given`: what it is asked for, NULL where
# another fit is meant.
asked_of <- function(data, method, given) {
  notes <- data$noted
  if (!is.null(notes)) notes$fits[[method]] <- (notes$fits[[method]] %||% 0L) + 1L
  asked <- data$asked
  if (identical(asked$method, method) && (asked$only || identical(asked$given, given))) asked
}

# The uniforms that a randomised method takes to be fitted again, drawn here so that fits in other
# processes need no random numbers of their own; NULL where the method is not randomised.
draw_uniforms <- function(path) {
  count <- (path$settings$candidates %||% 0) * (path$settings$max_steps %||% 0)
  if (count > 0) stats::runif(count)
}

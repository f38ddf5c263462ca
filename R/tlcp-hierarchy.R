# Heredity: an interaction is in the model only with the terms that it is made of.

# Logical, columns x columns: TRUE in row i and column j if feature i, a parent of j, must be in every model with
# feature j. NULL without heredity. A column of the term a:b has those columns of a and b as parents that it is a
# product of; if the names do not show which these are, all columns of a and b. A term that the formula lacks is no
# parent.
tlcp_hierarchy_parents <- function(hierarchy, blueprint, method, select, call) {
  if (!check_flag(hierarchy, "hierarchy", call) || !select) return(NULL)
  if (method == "cutoff") {
    abort_input("{.arg hierarchy} is TRUE, and {.arg method} is {.val cutoff}, which drops one column after the other.",
                "hierarchy", i = "Use {.val exact}.", call = call)
  }
  factors <- if (identical(blueprint$kind, "terms")) attr(blueprint$terms, "factors") > 0
  if (is.null(factors) || !any(colSums(factors) > 1)) {
    abort_input("{.arg hierarchy} is TRUE, and there are no interactions.", "hierarchy",
                i = "Write them in a formula: {.code y ~ (a + b + c)^2}. Products made beforehand are not recognised as
                     interactions.", call = call)
  }
  p <- blueprint$p
  parents <- matrix(FALSE, p, p)
  order <- colSums(factors)[blueprint$assign]
  pieces <- strsplit(blueprint$columns, ":", fixed = TRUE)
  for (column in which(order > 1)) {
    of <- factors[, blueprint$assign[column]]
    for (term in which(colSums(factors & !of) == 0 & colSums(factors) < sum(of))) {
      mine <- which(blueprint$assign == term)
      known <- length(pieces[[column]]) == sum(of)
      made <- mine[known & vapply(pieces[mine], function(piece) all(piece %in% pieces[[column]]), NA)]
      parents[if (length(made)) made else mine, column] <- TRUE
    }
  }
  parents
}

# The units of tlcp_search_units() with form$parents, the parents of each unit and their parents. Parents of units in
# `keep` are forced into every model, children of units in `drop` are forced out. columns: the usable columns; others
# are no parents.
tlcp_hierarchy_added <- function(units, columns, settings, call) {
  if (is.null(settings$parents)) return(units)
  parents <- settings$parents[columns, columns, drop = FALSE]
  parents <- rowsum(t(rowsum(parents + 0, units$of)), units$of) > 0 # children x parents
  dimnames(parents) <- NULL
  diag(parents) <- FALSE
  repeat { # parents of parents, which groups may bring
    more <- parents | (parents %*% parents > 0)
    if (identical(more, parents)) break
    parents <- more
  }
  diag(parents) <- FALSE
  units$form$parents <- t(parents)
  with <- units$force == 1 | units$pen == 0
  units$force[units$force == 0 & colSums(parents[with, , drop = FALSE]) > 0] <- 1L
  without <- parents[, units$force == -1, drop = FALSE]
  if (any(without[units$force == 1, ])) {
    abort_input("{.arg keep} names an interaction, and {.arg drop} one of its main effects.", "drop",
                i = "With {.code hierarchy = TRUE} an interaction needs its main effects.", call = call)
  }
  units$force[rowSums(without) > 0] <- -1L
  units
}

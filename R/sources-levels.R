# Levels of a factor that only sources without rows know: the target's design gets their columns.

# The frame with a column, constant in these rows, for each such level, so that what the sources know of it
# is kept. A first level that the sources have and the target lacks comes first there, too.
with_source_levels <- function(frame, call) {
  blueprint <- frame$blueprint
  if (is.null(frame$sources$models) || is.null(frame$raw) || !blueprint$kind %in% c("frame", "terms")) return(frame)
  levels <- treatment_levels(blueprint)
  if (!length(levels)) return(frame)
  sites <- source_sites(frame, call)
  wider <- Map(widened_levels, names(levels), levels, list(sites), list(blueprint$columns))
  wider <- wider[lengths(wider) > lengths(levels)]
  if (!length(wider)) return(frame)
  for (name in names(wider)) blueprint <- widened_blueprint(blueprint, name, wider[[name]])
  x <- if (blueprint$kind == "terms") coded_terms(blueprint, frame$raw, call) else bake(blueprint, frame$raw, call)
  blueprint$assign <- attr(x, "assign")
  attr(x, "contrasts") <- attr(x, "assign") <- NULL
  frame$x <- x
  blueprint$columns <- colnames(frame$x)
  blueprint$p <- ncol(frame$x)
  frame$blueprint <- blueprint
  frame
}

# The levels, by name, of factors that are coded against their first level.
treatment_levels <- function(blueprint) {
  if (blueprint$kind == "terms") return(blueprint$xlevels[names(terms_reference(blueprint))])
  lapply(blueprint$variables[names(blueprint_reference(blueprint))], `[[`, "levels")
}

# The levels of the factor `name` in the target and in sources. A source's term is one of its levels if it starts
# with the factor's name, and with no longer name of another factor. columns: the target's columns.
widened_levels <- function(name, levels, sites, columns) {
  for (site in sites) {
    if (!name %in% names(site$reference)) next
    first <- setdiff(site$reference[[name]], levels)
    terms <- setdiff(site$terms, columns)
    terms <- terms[startsWith(terms, name) & nchar(terms) > nchar(name) & !grepl(":", terms, fixed = TRUE)]
    for (other in names(site$reference)) if (nchar(other) > nchar(name)) terms <- terms[!startsWith(terms, other)]
    levels <- c(first, levels, setdiff(substring(terms, nchar(name) + 1), levels))
  }
  levels
}

widened_blueprint <- function(blueprint, name, levels) {
  variable <- name
  if (blueprint$kind == "terms") {
    blueprint$xlevels[[name]] <- levels
    variable <- intersect(all.vars(str2lang(name)), names(blueprint$variables)) # of factor(x) it is x
  }
  for (v in variable[vapply(blueprint$variables[variable], `[[`, "", "kind") == "factor"]) {
    blueprint$variables[[v]]$levels <- levels
    blueprint$variables[[v]]$contrasts <- stats::contr.treatment(levels)
  }
  blueprint
}

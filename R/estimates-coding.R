# How the columns of a design code factors. A column is a product, a list in the order of its name: a text, the name of
# a numeric column, or list(variable, value), a function of a factor, numbers by level. The constant is an empty list. A
# coding of a factor is a matrix of levels x columns which, with the constant, gives every function of its levels.

# How a design codes factors is list(terms, levels, contrasts, labels, others): its terms, the levels and contrasts of
# the factors, how variables are written in the names of columns, and are other names those of numeric columns?
estimates_coding_new <- function(terms, levels, contrasts, labels = estimates_coding_labels(terms), others = FALSE) {
  # without an intercept model.matrix() codes the first factor that it meets by indicators of all levels
  factors <- attr(terms, "factors")
  if (attr(terms, "intercept") == 0 && length(factors) && length(levels)) {
    first <- which(factors > 0 & names(labels) %in% names(levels))[1]
    attr(terms, "factors")[first] <- 2L
  }
  list(terms = terms, levels = levels, contrasts = contrasts, labels = labels, others = others)
}

# Of a fit of this package; NULL without factors.
estimates_coding_of_blueprint <- function(blueprint) {
  if (blueprint$kind == "terms") {
    terms <- stats::delete.response(blueprint$terms)
    contrasts <- blueprint$contrasts
    logical <- setdiff(names(contrasts), names(blueprint$xlevels))
    levels <- c(blueprint$xlevels, stats::setNames(rep(list(c("FALSE", "TRUE")), length(logical)), logical))
    return(estimates_coding_new(terms, levels, contrasts))
  }
  plans <- if (blueprint$kind == "frame") Filter(function(plan) plan$kind == "factor", blueprint$variables)
  if (!length(plans)) return(NULL)
  estimates_coding_new(stats::terms(stats::reformulate(sprintf("`%s`", names(plans)))), lapply(plans, `[[`, "levels"),
                       lapply(plans, `[[`, "contrasts"), stats::setNames(nm = names(plans)), others = TRUE)
}

# The first levels of factors, by variable; a logical has none that needs to be known.
estimates_coding_reference <- function(coding) {
  levels <- coding$levels[!vapply(coding$levels, identical, NA, c("FALSE", "TRUE"))]
  if (length(levels)) vapply(levels, `[`, "", 1)
}

# The codings of the factors, by variable: list(coding, label).
estimates_coding_matrices <- function(coding, contrasts = coding$contrasts) {
  lapply(stats::setNames(nm = names(coding$levels)), function(v) {
    list(coding = estimates_coding_matrix(coding$levels[[v]], contrasts[[v]]), label = coding$labels[[v]])
  })
}

# The columns with these names; NULL for a name that the design does not make.
estimates_coding_columns <- function(columns, coding) {
  labels <- coding$labels
  levels <- coding$levels
  factors <- attr(coding$terms, "factors")
  coded <- function(k) {
    of <- which(factors[, k] > 0)
    lapply(of, function(i) {
      v <- names(labels)[i]
      list(variable = v, label = labels[[i]],
           coding = if (v %in% names(levels)) {
             estimates_coding_matrix(levels[[v]], coding$contrasts[[v]], factors[i, k] == 2)
           })
    })
  }
  parts <- lapply(seq_len(NCOL(factors) * (length(factors) > 0)), coded)
  with_factor <- vapply(parts, function(of) any(lengths(lapply(of, `[[`, "coding")) > 0), NA)
  numeric <- vapply(parts[!with_factor], function(of) paste(vapply(of, `[[`, "", "label"), collapse = ":"), "")
  lapply(columns, function(name) {
    if (name == "(Intercept)") return(list())
    for (of in parts[with_factor]) {
      column <- estimates_coding_parse(name, of)
      if (!is.null(column)) return(column)
    }
    if (coding$others || any(startsWith(name, sub(":.*", "", numeric)))) list(name)
  })
}

# How the variables of terms are written in the names of columns, by variable.
estimates_coding_labels <- function(terms) {
  written <- vapply(as.list(attr(terms, "variables"))[-1], deparse1, "", backtick = TRUE)
  stats::setNames(written, frame_design_factor_rows(terms))
}

# The name of a column as the product of one column of each variable `of` a term, or NULL.
estimates_coding_parse <- function(name, of) {
  if (!length(of)) return(if (!nzchar(name)) list())
  it <- of[[1]]
  ends <- colnames(it$coding) %||% estimates_coding_atoms(substring(name, nchar(it$label) + 1))[1]
  for (j in seq_along(ends)) {
    atom <- paste0(it$label, ends[j])
    if (!startsWith(name, atom)) next
    rest <- substring(name, nchar(atom) + 1)
    if (length(of) > 1 && !startsWith(rest, ":")) next
    found <- estimates_coding_parse(sub("^:", "", rest), of[-1])
    if (is.null(found)) next
    entry <- if (is.null(it$coding)) atom else list(variable = it$variable, value = it$coding[, j])
    return(c(list(entry), found))
  }
  NULL
}

# The factors of a name: it is split at ":" outside of brackets.
estimates_coding_atoms <- function(name) {
  if (!grepl(":", name, fixed = TRUE)) return(name)
  letters <- strsplit(name, "")[[1]]
  depth <- cumsum((letters %in% c("(", "[")) - (letters %in% c(")", "]")))
  single <- letters == ":" & depth <= 0
  single <- single & !c(FALSE, utils::head(letters == ":", -1)) & !c(letters[-1] == ":", FALSE) # not "::"
  group <- cumsum(single)
  unname(vapply(split(letters[!single], factor(group[!single], 0:max(group))), paste, "", collapse = ""))
}

# The coding of a factor: by its contrasts (a matrix, or the name of a function), or indicators of all levels.
estimates_coding_matrix <- function(levels, contrasts = NULL, all_levels = FALSE) {
  if (all_levels) return(`dimnames<-`(diag(length(levels)), list(levels, levels)))
  if (is.null(contrasts)) contrasts <- "contr.treatment"
  if (!is.matrix(contrasts)) contrasts <- match.fun(contrasts)(levels)
  contrasts <- as.matrix(contrasts)
  dimnames(contrasts) <- list(levels, colnames(contrasts) %||% seq_len(ncol(contrasts)))
  contrasts
}

# Are these the indicators of all levels but the first?
estimates_coding_is_treatment <- function(coding) {
  levels <- rownames(coding)
  nrow(coding) == ncol(coding) + 1 && identical(colnames(coding), levels[-1]) && all(coding[1, ] == 0) &&
    all(coding[-1, , drop = FALSE] == diag(ncol(coding)))
}

# What a column is in other codings: numbers by name, whose sum of columns it is. codings: list(coding, label) by
# factor. Every function of the levels is a sum of the constant and of the coding's columns.
estimates_coding_expanded <- function(column, codings) {
  sum <- c(1)
  names <- ""
  for (entry in column) {
    columns <- entry
    weights <- 1
    if (is.list(entry)) {
      it <- codings[[entry$variable]]
      value <- entry$value[rownames(it$coding)]
      value[is.na(value)] <- 0 # at a level that the entry's design lacks
      weights <- qr.coef(qr(cbind(1, it$coding)), value)
      columns <- c("", paste0(it$label, colnames(it$coding)))[abs(weights) > 1e-10]
      weights <- weights[abs(weights) > 1e-10]
    }
    names <- as.vector(outer(names, columns, function(a, b) paste0(a, ifelse(nzchar(a) & nzchar(b), ":", ""), b)))
    sum <- as.vector(outer(sum, weights))
  }
  names[names == ""] <- "(Intercept)"
  stats::setNames(sum, names)
}

# Names of columns that differ in the order of their factors only are made the same.
estimates_coding_sorted <- function(names) {
  joined <- grepl(":", names, fixed = TRUE)
  names[joined] <- vapply(names[joined], function(name) {
    paste(sort(enc2utf8(estimates_coding_atoms(name)), method = "radix"), collapse = ":")
  }, "")
  names
}

# Are all factors in treatment coding, and none with an indicator of every level?
estimates_coding_is_plain <- function(coding) {
  all(lengths(coding$levels) > 0) &&
    all(vapply(estimates_coding_matrices(coding), function(it) estimates_coding_is_treatment(it$coding), NA)) &&
    !any(attr(coding$terms, "factors")[names(coding$labels) %in% names(coding$levels), ] == 2)
}

# The coefficients b of a model, their covariance matrix V and the terms in treatment coding of every factor, with the
# first levels. A linear map, so that predictions and their variances are the same.
estimates_coding_as_treatment <- function(b, V, coding, call) {
  if (estimates_coding_is_plain(coding)) return(list(b = b, V = V))
  to <- if (all(lengths(coding$levels) > 0)) estimates_coding_treatment_map(names(b), coding)
  if (is.null(to)) estimates_coding_abort(coding, "and leave out what is not estimated", call)
  list(b = drop(to %*% b), V = to %*% V %*% t(to))
}

# The site of a blueprint, in treatment coding of every factor, with the first levels and what columns depend on rows.
estimates_coding_site_as_treatment <- function(site, blueprint, call) {
  coding <- estimates_coding_of_blueprint(blueprint)
  site["reference"] <- list(estimates_coding_reference(coding))
  site$basis <- estimates_coding_basis(blueprint$terms)
  if (!length(coding$levels) || estimates_coding_is_plain(coding)) return(site)
  to <- estimates_coding_treatment_map(site$terms, coding)
  if (is.null(to)) estimates_coding_abort(coding, "and leave out what is not estimated", call)
  back <- solve(to)
  J <- crossprod(back, estimates_site_information(site) %*% back)
  mean <- ifelse(site$terms == "(Intercept)", 1, site$mean) - attr(to, "constant")
  mean <- drop(crossprod(back, mean))
  numeric <- !vapply(colnames(back), function(term) {
    all(estimates_coding_atoms(term) %in% estimates_coding_dummies(coding))
  }, NA)
  share <- pmin(pmax(mean, 0), 1)
  sd <- sqrt(share * (1 - share) * site$n / (site$n - 1))
  sd[numeric] <- site$sd[match(colnames(back)[numeric], site$terms)] # of products with other columns it is not known
  site[c("terms", "J", "g", "mean", "sd")] <- list(
    colnames(back), ((J + t(J)) / 2)[upper.tri(J, TRUE)], drop(crossprod(unname(back), site$g)),
    ifelse(colnames(back) == "(Intercept)", NA, unname(mean)), unname(sd)
  )
  site
}

# The names of the indicators of levels but the first.
estimates_coding_dummies <- function(coding) {
  unlist(lapply(estimates_coding_matrices(coding, NULL), function(it) paste0(it$label, colnames(it$coding))))
}

estimates_coding_abort <- function(coding, more, call) {
  factors <- names(coding$levels)
  abort_input("{.arg x} codes its factors ({.val {factors}}) by contrasts that cannot be translated.", "x",
              i = paste0("Fit the model with an intercept and {.code options(contrasts = c(\"contr.treatment\",
                          \"contr.poly\"))}, ", more, "."), call = call)
}

# Standard errors alone do not tell those of other contrasts.
estimates_coding_refuse_errors_alone <- function(coding, call) {
  if (estimates_coding_is_plain(coding)) return(invisible())
  estimates_coding_abort(coding, "or give the covariance matrix as {.arg vcov}", call)
}

# The matrix from coefficients of the columns to those in treatment coding; NULL where there is none. A constant that
# the model has and does not report (of a Cox model) is left out; the attribute `constant` is its part in each column.
estimates_coding_treatment_map <- function(names, coding) {
  columns <- estimates_coding_columns(names, coding)
  if (any(vapply(columns, is.null, NA))) return(NULL)
  parts <- lapply(columns, estimates_coding_expanded, estimates_coding_matrices(coding, NULL))
  rows <- unique(unlist(lapply(parts, names)))
  free <- !"(Intercept)" %in% names && attr(coding$terms, "intercept") == 1
  if (free) rows <- setdiff(rows, "(Intercept)")
  rows <- c(intersect("(Intercept)", rows), setdiff(rows, "(Intercept)"))
  to <- estimates_coding_map(parts, rows)
  colnames(to) <- names
  constant <- if (free) drop(estimates_coding_map(parts, "(Intercept)")) else numeric(length(parts))
  if (nrow(to) == ncol(to) && qr(to)$rank == ncol(to)) structure(to, constant = constant)
}

# The expanded columns as a matrix, rows x columns.
estimates_coding_map <- function(parts, rows) {
  to <- matrix(0, length(rows), length(parts), dimnames = list(rows, NULL))
  for (j in seq_along(parts)) {
    known <- intersect(names(parts[[j]]), rows)
    to[known, j] <- parts[[j]][known]
  }
  to
}

# Of terms whose columns depend on the rows from which they were made, such as poly(x, 2) and ns(x, 3), the calls that
# make them of other rows, by their names.
estimates_coding_basis <- function(terms) {
  if (is.null(attr(terms, "predvars"))) return(NULL)
  plain <- as.list(attr(terms, "variables"))[-1]
  made <- as.list(attr(terms, "predvars"))[-1]
  own <- !mapply(identical, plain, made)
  if (any(own)) stats::setNames(made[own], vapply(plain[own], deparse1, "", backtick = TRUE))
}

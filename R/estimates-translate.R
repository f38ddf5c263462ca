# A site, whose factors are in treatment coding, in the coding of the target's columns.

# The log-likelihood of a site is a function of the coefficients b of its own columns. Where every column of the target
# is a sum of the site's, b = A a, with a those of the target's columns and of columns that only the site has. A target
# column that is no such sum is left out: the site says nothing of it. raw: the target's rows, by which columns that
# depend on rows are compared, or NULL.
estimates_translate_site <- function(site, name, blueprint, raw, call) {
  target <- estimates_coding_of_blueprint(blueprint)
  reference <- estimates_translate_reference(site, target)
  factors <- Filter(function(v) estimates_translate_is_other(target, v, reference[[v]]),
                    intersect(names(reference), names(target$levels)))
  bases <- estimates_translate_bases(site, name, blueprint, raw, call)
  if (length(factors) || length(bases)) {
    known <- c(estimates_translate_factors(site, reference, target, blueprint$columns), bases)
    A <- if (site$full) estimates_translate_map(site, known, estimates_translate_columns(blueprint, target, bases))
    if (is.null(A)) estimates_translate_abort(site, name, factors, names(bases), call)
    site <- estimates_translate_applied(site, A)
  }
  place <- match(estimates_coding_sorted(site$terms), estimates_coding_sorted(blueprint$columns %||% character()))
  site$terms[!is.na(place)] <- blueprint$columns[place[!is.na(place)]] # "x:g1" is "g1:x"
  site
}

# The first levels of the site's factors; a logical's is FALSE.
estimates_translate_reference <- function(site, target) {
  logical <- names(Filter(function(levels) identical(levels, c("FALSE", "TRUE")), target$levels))
  logical <- setdiff(logical, names(site$reference))
  there <- vapply(logical, function(v) any(grepl(paste0(target$labels[[v]], "TRUE"), site$terms, fixed = TRUE)), NA)
  c(site$reference, stats::setNames(rep("FALSE", sum(there)), logical[there]))
}

# Does the target code the factor v in another way than by indicators of all levels but `first`?
estimates_translate_is_other <- function(target, v, first) {
  coding <- estimates_coding_matrix(target$levels[[v]], target$contrasts[[v]])
  !estimates_coding_is_treatment(coding) || rownames(coding)[1] != first ||
    any(attr(target$terms, "factors")[names(target$labels) == v, ] == 2)
}

# How the site and the target code what both have, by variable: list(label, coding, wide). coding: of the site, of all
# its levels; wide: of the target, at these levels, with an indicator of each level that the target lacks.
estimates_translate_factors <- function(site, reference, target, columns) {
  lapply(stats::setNames(nm = names(reference)), function(v) {
    label <- if (v %in% names(target$labels)) target$labels[[v]] else v
    longer <- setdiff(c(names(reference), target$labels), c(v, label))
    longer <- longer[startsWith(longer, label)]
    atoms <- unique(unlist(lapply(site$terms, estimates_coding_atoms)))
    level <- substring(atoms, nchar(label) + 1)
    mine <- startsWith(atoms, label) & nzchar(level) & (level %in% target$levels[[v]] | !atoms %in% columns)
    for (other in longer) mine <- mine & !startsWith(atoms, other)
    levels <- unique(c(reference[[v]], level[mine]))
    coding <- estimates_coding_matrix(levels)
    wide <- if (v %in% names(target$levels)) {
      theirs <- estimates_coding_matrix(target$levels[[v]], target$contrasts[[v]])
      more <- setdiff(levels, rownames(theirs))
      cbind(rbind(theirs, matrix(0, length(more), ncol(theirs), dimnames = list(more, NULL)))[levels, , drop = FALSE],
            estimates_coding_matrix(levels, NULL, TRUE)[, more, drop = FALSE])
    } else coding
    list(label = label, coding = coding, wide = wide)
  })
}

# The target's columns as products, the constant first, if there is one.
estimates_translate_columns <- function(blueprint, target, bases) {
  columns <- if (is.null(target)) as.list(blueprint$columns) else estimates_coding_columns(blueprint$columns, target)
  columns <- lapply(columns, estimates_translate_with_bases, bases)
  columns <- stats::setNames(c(list(list()), columns), c("(Intercept)", blueprint$columns))
  # the indicators of all levels take its place
  if (is.null(target) || attr(target$terms, "intercept") == 1) columns else columns[-1]
}

# The column with the columns of bases in it as functions.
estimates_translate_with_bases <- function(column, bases) {
  lapply(column, function(entry) {
    if (is.list(entry)) return(entry)
    for (v in names(bases)) {
      j <- match(entry, paste0(v, colnames(bases[[v]]$wide)))
      if (!is.na(j)) return(list(variable = v, value = bases[[v]]$wide[, j]))
    }
    entry
  })
}

# The matrix A; its attribute `constant` is the row of a constant, which a site need not have. NULL where A does not
# have all that the site knows.
estimates_translate_map <- function(site, known, columns) {
  codings <- lapply(known, `[`, c("coding", "label"))
  own <- lapply(site$terms, function(term) {
    if (term == "(Intercept)") list() else estimates_translate_parsed(term, known)
  })
  extra <- unlist(lapply(own, estimates_translate_recoded, known), recursive = FALSE)
  extra <- extra[!estimates_coding_sorted(names(extra)) %in% estimates_coding_sorted(names(columns))]
  extra <- extra[!duplicated(names(extra))]
  parts <- lapply(c(columns, extra), estimates_coding_expanded, codings)
  parts <- lapply(parts, function(part) stats::setNames(part, estimates_coding_sorted(names(part))))
  terms <- estimates_coding_sorted(site$terms)
  within <- vapply(parts, function(part) all(names(part) %in% c(terms, "(Intercept)")), NA)
  if (!"(Intercept)" %in% terms) within[names(parts) == "(Intercept)"] <- FALSE # a constant that is not known
  A <- estimates_coding_map(parts[within], union("(Intercept)", terms))
  colnames(A) <- names(parts)[within]
  constant <- A["(Intercept)", ]
  A <- A[terms, , drop = FALSE]
  of_target <- colnames(A) %in% names(columns)
  fitted <- qr(A)
  if (fitted$rank < length(terms)) return(NULL)
  used <- of_target | seq_len(ncol(A)) %in% fitted$pivot[seq_len(fitted$rank)]
  structure(A[, used, drop = FALSE], constant = constant[used], columns = c(columns, extra)[within][used])
}

# A term of the site as a product.
estimates_translate_parsed <- function(term, known) {
  lapply(estimates_coding_atoms(term), function(atom) {
    for (v in names(known)[order(-nchar(names(known)))]) {
      it <- known[[v]]
      end <- match(atom, paste0(it$label, colnames(it$coding)))
      if (!is.na(end)) return(list(variable = v, value = it$coding[, end]))
    }
    atom
  })
}

# The columns, by name, that the target's coding of its factors makes of a site's column.
estimates_translate_recoded <- function(column, known) {
  made <- list(list())
  names <- ""
  for (entry in column) {
    it <- if (is.list(entry)) known[[entry$variable]]
    choices <- if (is.null(it)) list(entry) else lapply(seq_len(ncol(it$wide)), function(j) {
      list(variable = entry$variable, value = it$wide[, j])
    })
    ends <- if (is.null(it)) entry else paste0(it$label, colnames(it$wide))
    names <- as.vector(outer(names, ends, function(a, b) paste0(a, ifelse(nzchar(a), ":", ""), b)))
    made <- unlist(lapply(choices, function(one) lapply(made, c, list(one))), recursive = FALSE)
  }
  if (length(column)) stats::setNames(made, names)
}

# The site with its log-likelihood as a function of a.
estimates_translate_applied <- function(site, A) {
  J <- crossprod(A, estimates_site_information(site) %*% A)
  known <- match("(Intercept)", site$terms)
  moved <- site
  moved$terms <- colnames(A)
  moved$J <- ((J + t(J)) / 2)[upper.tri(J, TRUE)]
  moved$g <- drop(crossprod(unname(A), site$g))
  moved["reference"] <- list(NULL)
  if (is.null(site$mean)) return(moved)
  mean <- site$mean
  if (!is.na(known)) mean[known] <- 0
  mean <- drop(crossprod(unname(A), mean)) + attr(A, "constant")
  moved$sd <- vapply(seq_along(moved$terms), function(j) {
    same <- match(moved$terms[j], site$terms)
    if (!is.na(same) && sum(A[, j] != 0) == 1 && A[same, j] == 1) return(site$sd[same])
    estimates_translate_spread(attr(A, "columns")[[j]], site)
  }, 0)
  moved$mean <- ifelse(moved$terms == "(Intercept)", NA, mean)
  moved
}

# The standard deviation of a column that is a function of one factor, by the shares of its levels; else NA.
estimates_translate_spread <- function(column, site) {
  if (length(column) != 1 || !is.list(column[[1]])) return(NA_real_)
  value <- column[[1]]$value
  shares <- site$mean[match(paste0(column[[1]]$variable, names(value)), site$terms)]
  if (sum(is.na(shares)) != 1) return(NA_real_)
  shares[is.na(shares)] <- 1 - sum(shares, na.rm = TRUE)
  sqrt(max(sum(shares * value^2) - sum(shares * value)^2, 0) * site$n / (site$n - 1))
}

# Columns that depend on the rows of which they were made, such as poly(x, 2), where the site has made them of other
# rows: by their call, list(label, coding, wide), numbers by value of the variable and column.
estimates_translate_bases <- function(site, name, blueprint, raw, call) {
  own <- if (blueprint$kind == "terms") estimates_coding_basis(blueprint$terms)
  atoms <- unlist(lapply(site$terms, estimates_coding_atoms))
  own <- own[vapply(names(own), function(label) any(startsWith(atoms, label)), NA)]
  own <- own[!vapply(names(own), function(label) identical(site$basis[[label]], own[[label]]), NA)]
  found <- lapply(stats::setNames(nm = names(own)), function(label) {
    made <- estimates_translate_basis(site$basis[[label]], own[[label]], raw, environment(blueprint$terms))
    used <- c(atoms, unlist(lapply(blueprint$columns, estimates_coding_atoms)))
    used <- used[startsWith(used, label)]
    constant <- "(Intercept)" %in% site$terms || identical(site$family, "cox")
    if (is.null(made) || !constant || !all(used %in% paste0(label, colnames(made$wide)))) {
      abort_input("The columns of {.code {label}} in {.val {name}} of {.arg sources} are others than those of the
                   target: they depend on the rows of which they are made.", "sources",
                  i = "Give such terms the same knots and boundary knots in both models, or write powers as
                       {.code I(x^2)}; and give the model, not its numbers.", call = call)
    }
    c(list(label = label), made)
  })
  found
}

# list(coding, wide) of the calls `theirs` and `mine`; NULL where the columns of `mine` are not sums of a constant and
# the columns of `theirs`.
estimates_translate_basis <- function(theirs, mine, raw, env) {
  v <- all.vars(mine)
  if (is.null(theirs) || !identical(v, all.vars(theirs)) || length(v) != 1 || !is.numeric(raw[[v]])) return(NULL)
  ends <- range(raw[[v]], finite = TRUE)
  points <- unique(c(raw[[v]][is.finite(raw[[v]])], seq(ends[1] - diff(ends), ends[2] + diff(ends), length.out = 50)))
  at <- function(e) {
    value <- tryCatch(suppressWarnings(eval(e, stats::setNames(list(points), v), env)), error = function(e) NULL)
    if (!is.numeric(value) || NROW(value) != length(points)) return(NULL)
    ends <- colnames(value) %||% if (NCOL(value) > 1) seq_len(ncol(value)) else ""
    if (all(is.finite(value))) matrix(value, length(points), dimnames = list(seq_along(points), ends))
  }
  found <- list(coding = at(theirs), wide = at(mine))
  if (is.null(found$coding) || is.null(found$wide)) return(NULL)
  left <- qr.resid(qr(cbind(1, found$coding)), found$wide)
  if (max(abs(left)) <= 1e-8 * max(abs(found$wide))) found
}

estimates_translate_abort <- function(site, name, factors, bases, call) {
  shown <- c(factors, bases)
  abort_input("{.val {name}} of {.arg sources} codes {.field {shown}} by another first level or other contrasts than the
               target, and its coefficients cannot be translated.", "sources",
              i = if (site$full) "Fit that model with the factors, contrasts and interactions of the target." else
                "Standard errors alone do not tell those of other differences: give the covariance matrix, or fit that
                 model with the first levels of the target, by {.fn relevel}.", call = call)
}

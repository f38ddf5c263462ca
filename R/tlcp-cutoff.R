# tlcp(method = "cutoff"): the closed form of orthogonal designs, carried over to any (Chen et al.,
# Algorithms 1 and 2). In the coordinates of `basis` (features x coordinates, one for each domain) a domain's
# columns are orthogonal with norm sqrt(n); in these coordinates the problem separates into one problem for each
# feature.

WEAK <- .01 # of the mean eigenvalue: directions with less would multiply the noise by more than ten
WEAK_SURPLUS <- .003 # the same where there are more rows than features, if fewer than twice as many

cutoff_fit <- function(frame, target, settings, call) {
  short <- cutoff_short_of_rows(frame, target, settings, call)
  path <- if (is.null(short)) {
    cutoff_path(frame_moments_cells(frame, target, call), settings, call)
  } else {
    cutoff_projected_path(short$parts, short$columns, settings, call)
  }
  tlcp_object(path, frame, target, settings)
}

# NULL, or where the target has no more rows than features that vary in it, or hardly more, list(parts, columns): the
# domains of cutoff_parts(), and these features.
cutoff_short_of_rows <- function(frame, target, settings, call) {
  n <- if (is.null(frame$domain)) frame_rows_count(frame) else
    frame_rows_by_domain(frame)[[match(target, levels(frame$domain))]]
  df <- n - settings$intercept
  if (df >= 2 * frame$blueprint$p) return(NULL)
  parts <- cutoff_parts(frame, target, settings, call)
  varies <- cutoff_part_varies(parts[[1]])
  if (df > sum(varies)) {
    if (df >= 2 * sum(varies) || !cutoff_has_noisy_directions(parts[[1]], varies, settings)) return(NULL)
  } else if (!is.null(settings$collinear)) {
    tell("`collinear` has no effect: the target has no more rows than features.",
         "Principal directions of the target with little variance are left out instead of columns.",
         class = "transelect_message_collinear")
  }
  list(parts = parts, columns = tlcp_columns_varying(varies, parts[[1]]$name, FALSE, settings, call))
}

# Of a target with hardly more rows than features: is least squares mostly noise in some directions? Then these
# directions are left out, as where there are fewer rows than features, if the settings allow it. With `collinear`
# columns are left out instead.
cutoff_has_noisy_directions <- function(part, varies, settings) {
  if (!is.null(settings$collinear) || !is.null(cutoff_not_projected(settings))) return(FALSE)
  values <- eigen(cutoff_part_sums(part)$G[varies, varies, drop = FALSE], TRUE, TRUE)$values
  values <- values[values > SINGULAR * values[1]]
  any(values < WEAK_SURPLUS * mean(values))
}

cutoff_path <- function(cells, settings, call) {
  domains <- tlcp_domain_moments(moments_rows_domain_sums(cells, settings$intercept),
                                 tlcp_units_settings_scaling(settings), call)
  used <- tlcp_columns_domains_in_use(domains, settings, call)
  order <- cutoff_order(used$domains)
  bases <- lapply(used$domains, function(domain) cutoff_models_gram_schmidt(domain, order))
  target <- tlcp_domain_columns(domains[[1]], used$columns, settings$intercept)
  path <- cutoff_models(used, bases, target$G %*% bases[[1]], settings, call)
  cutoff_models_finish(path, domains, used$columns)
}

# Features with large effects that differ little come first. With two domains the ratio is 1 for all features whose
# effects differ in sign; large effects come first among these features, so that rounding does not order them.
cutoff_order <- function(domains) {
  w <- matrix(tlcp_rule_least_squares(domains), ncol = length(domains))
  if (ncol(w) == 1) return(order(-abs(w[, 1])))
  apart <- rowSums(abs(w[, -1, drop = FALSE] - w[, 1]))
  size <- rowSums(abs(w))
  order(-signif(size / apart, 8), -size)
}

# The target's principal directions (X Q)'(X Q) = n I; the other domains' columns X_t Q are made
# orthogonal in their order.
cutoff_projected_path <- function(parts, columns, settings, call) {
  cutoff_refuse_projection(settings, call)
  tlcp_columns_refuse_none(columns, parts[[1]]$name, call)
  rows <- lapply(if (identical(settings$borrow, "none")) parts[1] else parts, cutoff_part_columns, columns)
  X <- rows[[1]]$X
  n <- rows[[1]]$n
  sums <- if (is.null(X)) cutoff_part_sums(rows[[1]]) # p x p: not made where there are rows
  e <- eigen(if (is.null(X)) sums$G else tcrossprod(X), symmetric = TRUE)
  r <- which(e$values > WEAK * mean(e$values[e$values > SINGULAR * max(e$values[1], 0)]))
  d <- e$values[r]
  p <- if (is.null(X)) length(sums$g) else ncol(X)
  V <- e$vectors[, r, drop = FALSE] # of rows, or of X'X
  u2 <- if (is.null(X)) drop(crossprod(V, sums$g))^2 / d else drop(crossprod(V, rows[[1]]$y))^2
  B <- if (is.null(X)) V * rep(sqrt(n / d), each = p) else crossprod(X, V) * rep(sqrt(n) / d, each = p)
  domains <- lapply(rows, cutoff_projected_domain, B = B, intercept = settings$intercept)
  short <- vapply(domains, function(t) length(t$fit$kept) < length(r), NA)
  if (any(short)) {
    abort_input("{cli::qty(sum(short))}Domain{?s} {.val {names(domains)[short]}} {?has/have} too few rows for the
                 {length(r)} principal directions of the target.", "domain",
                i = "Give {.code borrow = \"none\"}, or leave {cli::qty(sum(short))}{?that domain/those domains} out.",
                call = call)
  }
  sigma2 <- if (!is.null(settings$sigma2)) tlcp_variances_given(tlcp_domain_names(parts), settings, call)
  variances <- tlcp_variances_of_domains(domains, sigma2, call, moderate = identical(settings$borrow, "hierarchical"))
  if (variances$from[1] == "marginal likelihood") {
    variances$s2[1] <- tlcp_variances_ridge(d, u2, domains[[1]]$yy, n - settings$intercept)
  }
  used <- tlcp_columns_guarded_domains(domains, variances, columns, settings, call)
  bases <- lapply(used$domains, function(domain) B %*% cutoff_models_gram_schmidt(domain, seq_along(r)))
  cross <- if (is.null(X)) sums$G %*% bases[[1]] else crossprod(X, X %*% bases[[1]])
  path <- cutoff_models(used, bases, cross, settings, call, rows[used$at])
  cutoff_models_finish(path, lapply(parts, cutoff_with_least_squares, intercept = settings$intercept), columns)
}

# The rows of a domain with its own least squares, which are NA where they are too few.
cutoff_with_least_squares <- function(rows, intercept) {
  p <- length(rows$x_mean)
  rows$fit <- if (rows$n - intercept < p) list(coef = rep(NA_real_, p)) else
    tlcp_domain_least_squares(c(cutoff_part_sums(rows), n = rows$n), intercept)
  rows
}

# The domains in their z-scores, target first: as rows (cutoff_scaled_rows()), or where there are none as second
# moments.
cutoff_parts <- function(frame, target, settings, call) {
  if (frame_rows_are_there(frame)) return(cutoff_scaled_rows(frame, target, settings, call))
  sums <- moments_rows_domain_sums(frame_moments_cells(frame, target, call), settings$intercept)
  parts <- tlcp_domain_moments(sums, tlcp_units_settings_scaling(settings), call)
  stats::setNames(parts, tlcp_domain_names(parts))
}

# Does each column of such a domain vary?
cutoff_part_varies <- function(part) if (is.null(part$X)) part$varies else colSums(part$X != 0) > 0

# Such a domain with these columns only.
cutoff_part_columns <- function(part, columns) {
  if (is.null(part$X)) {
    part$G <- part$G[columns, columns, drop = FALSE]
    part$g <- part$g[columns]
  } else {
    part$X <- part$X[, columns, drop = FALSE]
  }
  part
}

# X'X, X'y and y'y of such a domain.
cutoff_part_sums <- function(part) {
  if (is.null(part$X)) return(part[c("G", "g", "yy")])
  list(G = crossprod(part$X), g = drop(crossprod(part$X, part$y)), yy = sum(part$y^2))
}

# Refuses settings that name features where principal directions of the target take the place of the features.
cutoff_refuse_projection <- function(settings, call) {
  wrong <- cutoff_not_projected(settings)
  if (is.null(wrong)) return(invisible())
  value <- if (is.list(settings[[wrong]])) "numbers by feature" else settings[[wrong]]
  why <- if (wrong == "criterion") {
    "Give {.val Cp}, {.val Cp_BIC}, {.val Cp_HQ}, {.val RIC} or a number: no variance can be estimated anew for
     the larger subsets."
  } else {
    "Use another {.arg {wrong}}: here principal directions of the target take the place of the features."
  }
  abort_input("{.arg {wrong}} is {.val {value}}, and the target has no more rows than features.",
              wrong, i = why, call = call)
}

# The setting that refers to features, or NULL.
cutoff_not_projected <- function(settings) {
  numbers <- is.list(settings$borrow) && any(lengths(settings$borrow[c("v", "pen")]) > 1)
  alone <- identical(settings$borrow, "none")
  if (identical(settings$borrow, "aggregate") || numbers) {
    "borrow"
  } else if (alone && tlcp_prior_variance_anew(settings$criterion, "none")) {
    "criterion"
  } else if (settings$support == "target" && !alone) {
    "support"
  }
}

# Rows of every domain, target first, in its z-scores (tlcp_domain_scales()); weights as square roots.
cutoff_scaled_rows <- function(frame, target, settings, call) {
  frame_rows_refuse_missing(frame$x, labels_of_all_columns(frame$blueprint), call)
  domain <- frame$domain %||% factor(rep(target, frame_rows_count(frame)))
  y <- response_first(frame$y)
  weight <- response_weights_of_rows(frame)
  parts <- lapply(split(seq_along(y), domain), function(i) {
    cutoff_centred_rows(as.matrix(frame$x[i, , drop = FALSE]), y[i], response_weights_sum_n(weight[i]),
                        settings$intercept)
  })
  parts <- parts[c(target, setdiff(levels(domain), target))]
  spread <- lapply(parts, `[[`, "spread")
  tlcp_domain_refuse_constant_y(names(parts), vapply(parts, `[[`, 0, "n"), vapply(spread, function(s) s[length(s)], 0),
                                call)
  df <- vapply(parts, function(part) max(part$n - 1, 0), 0)
  sums <- list(spread = do.call(cbind, spread), binary = Reduce(`&`, lapply(parts, `[[`, "binary")),
               within = sqrt(Reduce(`+`, Map(function(s, df) s^2 * df, spread, df)) / max(sum(df), 1)))
  scale <- tlcp_domain_scales(sums, tlcp_units_settings_scaling(settings))
  Map(cutoff_scale_rows, parts, names(parts), lapply(seq_along(parts), function(t) scale[, t]))
}

# The columns and the response about their means, with standard deviations, the response last.
cutoff_centred_rows <- function(X, y, w, intercept) {
  all <- cbind(X, y, deparse.level = 0)
  n <- as.double(nrow(all))
  mean <- if (intercept) colSums(all * w) / n else numeric(ncol(all))
  rows <- all - rep(mean, each = n)
  square <- colSums(rows^2 * w)
  flat <- square <= 1e-24 * colSums(all^2 * w)
  rows[, flat] <- 0
  square[flat] <- 0
  list(n = n, rows = rows, w = w, mean = mean, spread = sqrt(square / max(n - 1, 1)),
       binary = colSums(X != 0 & X != 1) == 0)
}

cutoff_scale_rows <- function(part, name, scale) {
  x <- seq_len(length(scale) - 1)
  rows <- part$rows * sqrt(part$w) / rep(scale, each = part$n)
  list(name = name, n = part$n, X = rows[, x, drop = FALSE], y = rows[, -x],
       x_mean = part$mean[x], y_mean = part$mean[-x], x_scale = scale[x], y_scale = scale[-x])
}

cutoff_projected_domain <- function(rows, B, intercept) {
  Z <- if (!is.null(rows$X)) rows$X %*% B
  sums <- if (is.null(Z)) {
    list(G = crossprod(B, rows$G %*% B), g = drop(crossprod(B, rows$g)), yy = rows$yy)
  } else {
    cutoff_part_sums(list(X = Z, y = rows$y))
  }
  domain <- c(list(name = rows$name, n = rows$n, y_scale = rows$y_scale), sums, level = FALSE)
  domain$fit <- tlcp_domain_least_squares(domain, intercept)
  domain
}

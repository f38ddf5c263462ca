# Valid arguments of every C entry, by the entry's name in src/init.c: a list of calls, each a list
# of arguments. Of every kind the entry takes, and small: the tools run them as they are and then
# spoil them. At least 17 rows, so that vectors lie outside R's own pages (see tools/sanitize).

example_matrix <- function(n, p) matrix(cos(seq_len(n * p)^2), n, p)

standard_rows_call <- function() {
  list(x = example_matrix(30, 4), at = 30:11, column = c(3L, 1L), shift = c(.1, -2), base = c(.5, 4),
       flat = c(FALSE, FALSE), constant = TRUE)
}

# Settings of the class that the entry asks for, with others in place of those in `...`.
example_settings <- function(settings, class, ...) {
  more <- list(...)
  settings[names(more)] <- more
  structure(settings, class = class)
}

# tau: two ridges for each path, lambda: NA where they are of numbers of columns.
greedytl_example <- function(tau = matrix(NA_real_, 2, 1), lambda = 0, ...) {
  example_settings(list(
    rule = "paper", intercept = TRUE, standardize = TRUE, source_scale = "each", source_sign = "any", average = TRUE,
    classes = FALSE, class_weights = "none", max_steps = 6L, tol = 0, keep = integer(), groups = NULL,
    candidates = 0L, threads = 1L, held = TRUE, tau = tau, lambda = rep(lambda, length.out = ncol(tau))
  ), "greedytl_settings", ...)
}

# What frame_moments_gram() makes of rows, about their means.
example_gram <- function(x, y, mean = colMeans(x), y_mean = mean(y)) {
  x <- x - rep(colMeans(x), each = nrow(x))
  y <- y - mean(y)
  list(G = crossprod(x), b = drop(crossprod(x, y)), yy = sum(y^2), n = nrow(x) + 0, mean = mean,
       y_mean = y_mean)
}

greedytl_calls <- local({
  n <- 20
  x <- example_matrix(n, 8)
  sources <- example_matrix(n, 5)^3
  sparse <- Matrix::Matrix(x * (x > 0.3), sparse = TRUE)
  y <- example_matrix(n, 1) + x[, 2]
  classes <- cbind(ifelse(y > 0, 1, -1), ifelse(y > 0.5, 1, -1))
  weights <- cbind(rep(c(0.5, 1.5), n / 2), rep(1, n))
  draws <- abs(example_matrix(24, 1)[, 1]) * 0.99
  moments <- example_gram(example_matrix(24, 6), example_matrix(24, 1)[, 1], rep(0.1, 6), 0.5)
  no_rows <- list(matrix(0, 0, 6))
  no_response <- matrix(0, 0, 1)
  list(
    evidence = list(
      list(x, sources), classes, weights, NULL,
      greedytl_example(lambda = NA_real_, rule = "transfer", source_scale = "common", source_sign = "positive",
                       classes = TRUE, class_weights = "balanced"), NULL
    ),
    sparse = list(list(sparse, sources), y, NULL, NULL, greedytl_example(matrix(c(1, 2), 2), threads = 2L), NULL),
    sparse_alone = list(
      list(sparse), y, weights[, 1, drop = FALSE], NULL, greedytl_example(lambda = NA_real_, intercept = FALSE), NULL
    ),
    several_ridges = list(
      list(x), y, NULL, NULL,
      greedytl_example(matrix(c(0, 0, 1, 1, 20, 20), 2), keep = c(3L, 1L), standardize = FALSE, max_steps = 8L,
                       tol = 1e-4), NULL
    ),
    gram_known = list(
      list(x), y, NULL, example_gram(x, y), greedytl_example(matrix(c(NA, NA, 1, 1), 2), rule = "transfer"), NULL
    ),
    groups = list(
      list(x, sources), y, NULL, NULL,
      greedytl_example(rule = "transfer", groups = list(of = c(1L, 1L, 2L, 3L, 3L, 3L, 4L, 4L)), keep = 3L), NULL
    ),
    products = list(
      list(list(x, TRUE, FALSE), sources), y, NULL, NULL, greedytl_example(rule = "transfer", threads = 2L), NULL
    ),
    random = list(list(x, sources), y, NULL, NULL, greedytl_example(matrix(1, 2, 1), candidates = 4L), draws),
    random_lazy = list(
      list(sparse, list(5, function(j) cos(seq_len(20) + j))), y, NULL, NULL,
      greedytl_example(matrix(1, 2, 1), candidates = 4L), draws
    ),
    moments = list(
      no_rows, no_response, NULL, moments, greedytl_example(lambda = NA_real_, rule = "transfer", average = FALSE), NULL
    ),
    moments_groups = list(
      no_rows, no_response, NULL, moments,
      greedytl_example(matrix(1, 2, 1), groups = list(of = c(1L, 1L, 2L, 2L, 3L, 4L)), keep = 5L, max_steps = 4L), NULL
    ),
    moments_ridges = list(
      no_rows, no_response, NULL, moments,
      greedytl_example(matrix(c(0, 0, 1, 1), 2), keep = c(2L, 5L), intercept = FALSE, standardize = FALSE), NULL
    )
  )
})

tgreedy_example <- function(...) {
  example_settings(list(
    rule = "gain", nu = 0.5, signed = FALSE, repeats = TRUE, update = "stagewise", stop = "none", alpha = 0.05,
    delta = 0.05, max_steps = 6L, all_varying = FALSE, groups = NULL, standardize = TRUE,
    intercept = TRUE, classes = FALSE, threads = 1L
  ), "tgreedy_settings", ...)
}

tgreedy_calls <- local({
  n <- 24
  x <- example_matrix(n, 8)
  sparse <- Matrix::Matrix(x * (x > 0.3), sparse = TRUE)
  y <- example_matrix(n, 1) + x[, 2]
  classes <- cbind(ifelse(y > 0, 1, -1), ifelse(y > 0.5, 1, -1))
  mixed <- rep(1:3, length.out = n)
  weights <- rep(c(0.5, 1.5), n / 2)
  cell <- function(x) list(weight = n, mean = colMeans(x), cross = crossprod(x))
  list(
    gain = list(list(x), y, sort(mixed), NULL, NULL, tgreedy_example(stop = "gain")),
    products = list(list(list(x, FALSE, TRUE)), y, mixed, NULL, NULL, tgreedy_example()),
    products_runs = list(list(list(x, TRUE, FALSE)), y, sort(mixed), weights, NULL,
                         tgreedy_example(update = "refit", repeats = FALSE, nu = 1, threads = 2L)),
    classes = list(list(sparse), classes, mixed, weights, NULL,
                   tgreedy_example(classes = TRUE, rule = "t", nu = 1, threads = 2L)),
    refit = list(list(x), y, mixed, NULL, NULL,
                 tgreedy_example(rule = "greedy", repeats = FALSE, update = "refit", nu = 1)),
    groups = list(list(x), y, mixed, NULL, NULL,
                  tgreedy_example(rule = "modt", groups = list(of = c(1L, 2L, 2L, 3L, 3L, 3L, 1L, 4L)),
                                  max_steps = 3L)),
    unlabelled = list(list(x), y, mixed, weights, list(list(rbind(x, x)), c(mixed, mixed), NULL),
                      tgreedy_example(rule = "modt", standardize = FALSE, intercept = FALSE)),
    refit_unlabelled = list(list(sparse), y, mixed, NULL,
                            list(list(rbind(sparse, sparse)), c(mixed, mixed), NULL),
                            tgreedy_example(rule = "greedy", repeats = FALSE, update = "refit", nu = 1)),
    moments = list(list(cell(x), cell(x^2), cell(sin(x))), NULL, NULL, NULL, NULL, tgreedy_example(max_steps = 4L))
  )
})

moments_calls <- local({
  x <- example_matrix(20, 3)
  gap <- replace(x, c(3, 27), NA)
  cell <- rep(0:1, 10)
  list(
    plain = list(list(x, x[, 1]^2), cell, 2L, NULL),
    weighted = list(list(gap, x[, 2], x[, 2:3]), replace(cell, 4, -1L), 2L, rep(c(0.5, 0, 2, 1), 5))
  )
})

subset_calls <- local({
  x <- example_matrix(40, 18)
  y <- x[, 1] - x[, 5] + example_matrix(40, 1)[, 1]
  A <- crossprod(x)
  b <- crossprod(x, y)[, 1]
  form <- function(n_domains) list(A = A, b = b, c0 = sum(y^2), n_domains = n_domains)
  settings <- example_settings(list(max_nodes = 200, max_seconds = 600), "tlcp_settings")
  list(
    one = list(form(1L), rep(2, 18), NULL, NULL, TRUE, settings),
    groups = list(form(2L), c(0, 1:8 / 2), rep(c(0L, 1L, -1L), 3), NULL, FALSE, settings),
    sizes = list(form(1), rep(1, 18), rep(c(0L, 0L, 1L), 6), c(2, 9), FALSE, settings),
    triples = list(form(3L), rep(1, 6), NULL, c(0, 6), TRUE, settings),
    closed = list(c(form(1L), list(parents = outer(1:18, 1:18, function(h, g) g == h + 9))), rep(2, 18), NULL, NULL,
                  FALSE, settings),
    closed_sizes = list(c(form(2L), list(parents = outer(1:9, 1:9, function(h, g) h < 4 & g == h + 4))), rep(1, 9),
                        NULL, c(0, 9), FALSE, settings)
  )
})

subset_both_calls <- local({
  from <- c("one", "groups", "sizes", "closed")
  ranges <- list(c(1, 18), c(3, 6), c(6, 18), c(0, 4))
  Map(function(call, range) c(call[1:3], list(range), call[6]), subset_calls[from], ranges)
})

subset_within_calls <- local({
  x <- example_matrix(40, 12)
  y <- x[, 1] - x[, 5] + example_matrix(40, 1)[, 1]
  form <- function(n_domains) list(A = crossprod(x), b = crossprod(x, y)[, 1], c0 = sum(y^2), n_domains = n_domains)
  settings <- example_settings(list(max_nodes = 2000, max_seconds = 600), "tlcp_settings")
  list(
    one = list(form(1L), rep(2, 12), NULL, 30, 500, settings),
    full = list(form(1), rep(.1, 12), rep(c(0L, 1L, -1L), 4), 40, 3, settings),
    groups = list(form(2L), 0:5 / 2, NULL, 35, 100, settings),
    closed = list(c(form(1L), list(parents = outer(1:12, 1:12, function(h, g) g == h + 6))), rep(2, 12), NULL, 30, 500,
                  settings)
  )
})

subset_models_calls <- local({
  x <- example_matrix(30, 12)
  A <- crossprod(x)
  form <- function(n_domains, at = 1:12) list(A = A[at, at], b = x[3, at], n_domains = n_domains)
  list(
    one = list(form(1L), matrix(c(TRUE, FALSE, FALSE, TRUE), 12, 5), A / 2),
    pairs = list(form(2), matrix(c(TRUE, FALSE, TRUE), 6, 4), A[1:6, 1:6] / 2),
    none = list(form(1), matrix(FALSE, 12, 1), NULL),
    levels = list(c(form(2, 1:10), list(full = form(2))), matrix(c(TRUE, FALSE, TRUE, TRUE, FALSE), 5, 4),
                  A[1:6, 1:6] / 2)
  )
})

# Two domains as cells and as domain moments; the last coordinate may be a level.
cell_calls <- local({
  cell <- function(seed) {
    x <- example_matrix(40, 19)[, seq_len(6) + seed]
    list(n = 40, weight = 40, mean = colMeans(x), cross = crossprod(x - rep(colMeans(x), each = 40)))
  }
  list(a = cell(0), b = cell(9))
})

domain_calls <- local({
  domain <- function(cell, level) {
    at <- 1:5
    G <- cell$cross[at, at]
    g <- cell$cross[at, 6]
    fit <- list(coef = solve(G, g), kept = at, rss = 1, log_det = c(determinant(G)$modulus), df = 30)
    list(G = G, g = g, level = level, fit = fit)
  }
  list(plain = lapply(cell_calls, domain, FALSE), level = lapply(cell_calls, domain, TRUE))
})

spd_squares_calls <- local({
  A <- crossprod(example_matrix(40, 18))
  list(several = list(A, A[, 1:9]), one = list(A, A[, 2, drop = FALSE]), none = list(A, A[, 0]))
})

# The same as rows, more features than rows.
row_calls <- local({
  domain <- function(seed, level) {
    X <- example_matrix(3, 12)[, seq_len(8) + seed]
    coef <- c(.1, .2, rep(0, 6 + level))
    list(X = X, y = cos(seed + 1:3), one = if (level) c(1, 1, 1), level = level,
         fit = list(coef = coef, kept = 1:2, rss = .1, log_det = 0, df = 1))
  }
  list(plain = list(domain(0, FALSE), domain(3, FALSE), domain(4, FALSE)),
       level = list(domain(0, TRUE), domain(3, TRUE)))
})

variance_calls <- local({
  of <- function(cell, level) {
    domain <- domain_calls[[if (level) "level" else "plain"]][[cell]]
    p <- length(domain$g) - level
    c(domain[c("G", "g", "level")], list(yy = 1e3, n = 40, varies = rep(TRUE, p)))
  }
  rest <- list(0, seq(-3, 3, length.out = 20), seq(-2, 2, length.out = 20), seq(-2, 2, length.out = 18))
  rows <- list(square = crossprod(example_matrix(20, 18)), y = example_matrix(18, 1)[, 1], kernel = diag(c(3, 1)),
               across = example_matrix(18, 2), others = c(1, -1), yy = 30, n = 20)
  list(
    plain = c(list(list(of("a", FALSE), of("b", FALSE)), c(1, 2), TRUE, NULL), rest),
    level = c(list(list(of("a", TRUE), of("b", TRUE)), c(1, 2), TRUE, NULL), rest),
    rows = c(list(NULL, c(1, 2), TRUE, rows), rest)
  )
})

variance_grids <- list(log_s2 = seq(-3, 3, length.out = 20), log_prior = seq(-2, 2, length.out = 20),
                       log_tau2 = seq(-2, 2, length.out = 18))

# Residual variances: of domains with enough degrees of freedom, with few, without any, and of estimates.
domain_variances_calls <- local({
  of <- function(domains, df) {
    Map(function(domain, df) {
      domain$fit$df <- df
      c(domain, list(yy = 1e3, n = 40, y_scale = 2, varies = rep(TRUE, 4L + !domain$level)))
    }, domains, df)
  }
  rows <- lapply(row_calls$level, function(domain) {
    domain$fit$df <- 0
    c(domain, list(yy = 2, n = 3, y_scale = 2))
  })
  known <- of(domain_calls$level, c(30, 20))
  known[[2]]$known <- TRUE
  list(
    moderated = list(of(domain_calls$plain, c(30, 20)), NULL, TRUE),
    few = list(of(domain_calls$level, c(3, 2)), NULL, FALSE),
    none = list(of(domain_calls$level, c(0, -1)), NULL, TRUE), rows = list(rows, NULL, TRUE),
    given = list(of(domain_calls$plain, c(30, 20)), 3, TRUE), known = list(known, NULL, TRUE)
  )
})

borrow_variances_calls <- lapply(domain_variances_calls[c("moderated", "few", "none", "given")], function(call) {
  list(call[[1]], call[[2]], TRUE, variance_grids)
})

borrow_units_calls <- local({
  own <- list(scale = matrix(2, 6, 2))
  level <- c(own, list(centre = rep(.1, 6)))
  known <- c(own, list(known = list(c(domain_variances_calls$moderated[[1]][[2]], known = TRUE))))
  flat <- matrix(c(TRUE, rep(FALSE, 11)), 6)
  list(
    own = list(cell_calls, list(own = own), flat, TRUE, NULL, NULL, variance_grids),
    both = list(cell_calls, list(own = own, common = level), flat, TRUE, 2:5, 3, variance_grids),
    known = list(cell_calls, list(own = known), flat, TRUE, NULL, NULL, variance_grids)
  )
})

domain_moments_calls <- local({
  scale <- matrix(2, 6, 2)
  flat <- matrix(c(TRUE, rep(FALSE, 11)), 6)
  list(
    plain = list(cell_calls, scale, flat, NULL, TRUE),
    level = list(cell_calls, scale, flat, rep(.1, 6), TRUE),
    zero = list(cell_calls, scale, flat, NULL, FALSE)
  )
})

domain_sums_calls <- list(both = list(cell_calls, TRUE), zero = list(cell_calls, FALSE))

own_levels_calls <- local({
  domains <- lapply(domain_calls$level, c, list(n = 40, yy = 300, varies = c(FALSE, TRUE, TRUE, TRUE)))
  list(means = list(domains, TRUE), zero = list(lapply(domains, c, list(n_pooled = 2)), FALSE))
})

least_squares_calls <- local({
  G <- crossprod(example_matrix(40, 18))
  twins <- G[c(1:9, 1:9), c(1:9, 1:9)]
  list(whole = list(G, G[, 1] + 1, 100, 40, NULL), twins = list(twins, twins[, 1], 50, 0, NULL),
       share = list(twins, twins[, 1], 50, 0, .5))
})

spd_solve_calls <- local({
  A <- crossprod(example_matrix(40, 18))
  list(vector = list(A, A[, 1] + 1), matrix = list(A, A[, 1:9]), none = list(A, A[, 0]))
})

rows_kernel_calls <- list(plain = list(example_matrix(7, 70), seq_len(70) / 70))

borrow_calls <- local({
  how <- function(scales = TRUE, support = NULL) list(scales = scales, distance = 2, support = support, k = 2)
  yy <- function(domains) lapply(domains, c, list(yy = 300))
  list(
    rows = list(row_calls$plain, c(1, 2, 1), how()), rows_level = list(row_calls$level, c(1, 2), how()),
    scales = list(domain_calls$plain, c(1, 2), how()), level = list(domain_calls$level, c(1, 2), how()),
    plain = list(domain_calls$plain, c(1, 2), how(FALSE)),
    near = list(domain_calls$plain, c(1, 2), c(how(), list(start = rep(-2, 21), enough = 1e-6))),
    target = list(yy(domain_calls$level), c(1, 2), how(support = "target")),
    shared = list(yy(domain_calls$plain), c(1, 2), how(FALSE, support = "shared"))
  )
})

borrow_ratio_calls <- list(
  rows = list(row_calls$plain, c(1, 2, 1), NULL, 0), rows_level = list(row_calls$level, c(1, 2), NULL, 0),
  cold = list(domain_calls$plain, c(1, 2), NULL, 0), warm = list(domain_calls$level, c(1, 2), rep(-2, 5), 0),
  near = list(domain_calls$level, c(1, 2), rep(-2, 5), 1e-6)
)

borrow_evidence_calls <- list(
  two = list(domain_calls$plain, c(1, 2)), level = list(domain_calls$level, c(1, 2)),
  several = list(c(domain_calls$plain, domain_calls$plain[1]), c(1, 2, 1))
)

held_calls <- local({
  without <- lapply(1:2, function(k) {
    cell <- cell_calls[[1]]
    cell$n <- cell$n - k
    cell$weight <- cell$weight - k
    cell
  })
  how <- list(intercept = TRUE, standardize = TRUE, given = NULL, grid = variance_grids,
              prior = c(.4, .05, .05, .02, .01), v = c(.1, 1), spread = 3, factors = seq(-9, 12, 3),
              size = c(2, 60, 20, 8), enough = 1e-5)
  call <- function(cells, ...) list(cells, without, utils::modifyList(how, list(...)))
  three <- c(cell_calls, stats::setNames(cell_calls[1], "third"))
  list(pair = call(cell_calls), three = call(three), zero = call(cell_calls, intercept = FALSE, standardize = FALSE))
})

held_squares_calls <- lapply(held_calls, function(call) {
  c(call[1:2], list(call[[3]][c("intercept", "standardize", "given")]))
})

borrow_alone_calls <- list(one = list(domain_calls$plain[1], 2, NULL))

borrow_others_calls <- local({
  borrowing <- list(common = rep(.5, 5), own = matrix(c(.1, .2), 5, 2), scales = rep(1, 5), k = 2)
  list(plain = list(domain_calls$plain, c(1, 2), borrowing),
       level = list(domain_calls$level, c(1, 2), borrowing))
})

posterior_calls <- local({
  call <- function(domains, slopes, ..., scales = rep(c(.5, 2), length.out = 5)) {
    borrowing <- list(common = rep(.5, 5), own = matrix(c(.1, .2), 5, 2), scales = scales, tau2 = c(.1, .2))
    posterior <- list(
      A = crossprod(example_matrix(40, 5)), covariance = NULL, n_domains = 1L, level = slopes < 5,
      unit = as.double(seq_len(slopes)),
      x_mean = as.double(seq_len(slopes)), y_scale = 2, constant = .1, sets = cbind(logical(slopes), rep(TRUE, slopes)),
      prior = list(domains = domains, s2 = c(1, 2), borrowing = borrowing, size = .7, alone = NULL)
    )
    list(utils::modifyList(posterior, list(...), keep.null = TRUE), 1:2, FALSE)
  }
  C <- crossprod(example_matrix(40, 6))
  diagonal <- function(call) replace(call, 3, list(TRUE))
  list(plain = call(domain_calls$plain, 5), level = diagonal(call(domain_calls$level, 4)),
       shared = call(domain_calls$level, 4, A = crossprod(example_matrix(40, 10)), n_domains = 2L, scales = rep(1, 5)),
       steps = call(domain_calls$plain, 5, covariance = list(C[6, 6, drop = FALSE], C)),
       unrelated = call(domain_calls$plain, 5, prior = list(alone = c(1L, 3L))),
       single = call(domain_calls$plain, 5, prior = NULL))
})

borrow_features_calls <- local({
  start <- function(slopes) list(scales = rep(1, 5), spread = 3, tau2 = .1, omega2 = .5, kappa2 = .1,
                                 factors = rep(1, slopes))
  list(plain = list(domain_calls$plain, c(1, 2), start(5)), level = list(domain_calls$level, c(1, 2), start(4)))
})

form_calls <- local({
  yy <- function(domains) lapply(domains, c, list(yy = 300))
  coupled <- list(scales = rep(1, 5), v = c(0, 1:4))
  c(lapply(borrow_others_calls, c, list(NULL)), list(
    target = list(yy(domain_calls$level), c(1, 2), borrow_others_calls$level[[3]], "target"),
    shared = list(yy(domain_calls$level), c(1, 2), borrow_others_calls$level[[3]], "shared"),
    coupled = list(yy(domain_calls$plain), c(1, 2), coupled, "target"),
    coupled_all = list(yy(domain_calls$plain), c(1, 2), coupled, NULL),
    alone = list(yy(domain_calls$plain[1]), 1, coupled, "shared")
  ))
})

msplit_options <- function(...) {
  settings <- list(
    method = "iss", loss = "squared", nu = c(0.5, 20), t_ratio = 50, times = NULL, nt = 10L, max_steps = 200,
    choose = "evidence", kappa = 5, alpha = 0, start = "ridge", standardize = TRUE, intercept = TRUE,
    record = c(0L, 2L), loo = TRUE, kept = NULL
  )
  example_settings(settings, "msplit_settings", ...)
}

msplit_calls <- local({
  n <- 20
  x <- example_matrix(n, 8)
  six <- x[, 1:6]
  wide <- example_matrix(n, 45)
  sparse <- Matrix::Matrix(x * (x > 0.3), sparse = TRUE)
  y <- example_matrix(n, 1) + x[, 2]
  both <- cbind(y, example_matrix(n, 1)^2 - x[, 3])
  classes <- cbind(y < 0, y >= 0 & y < 1, y >= 1) + 0
  weights <- rep(c(0.5, 1.5), n / 2)
  path <- function(x, y, weights, ...) list(list(x), y, weights, msplit_options(...), NULL)
  moments <- function(x, ...) list(example_gram(x, y[, 1]), NULL, NULL, msplit_options(loo = FALSE, ...), NULL)
  lbi <- function(x, y, weights, ...) {
    path(x, y, weights, ..., method = "lbi", nu = c(1, 4), nt = 6L, t_ratio = 5, max_steps = 2000)
  }
  ridges <- function(x, y, weights, ..., response = rep(1L, 12), start = 0:12, index = rep(0:5, 2)) {
    list(if (is.matrix(x)) list(x) else x, y, weights, msplit_options(nu = c(0.1, 1, 10), ...),
         list(response = response, start = start, index = index))
  }
  times <- list(c(0, 3), c(1, 2))
  known <- structure(list(center = numeric(6), scale = rep(1, 6), y_mean = 0, x = six, y = y, gram = crossprod(six)),
                     class = "msplit_rows")
  list(
    tall = path(x, y, weights),
    wide = path(example_matrix(n, 30), y, NULL, choose = "none", standardize = FALSE),
    lazy = path(example_matrix(n, 600), y, weights, loo = FALSE, nu = 2),
    twins = path(cbind(x, x[, 1:3]), y, NULL, nu = 5000, record = NULL),
    several = path(sparse, both, NULL, intercept = FALSE, record = NULL),
    times = path(x, both, NULL, times = list(c(0, 3), c(1, 2, 5))),
    kept = path(x, y, weights, kept = example_matrix(n, 2)),
    moments = moments(x),
    moments_units = moments(x, standardize = FALSE, nu = 5, choose = "ridge"),
    moments_times = moments(x, times = list(c(0, 3), 1:3 + 0)),
    moments_kept = moments(x, kept = 2),
    moments_twins = moments(cbind(x, x[, 1:2]), nu = 5000),
    own_ridge = ridges(x, y, weights, response = c(1L, 1L), start = c(0L, 0L, 2L), index = c(0L, 5L)),
    shared_ridges = ridges(x, both, NULL, response = rep(1:2, 6)),
    known_rows = ridges(known, y, NULL),
    # the kernel takes these weights and moments, which are not of one another, as they are
    many_rows = ridges(structure(list(x = x, gram = example_gram(x, y[, 1])), class = "msplit_many_rows"), y, weights,
                       response = c(1L, 1L), start = c(0L, 0L, 2L), index = c(0L, 5L)),
    shared_many_rows = ridges(structure(list(x = six, gram = example_gram(six, y[, 1])), class = "msplit_many_rows"), y,
                              NULL, loo = FALSE),
    wide_ridge = ridges(example_matrix(n, 30), y, NULL, standardize = FALSE, response = c(1L, 1L),
                        start = c(0L, 0L, 2L), index = c(0L, 5L)),
    moments_ridges = ridges(example_gram(x, y[, 1]), NULL, NULL),
    lbi_gram = lbi(six, y, weights),
    lbi_rows = lbi(wide, cbind(y, y^2), NULL, start = "zero"),
    lbi_binomial = lbi(six, classes[, 1, drop = FALSE], NULL, loss = "binomial", times = times),
    lbi_kept = lbi(six, classes, NULL, loss = "multinomial", kept = example_matrix(n, 2)),
    lbi_multinomial = lbi(sparse[, 1:6], classes, NULL, loss = "multinomial", start = "zero")
  )
})

shareboost_example <- function(...) {
  example_settings(list(
    rule = "orthogonal", standardize = "sd", intercept = TRUE, margin = 1, tol = 1e-6, threads = 1L, penalty = "ridge",
    ridge = 1e-3, sharpness = 5, max_steps = 4L, candidates = 0L, shortlist = 0L, keep = integer()
  ), "shareboost_settings", ...)
}

shareboost_calls <- local({
  n <- 24
  x <- example_matrix(n, 8)
  sparse <- Matrix::Matrix(x * (x > 0.3), sparse = TRUE)
  y <- rep(1:3, length.out = n)
  weights <- rep(c(0.5, 1.5), n / 2)
  draws <- abs(example_matrix(12, 1)[, 1]) * 0.99
  list(
    plain = list(list(x), y, NULL, NULL, shareboost_example(), NULL),
    sparse = list(list(sparse), y, weights, NULL, shareboost_example(threads = 2L, standardize = "max"),
                  NULL),
    groups = list(list(x), rep(1:2, n / 2), weights, rep(1:4, each = 2L),
                  shareboost_example(rule = "gradient", intercept = FALSE, keep = 2L), NULL),
    random = list(list(x), y, NULL, NULL,
                  shareboost_example(candidates = 3L, penalty = "l1", standardize = "none"), draws),
    line = list(list(x), y, weights, NULL, shareboost_example(rule = "line", penalty = "linf1"), NULL),
    column = list(list(x), y, NULL, NULL, shareboost_example(rule = "column", shortlist = 2L), NULL),
    full = list(list(x), y, NULL, NULL, shareboost_example(rule = "full", margin = 0), NULL),
    products = list(list(list(x, TRUE, TRUE)), y, weights, NULL, shareboost_example(threads = 2L), NULL),
    products_random = list(list(list(x, FALSE, FALSE)), y, NULL, NULL, shareboost_example(candidates = 3L), draws)
  )
})

shareboost_stumps_calls <- local({
  x <- round(example_matrix(24, 3), 1)
  order <- apply(x, 2, order)
  y <- rep(1:3, 8)
  list(
    orthogonal = list(x, order, y, NULL, shareboost_example(), NULL),
    random = list(x, order, y, rep(c(0.5, 1.5), 12),
                  shareboost_example(rule = "gradient", standardize = "max", candidates = 3L, keep = 2L),
                  abs(example_matrix(12, 1)[, 1]) * 0.99)
  )
})

shareboost_pieces_calls <- local({
  x <- example_matrix(24, 2)
  y <- rep(1:3, 8)
  list(
    orthogonal = list(x, list(center = x[c(1, 8, 15), ], radius = c(0.3, 0.7, 9)), y, rep(c(0.5, 1.5), 12),
                      shareboost_example(max_steps = 3L), NULL),
    random = list(x, list(center = x[c(1, 8, 15), ], radius = c(0.5, 2)), y, NULL,
                  shareboost_example(rule = "gradient", standardize = "max", max_steps = 2L, candidates = 4L),
                  abs(example_matrix(8, 1)[, 1]) * 0.99)
  )
})

entry_templates <- list(
  borrow = borrow_calls,
  borrow_alone = borrow_alone_calls,
  borrow_evidence = borrow_evidence_calls,
  held_domains = held_calls,
  held_squares = held_squares_calls,
  borrow_ratio = borrow_ratio_calls,
  borrow_others = borrow_others_calls,
  posterior = posterior_calls,
  borrow_features = borrow_features_calls,
  borrow_units = borrow_units_calls,
  borrow_variances = borrow_variances_calls,
  domain_variances = domain_variances_calls,
  moderated = list(list(abs(example_matrix(9, 4)), c(30, 2, 0, 8))),
  ridge_variance = list(list(c(4, 2), c(.1, 3), 5, 20)),
  domain_moments = domain_moments_calls,
  domain_sums = domain_sums_calls,
  least_squares = least_squares_calls,
  greedytl = greedytl_calls,
  laplace = local({
    x <- example_matrix(20, 3)
    of <- greedytl_example(rule = "transfer", source_scale = "common", keep = 2L, max_steps = 3L)
    shares <- rep(c(0, 1, .5, 1, 0), 4)
    list(
      columns = list(list(x, example_matrix(20, 2)), shares, rep(c(1, 2), 10), rep(.1, 20), rep(c(-1, 1), 10), FALSE,
                     of),
      rows = list(list(Matrix::Matrix(example_matrix(20, 30) > .5, sparse = TRUE) * 1), shares, rep(1, 20),
                  numeric(20), NULL, TRUE, of)
    )
  }),
  cut_sums = list(
    plain = list(example_matrix(20, 3), example_matrix(20, 2), NULL, example_matrix(20, 2), c(1, NA), 2, TRUE),
    weighted = list(example_matrix(20, 3), example_matrix(20, 2), rep(1, 20), NULL, NULL, 0, FALSE)
  ),
  inclusion = local({
    x <- example_matrix(40, 18)
    x <- x / rep(sqrt(colMeans(x^2)), each = 40)
    y <- x[, 2] + x[, 7]
    sums <- list(G = crossprod(x), c = crossprod(x, y)[, 1], yy = sum(y^2) + 1, n = 40, df = 39, most = 6,
                 log_prior = -2 * (0:6))
    list(free = list(sums, list(), c(10, 100), 20), started = list(sums, list(c(2L, 7L), integer(), 1:9), 30, 5))
  }),
  supports = local({
    rows <- function(r) list(Z = example_matrix(r, 3), y = example_matrix(r, 1)[, 1], l = as.double(r:1))
    target <- c(rows(4), list(U = example_matrix(5, 4) / 4, response = example_matrix(5, 1)[, 1], free = rep(.8, 5)))
    settings <- list(rest = 1, df = 8, most = 4, g = c(.1, 1), least_own = 1, t = c(0, 1), log_prior_t = log(c(.5, .5)),
                     chains = 2, burn = 2, sweeps = 6, swaps = 2, memory = 1e4, seed = c(.2, .7))
    list(several = list(list(target, rows(5)), target, settings), alone = list(list(target), target, settings))
  }),
  kernels = list(list("auto"), list("portable")),
  progress = list(list(NULL)),
  moments = moments_calls,
  msplit = msplit_calls,
  scores = list(
    one = list(example_matrix(9, 3), c(1, -2, 0.5), 1, 0L),
    several = list(example_matrix(9, 3), c(example_matrix(3, 6)), (1:6) / 2, c(5L, 0L, 2L, 2L))
  ),
  open_supports = list(
    several = list(
      list(response = c(1L, 1L, 2L), size = c(0L, 2L, 1L), index = c(0L, 3L, 1L), criterion = c(3, 1, NaN)), 2, 0.02
    ),
    one = list(
      list(response = rep(1L, 4), size = rep(1L, 4), index = c(2L, 0L, 2L, 0L), criterion = c(1, Inf, -2, 4)), 1, 1
    )
  ),
  standard_combination = list(list(standard_rows_call(), c(1, -2, 0.5))),
  standard_terms = list(list(standard_rows_call(), as.double(1:20), rep(c(0, 1), 10))),
  fences = list(all = list(example_matrix(20, 3), 1:3, 1:20, 3),
                some = list(example_matrix(20, 3), 2L, c(5L, 1L, 9L), 0)),
  far_out = list(all = list(example_matrix(20, 3), 1:20, 3), some = list(example_matrix(20, 3), c(5L, 1L, 9L), 0)),
  bounded = list(
    inside = list(example_matrix(20, 3), rep(-2, 3), rep(2, 3)),
    outside = list(replace(example_matrix(20, 3), 5, NaN), c(-2, -.1, -2), c(2, .2, Inf))
  ),
  spans = list(
    dense = list(list(example_matrix(20, 3)), 20, c(1L, 3L), NULL),
    sparse = list(list(Matrix::Matrix(example_matrix(20, 3) > 0.3, sparse = TRUE) * 1, example_matrix(20, 2)), 20,
                  1:5, NULL),
    groups = list(list(example_matrix(20, 3)), 20, 2L, rep(c(2L, 1L, 3L, 1L), 5))
  ),
  variance_posterior = variance_calls,
  sparse_average = list(list(crossprod(example_matrix(20, 9)), example_matrix(9, 1)[, 1], c(.1, 1), 9, 20)),
  spd_inverse = list(list(crossprod(example_matrix(40, 18))), list(diag(2, 1))),
  rows_kernel = rows_kernel_calls,
  spd_solve = spd_solve_calls,
  spd_squares = spd_squares_calls,
  used_rows = list(two = list(list(Matrix::Matrix(example_matrix(20, 3) > 1, sparse = TRUE) * 1,
                                   Matrix::Matrix(example_matrix(25, 2) > 1, sparse = TRUE) * 1)),
                   dense = list(list(example_matrix(20, 3)))),
  shape = list(list(list(a = 1:3, b = list("x", diag(2)), c = mtcars, d = quote(x + y), e = NULL,
                         f = Matrix::Matrix(example_matrix(20, 3), sparse = TRUE)))),
  stacked = list(list(list(
    list(a = 1:3, b = c(1, 2), c = NULL, d = "x"), list(a = 1:2, b = 7L, c = NULL, d = NA),
    list(a = integer(), b = numeric(), c = NULL, d = character())
  ))),
  subset = subset_calls,
  subset_both = subset_both_calls,
  subset_within = subset_within_calls,
  subset_models = subset_models_calls,
  form = form_calls,
  own_levels = own_levels_calls,
  shareboost = shareboost_calls,
  shareboost_pieces = shareboost_pieces_calls,
  shareboost_stumps = shareboost_stumps_calls,
  tgreedy = tgreedy_calls
)

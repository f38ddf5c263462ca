# The quadratic form of tlcp() and the models of its subsets, against their definitions (src/tlcp/form.h).

# Domains as moments, the last column one of ones, and a borrowing prior with variances of every coefficient.
form_case <- function(p, n_domains, tied = FALSE) {
  domains <- lapply(seq_len(n_domains), function(t) {
    x <- cbind(matrix(rnorm(20 * p), 20), 1)
    if (tied) x <- round(x)
    y <- rnorm(20)
    list(G = crossprod(x), g = drop(crossprod(x, y)), yy = sum(y^2), level = TRUE)
  })
  list(domains = domains, lam = runif(n_domains, .5, 2),
       prior = list(scales = runif(p + 1, .5, 2), common = exp(rnorm(p + 1)),
                    own = matrix(exp(rnorm((p + 1) * n_domains)), p + 1), k = 2))
}

# list(A, b, c0) of all coefficients, coordinates of a feature side by side.
naive_form <- function(case) {
  q <- length(case$prior$scales)
  n_domains <- length(case$domains)
  A <- matrix(0, q * n_domains, q * n_domains)
  b <- numeric(q * n_domains)
  for (t in seq_len(n_domains)) {
    at <- seq(t, by = n_domains, length.out = q)
    C <- diag(sqrt(case$prior$scales))
    A[at, at] <- case$lam[t] * C %*% case$domains[[t]]$G %*% C
    b[at] <- case$lam[t] * C %*% case$domains[[t]]$g
  }
  for (i in seq_len(q)) {
    at <- (i - 1) * n_domains + seq_len(n_domains)
    A[at, at] <- A[at, at] + solve(case$prior$common[i] + diag(case$prior$own[i, ], n_domains))
  }
  list(A = A, b = b, c0 = sum(case$lam * vapply(case$domains, `[[`, 0, "yy")))
}

naive_form_of_some <- function(form, stay) {
  go <- solve(form$A[-stay, -stay], cbind(form$A[-stay, stay], form$b[-stay]))
  last <- ncol(go)
  list(A = form$A[stay, stay] - form$A[stay, -stay] %*% go[, -last],
       b = form$b[stay] - drop(form$A[stay, -stay] %*% go[, last]), c0 = form$c0 - sum(form$b[-stay] * go[, last]))
}

test_that("the form is the penalised sum of squares, others' coefficients and levels minimised out", {
  set.seed(1)
  for (case in list(form_case(3, 3), form_case(1, 2), form_case(4, 2, tied = TRUE), form_case(2, 5))) {
    q <- length(case$prior$scales)
    n_domains <- length(case$domains)
    made <- function(support, prior = case$prior) .Call(C_form, case$domains, 1 / case$lam, prior, support)
    all <- naive_form(case)
    coef <- matrix(solve(all$A, all$b), q, byrow = TRUE)
    features <- seq_len((q - 1) * n_domains)
    for (support in list(NULL, "shared", "target")) {
      out <- made(support)
      expect_equal(out$status, 0)
      expect_equal((out$form$full %||% out$form)$coef, coef, tolerance = 1e-8)
    }
    shared <- made("shared")$form
    expect_equal(shared$full[c("A", "b", "c0")], all, tolerance = 1e-8)
    expect_equal(shared[c("A", "b", "c0")], naive_form_of_some(all, features), tolerance = 1e-8)
    # the target's precision and score do not depend on how the others are minimised out
    target <- made("target")
    wanted <- naive_form_of_some(all, seq(1, by = n_domains, length.out = q))
    expect_equal(target$form$full[c("A", "b")], wanted[c("A", "b")], tolerance = 1e-8)
    h <- 1 - diag(solve(target$form$A)) / (case$prior$common + case$prior$own[, 1])[-q]
    expect_equal(target$pen, 2 * h / (2 - h), tolerance = 1e-8)
    # couplings of the differences between domains may be given, too
    v <- seq_len(q) / 2
    given <- made("target", list(scales = case$prior$scales, v = v))
    difference <- diag(n_domains) - 1 / n_domains
    differing <- all
    for (i in seq_len(q)) {
      at <- (i - 1) * n_domains + seq_len(n_domains)
      differing$A[at, at] <- all$A[at, at] - tlcp_form_coupling(case$prior$common[i], case$prior$own[i, ]) +
        v[i] / 2 * difference
    }
    wanted <- naive_form_of_some(differing, seq(1, by = n_domains, length.out = q))
    expect_equal(given$form$full$A, wanted$A, tolerance = 1e-8)
    expect_equal(given$form$full$c0, wanted$c0, tolerance = 1e-8)
    expect_null(given$pen)
  }
})

test_that("models of subsets have levels and degrees of freedom as if the levels were columns", {
  set.seed(2)
  for (support in c("shared", "target")) {
    case <- form_case(4, 3)
    form <- .Call(C_form, case$domains, 1 / case$lam, case$prior, support)$form
    n_domains <- form$n_domains
    N <- length(form$b)
    H <- case$domains[[1]]$G * tcrossprod(sqrt(case$prior$scales)) * case$lam[1]
    J <- 0 * form$full$A
    mine <- c(seq(1, by = n_domains, length.out = 4), N + 1)
    J[mine, mine] <- H
    sets <- cbind(logical(4), c(TRUE, FALSE, TRUE, FALSE), !logical(4))
    out <- .Call(C_subset_models, form, sets, H)
    for (k in seq_len(ncol(sets))) {
      free <- c(which(rep(sets[, k], each = n_domains)), N + seq_len(n_domains))
      w <- replace(numeric(N + n_domains), free, solve(form$full$A[free, free], form$full$b[free]))
      expect_equal(out$w[, k], w, tolerance = 1e-8)
      expect_equal(out$df[k] + out$level, sum(solve(form$full$A[free, free]) * J[free, free]), tolerance = 1e-8)
    }
  }
})

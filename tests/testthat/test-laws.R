# What must stay the same, or change along, when the same data are written down differently: every law for every method.

# ---- the methods, each with what it uses of a problem

method <- function(fitter, y = "y", uses = character(), ..., tolerance = 1e-7, estimators = NULL) {
  if (is.null(names(uses))) names(uses) <- uses
  list(fitter = fitter, y = y, uses = uses, settings = in_control(list(...), fitter), tolerance = tolerance,
       estimators = estimators)
}

tgreedy_law <- function(..., tolerance = 1e-7) {
  method(tgreedy, uses = "domain", max_steps = 4, tolerance = tolerance, ...)
}
tlcp_law <- function(..., uses = c("domain", "target")) {
  method(tlcp, uses = uses, sizes = TRUE, guard = FALSE, tolerance = 1e-5, ...)
}
msplit_law <- function(..., nu = 2, choose = "none") {
  method(msplit, nu = nu, choose = choose, tolerance = 1e-5, estimators = c("dense", "sparse", "gamma"), ...)
}
odds_law <- function(...) method(greedytl, max_steps = 4, tolerance = 1e-5, ...)
shareboost_law <- function(...) method(shareboost, max_steps = 4, tol = 1e-11, ...)

law_methods <- list(
  "greedytl" = method(greedytl, uses = "sources", max_steps = 6),
  "greedytl, paper" = method(greedytl, uses = "sources", rule = "paper", max_steps = 6, tol = 0),
  "greedytl, lambda" = method(greedytl, uses = "sources", lambda = 0.1, max_steps = 6),
  "greedytl, two classes" = method(greedytl, "two", "sources", max_steps = 6),
  "greedytl, paper, two classes" = method(greedytl, "two", "sources", rule = "paper", max_steps = 6, tol = 0),
  "greedytl, any sign, two classes" = method(
    greedytl, "two", "sources", source_sign = "any", lambda = 0.1, max_steps = 6
  ),
  "greedytl, three classes" = method(greedytl, "three", max_steps = 3),
  "greedytl, log odds" = odds_law(y = "two", uses = "sources", family = "binomial"),
  "greedytl, log rates" = odds_law(y = "counts", family = "poisson"),
  "greedytl, log hazards" = odds_law(y = "times", uses = "sources"),
  "tgreedy" = tgreedy_law(),
  "tgreedy, t" = tgreedy_law(rule = "t"),
  "tgreedy, modt" = tgreedy_law(rule = "modt"),
  "tgreedy, greedy" = tgreedy_law(rule = "greedy"),
  "tgreedy, refit" = tgreedy_law(update = "refit"),
  "tgreedy, keep" = tgreedy_law(keep = c("x5", "x2")),
  "tgreedy, two classes" = tgreedy_law(y = "two"),
  "tgreedy, t, two classes" = tgreedy_law(y = "two", rule = "t"),
  "tgreedy, log hazards" = tgreedy_law(y = "times", tolerance = 1e-6),
  "tgreedy, greedy, log hazards" = tgreedy_law(y = "times", rule = "greedy", tolerance = 1e-6),
  "tlcp" = tlcp_law(),
  "tlcp, shared" = tlcp_law(support = "shared"),
  "tlcp, reml" = tlcp_law(uses = c(domain = "half", target = "target"), borrow = "reml"),
  "tlcp, plugin" = tlcp_law(borrow = "plugin", support = "shared"),
  "tlcp, none" = tlcp_law(borrow = "none"),
  "tlcp, cutoff" = tlcp_law(method = "cutoff", borrow = "plugin", support = "shared"),
  "tlcp, cutoff, few rows" = tlcp_law(uses = c(domain = "eight", target = "target"), method = "cutoff"),
  "tlcp, log rates" = tlcp_law(y = "counts", family = "poisson"),
  "tlcp, log hazards" = tlcp_law(y = "times", family = "cox"),
  "tlcp, BIC" = tlcp_law(criterion = "BIC", scales = FALSE),
  "tlcp, one domain" = method(tlcp, sizes = TRUE, tolerance = 1e-6),
  "msplit" = msplit_law(),
  "msplit, choice" = msplit_law(nu = NULL, choose = "evidence"),
  "msplit, keep" = msplit_law(keep = "x3"),
  "msplit, two classes" = msplit_law(y = "two"),
  "msplit, three classes" = msplit_law(y = "three"),
  "msplit, two responses" = msplit_law(y = "pair"),
  "shareboost" = shareboost_law(y = "three"),
  "shareboost, gradient" = shareboost_law(y = "three", rule = "gradient"),
  "shareboost, line" = shareboost_law(y = "three", rule = "line"),
  "shareboost, column" = shareboost_law(y = "three", rule = "column"),
  "shareboost, full" = shareboost_law(y = "three", rule = "full"),
  "shareboost, keep" = shareboost_law(y = "three", keep = c("x2", "x4")),
  "shareboost, two classes" = shareboost_law(y = "two"),
  "shareboost, gradient, two classes" = shareboost_law(y = "two", rule = "gradient")
)

# ---- the problems

# Problem 1 has independent columns, 2 correlated ones, 3 more columns than rows.
draw_problem <- function(seed) {
  n <- if (seed == 3) 24 else 60
  p <- if (seed == 3) 30 else 7
  with_seed(seed, {
    x <- draw_features(c("random", "correlated", "random")[[seed]], n, p)
    domain <- sample(rep_len(c("a", "b", "c", "a"), n))
    standard <- scale(x)
    k <- match(domain, letters)
    y <- drop(standard[, 1] - standard[, 3] + rnorm(3)[k] * standard[, 2] / 2) + rnorm(3)[k] + rnorm(n) / 2
    sources <- named_columns(rnorm(4 * n), n, "h") + y
    other <- standard[, 2] + standard[, 4] + rnorm(n)
    third <- ceiling(3 * rank(y + other + rnorm(n)) / n)
    rate <- exp(drop(scale(y)) / 2)
    list(
      x = x, y = y, domain = domain, half = sub("c", "b", domain), target = "a", sources = sources,
      eight = ifelse(seq_len(n) %% 6 == 1, "a", "b"), counts = rpois(n, 3 * rate),
      times = survival::Surv(round(rexp(n, rate), 2) + .01, rbinom(n, 1, .8)),
      weights = NULL, pair = cbind(first = y, second = other),
      two = factor(ifelse(y + rnorm(n) > median(y), "yes", "no")), three = factor(c("high", "low", "mid")[third]),
      new = list(x = named_columns(rnorm(12 * p), 12, "x"), sources = named_columns(rnorm(48), 12, "h"))
    )
  })
}

problems_of <- function(method) if (identical(method$fitter, tlcp)) 1:2 else 1:3

rows_of <- function(d, rows) {
  for (part in c("x", "sources", "pair")) d[[part]] <- d[[part]][rows, , drop = FALSE]
  parts <- c("y", "domain", "half", "eight", "two", "three", "counts", "times", "weights")
  for (part in parts) d[[part]] <- d[[part]][rows]
  d
}

fit_problem <- function(method, d) {
  uses <- stats::setNames(d[method$uses], names(method$uses))
  data <- c(list(d$x, d[[method$y]]), uses, list(weights = d$weights))
  suppressMessages(do.call(method$fitter, c(data, method$settings)))
}

# ---- what a fit says: of new rows at every step, and of its own steps

told_by <- function(method, fit, d) {
  ask <- function(...) {
    sources <- if ("sources" %in% method$uses) list(sources = d$new$sources)
    do.call(predict, c(list(fit, d$new$x, ...), sources))
  }
  points <- fit$points[fit$points$lambda %in% fit$points$lambda[1], ]
  at <- list(step = points$step, type = "link")
  if (nrow(points) < nrow(fit$points)) at$lambda <- points$lambda[1]
  scores <- if (is.null(method$estimators)) list(do.call(ask, at)) else {
    lapply(method$estimators, function(estimator) do.call(ask, c(at, estimator = estimator)))
  }
  # one class or response after the other, by name
  steps <- fit$steps
  of <- steps$class %||% steps$response %||% rep("", nrow(steps))
  steps <- steps[order(as.character(of), steps$step), setdiff(names(steps), "nodes")]
  list(
    scores = lapply(scores, in_order_of_names), default = in_order_of_names(ask()), best = fit$best,
    entered = in_order(as.character(steps$entered)),
    numbers = as.list(steps[vapply(steps, is.numeric, NA)]),
    domain_loss = if (!is.null(fit$domain_loss)) t(apply(fit$domain_loss, 1, sort))
  )
}

# Classes or responses, the second of three dimensions (of two where they have names), in one order.
in_order_of_names <- function(scores) {
  if (length(dim(scores)) == 3) return(scores[, order(dimnames(scores)[[2]]), , drop = FALSE])
  if (is.null(colnames(scores))) scores else scores[, order(colnames(scores)), drop = FALSE]
}

# `back` takes the scores of the changed problem to those of the first; `numbers` are the columns of steps that
# must be the same.
expect_same_told <- function(method, a, b, label, back = identity, numbers = names(a$numbers)) {
  expect_identical(b$entered, a$entered, label = label)
  expect_identical(b$best, a$best, label = label)
  if (!identical(a$entered, b$entered)) return(invisible())
  gaps <- c(scores = max(unlist(Map(function(one, other) gap(back(other), one), a$scores, b$scores))))
  if (is.factor(a$default)) {
    expect_identical(as.character(b$default), as.character(a$default), label = label)
  } else {
    gaps["default"] <- gap(back(b$default), a$default)
  }
  for (column in intersect(numbers, names(a$numbers))) {
    gaps[column] <- na_gap(b$numbers[[column]], a$numbers[[column]])
  }
  if (!is.null(a$domain_loss) && "loss" %in% numbers) gaps["domains"] <- gap(b$domain_loss, a$domain_loss)
  expect_gaps(gaps, method$tolerance, label)
}

# ---- the laws

# `change` takes a problem to one that says the same; `no` matches the names of the methods it does not hold for, and
# `weighted` problems have weights.
law <- function(change, back = identity, numbers = NULL, no = "^$", weighted = FALSE) {
  list(change = change, back = back, numbers = numbers, no = no, weighted = weighted)
}

shuffled <- function(size) with_seed(size, sample(size))
of_columns <- function(d, change) {
  d$x <- change(d$x)
  d$new$x <- change(d$new$x)
  d
}
of_sources <- function(d, change) {
  d$sources <- change(d$sources)
  d$new$sources <- change(d$new$sources)
  d
}
units <- function(x) x * rep(rep_len(c(1000, -1, 1, 1e-3, 1, -2, -50), ncol(x)), each = nrow(x))
likelihoods <- "log (odds|rates|hazards)" # their weights are counts of rows
numeric_only <- paste0("classes|^shareboost|", likelihoods)
fit_only <- c("loss", "rss", "size", "gain")

laws <- list(
  "the order of rows" = law(function(d) rows_of(d, shuffled(length(d$y))), weighted = TRUE),
  "the order of columns and of sources" = law(weighted = TRUE, function(d) {
    d <- of_columns(d, function(x) x[, shuffled(ncol(x))])
    of_sources(d, function(h) h[, c(3, 1, 4, 2)])
  }),
  "the unit and the sign of a feature" = law(function(d) of_columns(d, units), numbers = fit_only),
  "the origin of a feature" = law(function(d) of_columns(d, function(x) x + 3), no = "shareboost, .*(gr|li|co|fu)"),
  "the unit, the sign and the origin of the response" = law(
    function(d) {
      d$y <- 1e4 - 1000 * d$y
      d$pair <- 1e4 - 1000 * d$pair
      of_sources(d, function(h) 3 - 1000 * h) # predictions are in the unit of the response
    },
    back = function(scores) (1e4 - scores) / 1000, numbers = "size", no = numeric_only
  ),
  "the common unit of the sources" = law(
    # by evidence the mean of the sources counts in the unit of the response
    function(d) of_sources(d, function(h) 40 * h - 7), numbers = fit_only, no = "^(?!greedytl, (paper|lambda|any))"
  ),
  "the origin of the sources" = law(
    function(d) of_sources(d, function(h) h - 7), numbers = fit_only, no = paste0("^(?!greedytl)|", likelihoods)
  ),
  "which of two classes is the first" = law(
    function(d) {
      d$two <- factor(d$two, levels = rev(levels(d$two)))
      of_sources(d, function(h) -h)
    },
    back = function(scores) -scores, numbers = c("loss", "size"), no = "^(?!.*two classes)|any sign"
  ),
  "which of two classes is the first, with sources of any sign" = law(
    function(d) replace(d, "two", list(factor(d$two, levels = rev(levels(d$two))))),
    back = function(scores) -scores, numbers = c("loss", "size"), no = "^(?!.*any sign)"
  ),
  "the order of classes, and levels without rows" = law(
    function(d) replace(d, "three", list(factor(d$three, levels = c("mid", "none", "low", "high")))),
    no = "^(?!.*three classes|shareboost)|two classes"
  ),
  "the order of responses" = law(
    function(d) replace(d, "pair", list(d$pair[, 2:1])), no = "^(?!.*two responses)"
  ),
  "the names and the order of domains" = law(no = "^(?!tgreedy|tlcp)", function(d) {
    rename <- c(a = "r", b = "z", c = "k")
    d$domain <- factor(rename[d$domain], levels = c("z", "none", "r", "k"))
    d$half <- factor(rename[d$half], levels = c("z", "r"))
    d$eight <- unname(rename[d$eight])
    d$target <- "r"
    d
  }),
  "a constant column" = law(numbers = fit_only, function(d) {
    d <- of_columns(d, function(x) cbind(k = 1, x, l = -3))
    of_sources(d, function(h) cbind(h, m = 0))
  }),
  "the sum of the weights" = law(
    function(d) replace(d, "weights", list(10 * d$weights)), weighted = TRUE, no = likelihoods
  ),
  "weights that are all the same" = law(
    function(d) replace(d, "weights", list(rep(4, length(d$y)))), no = likelihoods
  ),
  "rows of weight zero" = law(weighted = "zero", function(d) rows_of(d, d$weights > 0)),
  "rows written as often as they weigh" = law(
    weighted = TRUE, numbers = "loss", no = "^greedytl(?!, lambda)|^tlcp|choice|hazards",
    function(d) replace(rows_of(d, rep(seq_along(d$y), d$weights)), "weights", list(NULL))
  ),
  "every row twice" = law(
    function(d) rows_of(d, rep(seq_along(d$y), 2)), numbers = "loss", no = "^greedytl(?!, lambda)|^tlcp|choice|hazards"
  )
)

expect_law <- function(law, name, seed) {
  method <- law_methods[[name]]
  d <- draw_problem(seed)
  if (!isFALSE(law$weighted)) d$weights <- rep_len(c(2, 1, 3, if (law$weighted == "zero") 0), length(d$y))
  a <- told_by(method, fit_problem(method, d), d)
  other <- law$change(d)
  b <- told_by(method, fit_problem(method, other), other)
  expect_same_told(method, a, b, paste(name, seed), law$back, law$numbers %||% names(a$numbers))
}

for (name in names(laws)) {
  test_that(paste(name, "does not matter"), {
    law <- laws[[name]]
    for (method in grep(law$no, names(law_methods), invert = TRUE, value = TRUE, perl = TRUE)) {
      for (seed in problems_of(law_methods[[method]])) expect_law(law, method, seed)
    }
  })
}

# ---- one fit, asked or made in several ways

# Every method with the fit of its first problem.
each_method <- function(code, methods = names(law_methods)) {
  for (name in methods) {
    method <- law_methods[[name]]
    d <- draw_problem(1)
    code(method, d, fit_problem(method, d), name)
  }
}

test_that("matrix, integers, data frame, sparse matrix and formula give one fit", {
  each_method(function(method, d, fit, name) {
    d <- of_columns(d, function(x) round(3 * x))
    a <- told_by(method, fit_problem(method, d), d)
    expect_same_x <- function(x) {
      expect_same_told(method, a, told_by(method, fit_problem(method, replace(d, "x", list(x))), d), name)
    }
    integers <- d$x
    storage.mode(integers) <- "integer"
    expect_same_x(integers)
    expect_same_x(as.data.frame(d$x))
    expect_same_x(methods::as(d$x, "CsparseMatrix"))
    if ("sources" %in% method$uses) {
      thin <- of_sources(d, round)
      sparse <- replace(thin, "sources", list(methods::as(thin$sources, "CsparseMatrix")))
      thin <- told_by(method, fit_problem(method, thin), d)
      expect_same_told(method, thin, told_by(method, fit_problem(method, sparse), d), name)
    }
    if (method$y == "pair") return()
    data <- data.frame(response = d[[method$y]], d$x, where = d[[c(method$uses, domain = "domain")[["domain"]]]])
    bare <- as.list(c(
      if ("domain" %in% names(method$uses)) c(domain = quote(where)),
      d[setdiff(names(method$uses), "domain")]
    ))
    call <- as.call(c(list(method$fitter, response ~ . - where, data = quote(data)), bare, method$settings))
    expect_same_told(method, a, told_by(method, suppressMessages(eval(call)), d), name)
  })
})

test_that("columns of new data are found by name, and others are ignored", {
  each_method(function(method, d, fit, name) {
    rownames(d$new$x) <- paste("new", seq_len(nrow(d$new$x)))
    a <- told_by(method, fit, d)
    d$new$x <- cbind(more = 1, d$new$x[, 7:1])
    d$new$sources <- cbind(d$new$sources[, 4:1], other = NA)
    expect_identical(told_by(method, fit, d), a, label = name)
    d$new$x <- as.data.frame(d$new$x)
    expect_identical(told_by(method, fit, d), a, label = name)
  })
})

test_that("a fit that was saved and read back says the same", {
  each_method(function(method, d, fit, name) {
    back <- unserialize(serialize(fit, NULL))
    expect_identical(told_by(method, back, d), told_by(method, fit, d), label = name)
  })
})

test_that("a fit leaves the data and the random numbers as they are, and comes again", {
  each_method(function(method, d, fit, name) {
    with_seed(1, {
      before <- list(.Random.seed, draw_problem(1))
      again <- fit_problem(method, d)
      expect_identical(list(.Random.seed, d), before, label = name)
    })
    expect_identical(told_by(method, again, d), told_by(method, fit, d), label = name)
  })
})

test_that("several threads give the same fit to the last bit", {
  # so many that the kernels share them out
  wide <- with_seed(4, named_columns(rnorm(60 * 1700), 60, "x"))
  each_method(methods = grep("^tlcp", names(law_methods), invert = TRUE, value = TRUE), function(method, d, fit, name) {
    d$x <- cbind(d$x, wide[, -(1:7)])
    d$new$x <- d$x[1:5, ]
    d$new$sources <- d$sources[1:5, ]
    one <- told_by(method, fit_problem(method, d), d)
    old <- options(transelect.threads = 2)
    on.exit(options(old))
    expect_identical(told_by(method, fit_problem(method, d), d), one, label = name)
  })
})

test_that("neither the order of rows nor the names of given folds matter to cross-validation", {
  methods <- c("greedytl", "tgreedy", "tlcp, one domain", "msplit", "shareboost")
  each_method(methods = methods, function(method, d, fit, name) {
    foldid <- rep_len(1:4, 60)
    run <- function(d, foldid) {
      d$weights <- rep_len(1:3, 60)
      arguments <- c(list(d$x, d[[method$y]], method$fitter, foldid = foldid), d[method$uses], method$settings)
      suppressMessages(do.call(cv_path, arguments))
    }
    a <- run(d, foldid)
    rows <- shuffled(60)
    b <- run(rows_of(d, rows), c("z", "k", "b", "u")[foldid][rows])
    expect_identical(b$index, a$index, label = name)
    expect_close(b$cvm, a$cvm, 1e-7, name)
    expect_close(b$cvsd, a$cvsd, 1e-7, name)
  })
})

test_that("moments give the fit of the rows", {
  methods <- grep("^(tgreedy|tlcp)(?!.*(classes|reml|few|log))", names(law_methods), value = TRUE, perl = TRUE)
  each_method(methods = methods, function(method, d, fit, name) {
    m <- moments(d$x, d$y, domain = if (length(method$uses)) d$domain)
    rest <- d[setdiff(method$uses, "domain")]
    other <- suppressMessages(do.call(method$fitter, c(list(m), rest, method$settings)))
    expect_same_told(method, told_by(method, fit, d), told_by(method, other, d), name)
  })
})

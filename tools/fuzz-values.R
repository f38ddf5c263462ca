# What the fuzz of the exported functions draws from: a case of data, and expressions of it for each argument.

# The data of a call, of a random size and kind, and what is made of them: a promise each, so that
# a call pays for what it uses.
make_case <- function() {
  n <- sample(c(1, 2, 3, 6, 12, 24, 40), 1, prob = c(1, 1, 1, 2, 6, 8, 4))
  p <- sample(c(1, 2, 4, 7, 15), 1)
  case <- new.env()
  within_case <- function(code) eval(substitute(code), case)
  case$x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("x", seq_len(p))))
  case$y <- case$x[, 1] + rnorm(n)
  kind <- sample(c("plain", "plain", "plain", "tied", "twins", "constant", "huge", "tiny", "far"), 1)
  case$x <- switch(kind,
    tied = round(case$x), twins = case$x[, rep_len(1:2, p) %% p + 1, drop = FALSE],
    constant = case$x * rep(runif(p) < 0.7, each = n), huge = case$x * 1e150,
    tiny = case$x * 1e-160, far = case$x + 1e9, case$x
  )
  colnames(case$x) <- paste0("x", seq_len(p))
  if (runif(1) < 0.1) case$y <- case$y * 10^sample(c(-300, -160, 155, 300), 1)
  if (runif(1) < 0.05) case$x[sample(n * p, 1)] <- sample(c(NA, NaN, Inf), 1)
  case$two <- factor(ifelse(seq_len(n) %% 2 == 0, "no", "yes"))
  case$three <- factor(rep_len(c("low", "mid", "high"), n))
  case$domain <- sample(rep_len(letters[1:3], n))
  case$w <- sample(1:3, n, replace = TRUE)
  case$zero <- rep_len(c(0, 1, 2), n)
  case$foldid <- rep_len(1:3, n)
  case$h <- matrix(rnorm(3 * n), n, dimnames = list(NULL, c("h1", "h2", "h3"))) + case$y
  within_case({
    data <- data.frame(y = y, two = two, three = three, domain = domain, w = w, x)
    new <- data[rep_len(seq_len(nrow(data)), 3), ]
    data$site <- factor(rep_len(c("u", "v", "w"), nrow(data)))
    new$site <- factor("v", levels(data$site))
    delayedAssign("sparse", methods::as(x, "CsparseMatrix"))
    delayedAssign("pair", cbind(first = y, second = rev(y)))
    delayedAssign("models", list(one = function(newdata) newdata[, 1], two = function(newdata) 0))
    delayedAssign("m", moments(x, y, domain = domain))
    delayedAssign("folded", moments(x, y, domain = domain, fold = foldid))
    prototypes <- matrix(rnorm(4 * ncol(x)), 4, dimnames = list(NULL, colnames(x)))
  })
  case
}

# First arguments by class: of the methods of this class, and of those of its parents.
objects <- list(
  formula = alist(y ~ ., two ~ x1, three ~ . - y, log(y^2) ~ x1 + site, y ~ x1 * site - 1, y ~ 1, ~x1,
                  y ~ x1 + offset(w), cbind(y, w) ~ x1, y ~ nothing),
  moments = alist(m, folded, m["a"]),
  transfer_path = alist(greedytl(x, y), greedytl(x, two, sources = h), greedytl(x, three, rule = "paper"),
                        greedytl(x, y, sources = models), greedytl(y ~ ., data), greedytl(m),
                        greedytl(x, y, lambda = c(1, .1))),
  tgreedy = alist(tgreedy(x, y, domain), tgreedy(x, two, domain, rule = "t"),
                  tgreedy(x, three, domain, rule = "greedy"), tgreedy(m)),
  tlcp = alist(tlcp(x, y, domain = domain, target = "a"), tlcp(x, y), tlcp(y ~ x1 + site, data),
               tlcp(x, y, domain = domain, target = "b", method = "cutoff"), tlcp(m, target = "a")),
  msplit = alist(msplit(x, y), msplit(x, pair), msplit(x, three), msplit(x, two, loss = "binomial"),
                 msplit(x, y, nu = c(1, 5), choose = "none"),
                 msplit(y ~ x1 + site, data, control = msplit_control(nt = 5))),
  shareboost = alist(shareboost(x, three), shareboost(x, two), shareboost(three ~ ., data),
                     shareboost(stumps(x), three, max_steps = 2)),
  transfer_cv = alist(cv_path(x, y, foldid = foldid), cv_path(x, three, fit = shareboost, foldid = foldid),
                      cv_path(x, y, fit = tgreedy, domain = domain), cv_path(folded, fit = tgreedy),
                      cv_path(x, y, fit = msplit, foldid = foldid)),
  zero_shot = alist(zero_shot(x, h, prototypes)),
  transfer_dissimilarity = alist(dissimilarity(x, y, domain, target = "a"), dissimilarity(m, target = "b")),
  path_comparison = alist(compare_paths(cv_path(x, y, foldid = foldid),
                                        cv_path(x, y, fit = msplit, foldid = foldid))),
  stumps = alist(stumps(x)), pieces = alist(pieces(x, centers = 2, radii = 2)),
  products = alist(products(x, singles = TRUE)), feature_map = alist(stumps(x)),
  transfer_sources = alist(sources(h), sources(models)), summary.msplit = alist(summary(msplit(x, y))),
  summary.tlcp = alist(summary(tlcp(x, y))), summary.transfer_path = alist(summary(greedytl(x, y))),
  summary.transfer_cv = alist(summary(cv_path(x, y, foldid = foldid))),
  transfer_control = alist(tlcp_control(units = "own"), greedytl_control(), msplit_control(nt = 5))
)

# Expressions that an argument may be, in one function or another. Choices among strings are read from the functions.
numbers <- alist(0, 1, 2, .5, 10, 1e-3)
counts <- alist(0, 1, 2, 3, 5)
flags <- alist(TRUE, FALSE)
fits <- unlist(objects[c("transfer_path", "tgreedy", "tlcp", "msplit", "shareboost")], recursive = FALSE)
cvs <- objects$transfer_cv
columns <- alist("x1", 1, c("x1", "x2"), 1:2, -1)
arguments <- list(
  x = alist(x, x, x, sparse, data, as.data.frame(x), x[, 1], stumps(x), pieces(x, 3, 2), products(x)),
  y = alist(y, y, two, three, as.character(three), y > 0, pair, w, y ~ x1, m, Sys.Date() + w, as.integer(two)),
  data = alist(data, data, data, data[1:2, ], as.list(data), x, environment()),
  formula = objects$formula, formula. = alist(. ~ . - x1, log(.) ~ ., y ~ .),
  domain = alist(domain, domain, domain, factor(domain), w, "a", NULL, "domain", c("a", "b"), rev(domain)),
  fold = alist(foldid, "w"), class = alist(three, domain, "low", "a", c("low", "mid")),
  weights = alist(w, w, zero, 0 * w, rep(1, length(y)), "w", -w),
  sources = alist(h, h, models, lm(y ~ x1, data), new[1:3], NULL, list(mean, 1), sources(models), h[0, ]),
  subset = alist(w > 1, 1:3, x1 > 0, FALSE), na.action = alist(na.omit, na.exclude, na.fail, na.pass),
  newdata = alist(new, new[ncol(new):1], x, sparse, new["x1"], x[0, ], NULL, transform(new, x1 = "a")),
  fit = alist(greedytl, tgreedy, tlcp, msplit, shareboost, lm, function(x, ...) tlcp(x, ..., borrow = "none")),
  step = alist(0, 1, 2, "min", "1se", "best", "average", NULL, 0:2, 99), t = alist(0, 1, 1e3), k = numbers,
  lambda = alist(NULL, 1, .1, c(1, .1), 1L, 0), nu = alist(NULL, 1, 5, .1, c(1, 10)),
  type = alist("response", "link", "class", "prob", "coefficients", "nonzero", "distance"),
  estimator = alist("dense", "sparse", "gamma"), response = alist("first", 1, 2, "classes"),
  what = alist("path", "loss", "coef", "signals", "criterion", "roc"), measure = alist("loss", "auroc"),
  target = alist("a", "b", "a", "z", NULL), method = alist("exact", "cutoff", "sql", "stream"),
  rule = alist("paper", "gradient", "full", "greedy"), ridge = alist("evidence", 1, c(features = 1, sources = 2), 1e-4),
  max_steps = alist(0, 1, 2, 5, 99), tol = alist(0, 1e-6, 1), keep = columns, drop = columns, candidates = counts,
  class_weights = alist(c(yes = 1, no = 2), "balanced", NULL, 1:3), source_scale = alist("common", "unit", "none", 2),
  source_sign = alist("any", "positive"), standardize = flags, intercept = flags, signed = flags, repeats = flags,
  stop = alist("path", "p", "gain", "bound", "cv", "none", FALSE, TRUE), alpha = alist(.05, .5, 1, 1e-3),
  delta = alist(.05, .5),
  unlabelled = alist(list(x = x, domain = domain), x, NULL), borrow = alist("hierarchical", "reml", "plugin", "none"),
  support = alist("shared", "own", "any"), criterion = alist("Cp", "AIC", "BIC", 3), select = flags,
  sizes = alist(TRUE, 2, 0:2, FALSE),
  scales = flags, guard = flags, sigma2 = alist(1, c(a = 1, b = 2, c = 1), NULL), max_nodes = alist(1, 10, Inf),
  max_seconds = alist(1, 60, Inf, 0),
  loss = alist("mse", "mae", "class", "auroc", "deviance", "balanced", "binomial", "multinomial", "gaussian"),
  t_ratio = alist(2, 10, 100), nt = alist(1, 5, 20), choose = alist("none", "loo", "classes"),
  kappa = alist(2, 10, 100),
  record = alist("path", TRUE, 3), penalty = alist("ridge", "l1", "linf1"), sharpness = numbers,
  groups = alist(rep_len(1:2, ncol(x)), factor(colnames(x)), NULL), shortlist = counts, margin = numbers,
  nfolds = alist(2, 3, 5, 1), foldid = alist(foldid, foldid, domain, NULL),
  by = alist("rows", "domain", "tau", "borrowed"),
  parallel = flags, keep_predictions = flags, draws = alist(1, 10, 0), decreasing = flags, sparse = flags,
  digits = alist(1, 3, 7, 0), n = alist(3, 0, 20, 100), label = alist(TRUE, FALSE, "x1"), top_n = counts,
  scaled = flags,
  truth = alist(1, "x1", rep(1, ncol(x)), y), matrix = flags, threshold = numbers, return_zeros = flags,
  error = alist(.1, .5, 0),
  i = alist("a", 1, c("a", "c"), -1, TRUE, "z"), chunk_rows = alist(1, 7, 1000), table = alist("data", NULL),
  levels = alist(list(site = c("u", "v"))),
  sql_only = flags, centers = alist(1, 3, 100, x, x[1, , drop = FALSE]), radii = alist(1, 3, c(.5, 2)),
  predict = alist(function(model, newdata) newdata[, 1], NULL), evaluate = flags, row.names = alist(NULL),
  optional = flags,
  beta = alist(1, c(1, 0, -.5), 0), sigma = alist(1, c(1, 2), .1), m = alist(5, 20), lam = numbers, v = numbers,
  pen = alist(1, 2, NULL),
  power = alist(.9, .5, .05), quantile = alist(.95, .5), confidence = alist(.95, .5),
  n_domains = alist(1, 2, 5), p = alist(1, 3, 20), shared = alist(c(1, -1), 1), spread = alist(.3, 0, 1:3),
  imbalance = alist(0, .5, 1),
  correlation = alist(0, .5, 1, -.5), shift = numbers, noise = numbers, n_pairs = alist(1, 10, 0),
  classes = alist(c("low", "mid"), "low", 1:2), embeddings_source = alist(x, x[1:2, ]),
  embeddings_target = alist(h, h[, 1, drop = FALSE], x),
  prototypes_source = alist(prototypes, x), matching = flags, object = fits, fits = cvs,
  start = alist("ridge", "zero"), update = alist("refit", "stagewise"), units = alist("own", "common", "evidence"),
  fences = flags, distance = numbers, collinear = alist(.01, 0, 1),
  dispersion = alist(1, "estimated", "pearson", c(a = 1, b = 2)),
  control = alist(tlcp_control(), list(), tgreedy_control(stop = "cv"), tlcp_control)
)

# Values that are wrong for nearly every argument.
strangers <- alist(
  NULL, TRUE, NA, NA_character_, 1L, 0, -1, 1.5, NaN, Inf, -Inf, 1e300, 1e-300, 2^31, -2^53, "a", "", character(0),
  numeric(0),
  c(a = 1, b = 2), 1i, raw(2), list(), list(1, "a"), quote(a), quote(f(x)), mean, globalenv(), matrix(1, 2, 2),
  factor("a"), a ~ b,
  Sys.Date(), data.frame(), data.frame(l = I(list(1, 2))), array(1, c(2, 2, 2)),
  structure(1e-320, class = "integer64"), as.table(x),
  matrix("a", 2, 2), table(w), expression(a), c(1, NA, 3), letters, methods::as(diag(2) > 0, "CsparseMatrix")
)

# An expression of a value with one thing wrong; `.` is the value.
spoilers <- alist(
  rev(.), .[-1], c(., .), as.list(.), as.character(.), unname(.), replace(., 1, NA), replace(., 1, Inf), . * 1e300,
  . * 1e-300, .[0],
  as.factor(.), as.integer(.), -1 * ., t(.), .[, 0], .[rep(1, 4), ], cbind(., .), setNames(., NULL), as.raw(1),
  rep(., 1000), I(.), .[c(TRUE, NA)]
)

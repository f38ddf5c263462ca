# The sums over columns are compiled for several instruction sets, of which one is chosen when the
# package is loaded: whichever it is, the fits are the same up to rounding.

# A search of several nodes: its bounds are refined, and groups decided.
hard_search <- function(width) {
  found <- search_subset(subset_problem(11, "correlated", 14, width, noise = 4))
  expect_gt(found$nodes, 2)
  found[c("value", "in")]
}

kernel_fits <- function() {
  d <- draw_classes(3, 4, n = 61, p = 9)
  y <- d$x[, 1] - d$x[, 2] / 2 + cos(seq_len(61))
  domain <- rep_len(1:3, 61)
  broad <- named_columns(sin(outer(1:61, 1:60)), 61, "b")
  wide <- d$x[1:7, ] # fewer rows than a vector has numbers
  list(
    greedytl = as.matrix(greedytl(d$x, y, unname(d$x[, 1:3]) + sin(1:61), weights = d$weights)$beta),
    several = lapply(greedytl(d$x, d$y)$beta, as.matrix),
    sparse = as.matrix(greedytl(as(d$x, "CsparseMatrix"), y)$beta),
    tgreedy = as.matrix(tgreedy(d$x, y, domain = domain, weights = d$weights)$beta),
    classes = as.matrix(tgreedy(d$x, factor(d$y == "a"), domain = domain)$beta),
    tlcp = as.matrix(tlcp(d$x, y, domain = domain, target = 1)$beta),
    iss = as.matrix(msplit(d$x, y, nu = c(1, 5))$beta),
    lbi = as.matrix(msplit(d$x, y, method = "lbi", control = msplit_control(nt = 5, t_ratio = 5))$beta),
    logit = lapply(msplit(d$x, d$y, loss = "multinomial",
                          control = msplit_control(nt = 4, t_ratio = 4))$beta, as.matrix),
    shareboost = lapply(shareboost(d$x, d$y, weights = d$weights,
                                   control = shareboost_control(tol = 1e-9))$beta, as.matrix),
    line = lapply(shareboost(d$x, d$y, rule = "line", max_steps = 3,
                             control = shareboost_control(tol = 1e-9))$beta, as.matrix),
    stumps = shareboost(stumps(d$x), d$y, max_steps = 5, control = shareboost_control(tol = 1e-9))$steps$loss,
    shared = as.matrix(coef(greedytl(cbind(d$x, broad), y, max_steps = 10))),
    few = as.matrix(greedytl(wide, y[1:7])$beta),
    moments = moments(d$x, y, domain)$cross,
    searched = lapply(1:3, hard_search)
  )
}

test_that("every instruction set that runs here gives the same fits", {
  on.exit(.Call(C_kernels, "auto"))
  best <- .Call(C_kernels, "auto")
  expect_true(best %in% c("portable", "avx2", "avx512"))
  expect_identical(.Call(C_kernels, "none such"), NA_character_)
  expect_identical(.Call(C_kernels, "portable"), "portable")
  portable <- kernel_fits()
  for (name in c("avx2", "avx512")) {
    chosen <- .Call(C_kernels, name)
    if (is.na(chosen)) next # this processor has it not
    expect_identical(chosen, name)
    fits <- kernel_fits()
    for (what in names(fits)) {
      expect_equal(fits[[what]], portable[[what]], tolerance = 1e-6, label = paste(name, what))
    }
  }
  expect_identical(.Call(C_kernels, "auto"), best)
})

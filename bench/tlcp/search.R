# Times of the exact search of tlcp(), beside those of other programs, and of its estimates. Only
# definitions.

yes_no <- function(true) if (is.na(true)) "" else if (true) "yes" else "NO"

# ---- problems ---------------------------------------------------------------------------------

# T domains of n rows each: columns independent or AR(rho), every other coefficient 1, normal noise.
subset_problem <- function(p, domains = 1, rho = 0, sd = 20, n = 500, seed = 1) {
  set.seed(seed)
  one <- function(problem) {
    x <- matrix(stats::rnorm(n * p), n)
    for (j in seq_len(p)[-1]) x[, j] <- rho * x[, j - 1] + sqrt(1 - rho^2) * x[, j]
    list(x = x, y = drop(x %*% rep_len(1:0, p)) + sd * stats::rnorm(n))
  }
  all <- lapply(seq_len(domains), one)
  list(x = do.call(rbind, lapply(all, `[[`, "x")), y = unlist(lapply(all, `[[`, "y")),
       domain = rep(seq_len(domains), each = n), domains = domains, sd = sd)
}

# House prices near Boston: z-scores, their squares and products; the first p of these columns.
boston_problem <- function(p) {
  x <- scale(as.matrix(MASS::Boston[1:13]))
  pairs <- utils::combn(13, 2)
  x <- cbind(x, x[, -4]^2, x[, pairs[1, ]] * x[, pairs[2, ]])[, seq_len(p)]
  list(x = unname(x), y = MASS::Boston$medv, domains = 1)
}

furnace_problem <- function() {
  a <- as.matrix(furnace_set()$domains[[1]])
  list(x = unname(a[, -1]), y = a[, 1], domains = 1)
}

# One domain: Cp. Several: the paper's objective with given weights, in units of the noise.
search_subset <- function(problem, sizes = FALSE) {
  if (problem$domains == 1) return(tlcp(problem$x, problem$y, sizes = sizes))
  variance <- problem$sd^2
  tlcp(problem$x, problem$y, domain = problem$domain, target = 1,
       control = tlcp_control(support = "shared"), sizes = sizes,
       standardize = FALSE,
       borrow = list(lam = rep(1 / variance, problem$domains), v = 4 / variance, pen = 2 * problem$domains))
}

# ---- other programs ---------------------------------------------------------------------------

# One domain each. lmSelect: optimum of AIC (its criteria take the log of the residual sum of
# squares; a criterion given as a function is ten times slower); leaps, lmSubsets: all sizes;
# bestglm calls leaps.
subset_peers <- list(
  "lmSubsets::lmSelect, AIC" = function(x, y) {
    lmSubsets::lmSelect_fit(cbind(1, x), y, include = 1, penalty = "AIC")
  },
  "lmSubsets::lmSubsets" = function(x, y) lmSubsets::lmSubsets_fit(cbind(1, x), y, include = 1),
  "leaps::regsubsets" = function(x, y) {
    leaps::regsubsets(x, y, nvmax = ncol(x), really.big = TRUE)
  },
  "bestglm::bestglm, AIC" = function(x, y) {
    bestglm::bestglm(data.frame(x, y), IC = "AIC", TopModels = 1, nvmax = ncol(x))
  }
)

no_run <- list(seconds = NA_real_)

# Seconds, the best of several runs where one is short, and the subset found; NA where the package is not
# installed.
run_peer <- function(peer, problem) {
  if (!installed(sub("::.*", "", peer))) return(no_run)
  run <- function() subset_peers[[peer]](problem$x, problem$y)
  before <- now()
  found <- run()
  seconds <- now() - before
  if (seconds < 1) seconds <- timed(run, budget = .3, least = 1)[["best"]]
  list(seconds = seconds, found = found)
}

# Residual sum of squares of columns and an intercept.
subset_rss <- function(problem, columns) {
  sum(stats::lm.fit(cbind(1, problem$x[, columns, drop = FALSE]), problem$y)$residuals^2)
}

# Does lmSelect's subset have the residual sum of squares that tlcp() has at that size?
agrees_with_lmselect <- function(problem, found) {
  columns <- which(unlist(found$subset[1, ])[-1])
  steps <- search_subset(problem, sizes = TRUE)$steps
  ours <- steps$rss[match(length(columns), steps$size)]
  abs(ours / subset_rss(problem, columns) - 1) < 1e-9
}

# ---- the optimum of the criterion -------------------------------------------------------------

# prototype: seconds of an earlier program; lmselect: of lmSelect beside it; peers: those of
# subset_peers that end soon.
search_case <- function(what, make, prototype, lmselect = NA, peers = character(), seeds = 1:9) {
  list(what = what, make = make, prototype = prototype, lmselect = lmselect, peers = peers,
       seeds = seeds)
}

simulated_case <- function(p, domains, rho, prototype, lmselect = NA, peers = character(), sd = 20,
                           n = 500) {
  design <- if (rho) paste0("AR(", rho, ")") else "independent"
  what <- paste0("T = ", domains, ", p = ", p, ", ", design, if (sd != 20) paste0(", sd ", sd))
  make <- function(seed) subset_problem(p, domains, rho, sd, n, seed)
  search_case(what, make, prototype, lmselect, peers)
}

lmselect <- "lmSubsets::lmSelect, AIC"
with_leaps <- c(lmselect, "leaps::regsubsets", "bestglm::bestglm, AIC")

search_cases <- function() {
  list(
    simulated_case(30, 1, 0, NA, NA, with_leaps),
    simulated_case(40, 1, 0, .0002, .06, lmselect),
    simulated_case(50, 1, 0, .0006, 3.1, lmselect),
    simulated_case(60, 1, 0, .0006, 13, lmselect),
    simulated_case(80, 1, 0, .002),
    simulated_case(100, 1, 0, .036),
    simulated_case(40, 1, .9, .0035, .15, lmselect),
    simulated_case(60, 1, .9, .018),
    simulated_case(80, 1, .9, .14),
    simulated_case(100, 1, 0, .003, sd = 1, n = 1000),
    simulated_case(40, 2, 0, .0016),
    simulated_case(40, 2, .5, .0046),
    simulated_case(40, 2, .9, .058),
    simulated_case(60, 2, 0, .009),
    simulated_case(80, 2, 0, .021),
    simulated_case(40, 3, 0, .007),
    simulated_case(60, 3, 0, .27),
    if (has_file("furnace_A.csv")) {
      search_case("furnace A, p = 21", function(seed) furnace_problem(), .0003, .002, with_leaps, 1)
    },
    if (installed("MASS")) {
      search_case("Boston, p = 40", function(seed) boston_problem(40), .0012, .006, lmselect, 1)
    },
    if (installed("MASS")) {
      search_case("Boston, p = 50", function(seed) boston_problem(50), .0046, .042, lmselect, 1)
    }
  )
}

# The median over seeds of the best time, and the longest. Other programs: the first seed only.
search_row <- function(case) {
  message("  ", case$what)
  runs <- lapply(case$seeds, function(seed) {
    problem <- case$make(seed)
    fit <- search_subset(problem)
    seconds <- timed(function() search_subset(problem), budget = .5, least = 2)[["best"]]
    peers <- lapply(stats::setNames(nm = names(subset_peers)), function(peer) {
      if (peer %in% case$peers && seed == 1) run_peer(peer, problem) else no_run
    })
    found <- peers[[lmselect]]$found
    agrees <- if (length(found)) agrees_with_lmselect(problem, found) else NA
    list(seconds = seconds, search = fit$certificate$seconds, nodes = fit$certificate$nodes,
         complete = fit$certificate$complete, peers = vapply(peers, `[[`, 0, "seconds"),
         agrees = agrees)
  })
  of <- function(name) vapply(runs, function(run) as.numeric(run[[name]]), 0)
  peers <- runs[[1]]$peers
  seconds <- stats::median(of("seconds"))
  data.frame(
    problem = case$what, nodes = stats::median(of("nodes")), "ms" = 1000 * seconds,
    "longest" = 1000 * max(of("seconds")), "in the search" = 1000 * stats::median(of("search")),
    "prototype" = 1000 * case$prototype, "/ prototype" = seconds / case$prototype,
    "lmSelect" = 1000 * peers[[lmselect]], "lmSelect there" = 1000 * case$lmselect,
    "lmSelect / tlcp" = peers[[lmselect]] / runs[[1]]$seconds,
    "leaps" = 1000 * peers[["leaps::regsubsets"]],
    "bestglm" = 1000 * peers[["bestglm::bestglm, AIC"]],
    "complete" = paste0(sum(of("complete")), " of ", length(runs)),
    "same subset" = yes_no(runs[[1]]$agrees),
    check.names = FALSE
  )
}

absent_peers <- function() {
  packages <- unique(sub("::.*", "", names(subset_peers)))
  absent <- packages[!vapply(packages, installed, NA)]
  if (length(absent)) c("", paste0("Not installed here: ", toString(absent), "."))
}

part_search <- function() {
  rows <- do.call(rbind, lapply(Filter(length, search_cases()), search_row))
  section(
    "tlcp", "search", "The best subset",
    "T domains of 500 rows (1000 where sd is 1); columns are independent or AR; every other coefficient is 1;",
    "noise of sd 20. ms: the R call with Gram matrix and estimates, best of several runs, median of nine",
    "seeds; longest: that of the slowest seed. T = 1: Cp; T = 2, 3: the paper's objective with given lam =",
    "1/400, v = 4/400, pen = 2 T. `prototype`: an earlier C program with other seeds on another machine, on",
    "which lmSelect took the time `lmSelect there`; 1.5 times the prototype's time was allowed. lmSelect,",
    "leaps (all sizes), bestglm: the first seed only, where they end soon. same subset: has lmSelect's subset",
    "by AIC the residual sum of squares that tlcp(sizes = TRUE) has at its size?",
    paste0("(", machine(), ".)"), "", markdown_table(rows), absent_peers()
  )
}

# ---- the best subset of every size ------------------------------------------------------------

sizes_case <- function(what, problem, prototype, prototype_lmsubsets, prototype_leaps = NA,
                       leaps = FALSE) {
  list(what = what, problem = problem, prototype = prototype, prototype_lmsubsets = prototype_lmsubsets,
       prototype_leaps = prototype_leaps, leaps = leaps)
}

sizes_cases <- function() {
  list(
    sizes_case("independent, p = 20", subset_problem(20), .0003, .001, .004, TRUE),
    sizes_case("independent, p = 30", subset_problem(30), .0007, .004, .11, TRUE),
    sizes_case("independent, p = 40", subset_problem(40), .003, .12, 21),
    sizes_case("independent, p = 60", subset_problem(60), .025, NA),
    sizes_case("AR(.9), p = 20", subset_problem(20, rho = .9), .0019, .001, NA, TRUE),
    sizes_case("AR(.9), p = 30", subset_problem(30, rho = .9), .009, .011, NA, TRUE),
    sizes_case("AR(.9), p = 40", subset_problem(40, rho = .9), .036, .18),
    if (installed("MASS")) sizes_case("Boston, p = 25", boston_problem(25), .005, .002, NA, TRUE),
    if (installed("MASS")) sizes_case("Boston, p = 40", boston_problem(40), .14, .34),
    if (has_file("furnace_A.csv")) {
      sizes_case("furnace A, p = 21", furnace_problem(), .003, .001, NA, TRUE)
    }
  )
}

# Residual sums of squares of leaps at every size against ours.
agrees_with_leaps <- function(fit, found) {
  if (is.null(found)) return(NA)
  theirs <- found$ress[-1, 1]
  ours <- fit$steps$rss[match(seq_along(theirs), fit$steps$size)]
  max(abs(ours / theirs - 1)) < 1e-9
}

sizes_row <- function(case) {
  message("  ", case$what)
  problem <- case$problem
  fit <- search_subset(problem, sizes = TRUE)
  seconds <- timed(function() search_subset(problem, sizes = TRUE), budget = 1)[["best"]]
  subsets <- if (is.na(case$prototype_lmsubsets)) no_run else run_peer("lmSubsets::lmSubsets", problem)
  leaps <- if (case$leaps) run_peer("leaps::regsubsets", problem) else no_run
  data.frame(
    problem = case$what, "ms" = 1000 * seconds, "prototype" = 1000 * case$prototype,
    "/ prototype" = seconds / case$prototype, "lmSubsets" = 1000 * subsets$seconds,
    "lmSubsets there" = 1000 * case$prototype_lmsubsets,
    "lmSubsets / tlcp" = subsets$seconds / seconds,
    "leaps" = 1000 * leaps$seconds, "leaps there" = 1000 * case$prototype_leaps,
    "every size complete" = yes_no(all(fit$steps$complete[-1])),
    "same RSS as leaps" = yes_no(agrees_with_leaps(fit, leaps$found)),
    check.names = FALSE
  )
}

part_sizes <- function() {
  rows <- do.call(rbind, lapply(Filter(length, sizes_cases()), sizes_row))
  section(
    "tlcp", "sizes", "The best subset of every size",
    "One domain, as above: tlcp(sizes = TRUE) beside lmSubsets and leaps, ms, best of several runs; \"there\":",
    "on the machine of the prototype. Wanted: at most the time of lmSubsets from p = 30 on, and at most twice",
    "its time at p = 20.",
    paste0("(", machine(), ".)"), "", markdown_table(rows), absent_peers()
  )
}

# ---- whole fits -------------------------------------------------------------------------------

# Few rows and many columns: 20 features have effects, which differ little between the two domains.
wide_problem <- function(n = 30, p = 3000) {
  set.seed(1)
  common <- replace(numeric(p), seq_len(20), stats::rnorm(20))
  one <- function(problem) {
    x <- matrix(stats::rnorm(n * p), n)
    own <- common + replace(numeric(p), seq_len(20), .1 * stats::rnorm(20))
    list(x = x, y = drop(x %*% own) + stats::rnorm(n))
  }
  both <- lapply(1:2, one)
  list(x = rbind(both[[1]]$x, both[[2]]$x), y = c(both[[1]]$y, both[[2]]$y),
       domain = rep(1:2, each = n))
}

whole_fits <- function() {
  five <- subset_problem(50, domains = 5, sd = 3, n = 200)
  wide <- wide_problem()
  fits <- list(
    "hierarchical, T = 5, p = 50, select = FALSE" = list(wanted = 20, run = function() {
      tlcp(five$x, five$y, domain = five$domain, target = 1, select = FALSE)
    }),
    "the same, with the search" = list(wanted = NA, run = function() {
      tlcp(five$x, five$y, domain = five$domain, target = 1, sizes = FALSE)
    }),
    "cutoff, T = 2, p = 3000, 30 rows each" = list(wanted = 1000, run = function() {
      tlcp(wide$x, wide$y, domain = wide$domain, target = 1, method = "cutoff", borrow = "plugin",
           control = tlcp_control(sigma2 = c(1, 1), guard = FALSE))
    }),
    "Cp cutoff, p = 3000, 30 rows" = list(wanted = 1000, run = function() {
      tlcp(wide$x[1:30, ], wide$y[1:30], method = "cutoff", control = tlcp_control(sigma2 = 1))
    })
  )
  if (!has_file("furnace_A.csv")) return(fits)
  split <- draw_split(furnace_set(), 60, 1001)
  furnace <- function(...) {
    force(list(...))
    function() tlcp(split$x, split$y, domain = split$domain, target = "A", ...)
  }
  own <- one_domain(split)
  c(fits, list(
    "furnace, n = 60, hierarchical (the default)" = list(wanted = 5, run = furnace()),
    "furnace, sizes = FALSE" = list(wanted = 5, run = furnace(sizes = FALSE)),
    "furnace, reml, shared" = list(wanted = NA, run = furnace(borrow = "reml",
                                                              control = tlcp_control(support = "shared"))),
    "furnace, plugin, shared" = list(
      wanted = NA, run = furnace(borrow = "plugin", control = tlcp_control(support = "shared", guard = FALSE))
    ),
    "furnace, plugin, cutoff" = list(
      wanted = NA, run = furnace(borrow = "plugin", method = "cutoff", control = tlcp_control(guard = FALSE))
    ),
    "furnace, Cp of the target alone" = list(wanted = 5, run = function() tlcp(own$x, own$y))
  ))
}

fit_row <- function(name, fit) {
  search <- fit$run()$certificate$seconds
  time <- timed(fit$run, budget = 1)
  data.frame(
    fit = name, "best, ms" = 1000 * time[["best"]], "median, ms" = 1000 * time[["median"]],
    "in the search, ms" = if (length(search)) 1000 * search else NA, "wanted, ms" = fit$wanted,
    check.names = FALSE
  )
}

part_fits <- function() {
  fits <- whole_fits()
  rows <- do.call(rbind, Map(fit_row, names(fits), fits))
  section(
    "tlcp", "fits", "Time of a fit",
    "Time of the R call. The paper's program took 1078 s for Cp of the target alone on the furnaces; there at most",
    "1 ms was wanted for the search. T = 5: 200 rows a domain. p = 3000: 30 rows, with their residual variances",
    "given.", busy_line(),
    paste0("(", machine(), ".)"), "", markdown_table(rows)
  )
}

# ---- AIC and BIC, the variance estimated anew for every subset --------------------------------

# The least criterion among the best subsets of every size.
least_of_sizes <- function(problem, k) {
  steps <- tlcp(problem$x, problem$y, criterion = "Cp", sizes = TRUE)$steps
  n <- length(problem$y)
  min(n * (log(2 * pi * steps$rss / n) + 1) + k * (steps$size + 2))
}

likelihood_row <- function(what, problem, peers) {
  n <- length(problem$y)
  rows <- lapply(c("AIC", "BIC"), function(criterion) {
    k <- if (criterion == "AIC") 2 else log(n)
    run <- function(criterion) tlcp(problem$x, problem$y, criterion = criterion, sizes = FALSE)
    fit <- run(criterion)
    seconds <- timed(function() run(criterion), budget = .5, least = 2)[["best"]]
    fixed <- if (criterion == "AIC") "Cp" else "Cp_BIC"
    held <- timed(function() run(fixed), budget = .5, least = 2)[["best"]]
    peer <- function(name) if (name %in% peers) 1000 * run_peer(name, problem)$seconds else NA_real_
    data.frame(
      problem = what, criterion = criterion, searches = fit$certificate$searches,
      nodes = fit$certificate$nodes, ms = 1000 * seconds, "variance held, ms" = 1000 * held,
      "lmSelect (AIC), ms" = peer(lmselect), "leaps (all sizes), ms" = peer("leaps::regsubsets"),
      proven = yes_no(fit$certificate$complete),
      "as of all sizes" = yes_no(abs(fit$certificate$value - least_of_sizes(problem, k)) < 1e-6),
      check.names = FALSE
    )
  })
  do.call(rbind, rows)
}

part_likelihood <- function() {
  rows <- do.call(rbind, list(
    likelihood_row("independent, p = 30", subset_problem(30), c(lmselect, "leaps::regsubsets")),
    likelihood_row("independent, p = 60", subset_problem(60), lmselect),
    likelihood_row("AR(.9), p = 30", subset_problem(30, rho = .9), c(lmselect, "leaps::regsubsets")),
    likelihood_row("AR(.9), p = 40", subset_problem(40, rho = .9), lmselect),
    if (installed("MASS")) likelihood_row("Boston, p = 40", boston_problem(40), lmselect)
  ))
  section(
    "tlcp", "likelihood", "AIC and BIC of lm()",
    "The subset with the least AIC() or BIC() of lm(), seed 1 of the problems above: time of the R call, best",
    "of several runs. variance held: the same with the residual variance of all features, in one search. as",
    "of all sizes: is its criterion the least among the best subsets of every size?",
    paste0("(", machine(), ".)"), "", markdown_table(rows), absent_peers()
  )
}

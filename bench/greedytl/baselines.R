# Baselines of the paper beside greedytl(), its Figures 2 and 3, and which source serves which target
# (Figures 4 to 7), on the sets of part accuracy. Only definitions.

# Logistic regression, with the lambda of the least leave-one-out deviance. The response is two columns of weights and
# not a factor, since glmnet stops at a class with a single row, which is left where one of two rows is held out.
loo_logistic <- function(x, positive, mixture) {
  v <- class_weights(positive)
  fit <- suppressWarnings(glmnet::cv.glmnet(
    x, cbind(v * !positive, v * positive), family = "binomial", alpha = mixture,
    nfolds = length(v), grouped = FALSE, nlambda = 50
  ))
  beta <- as.vector(stats::coef(fit, s = "lambda.min"))
  list(w = beta[-1], b = beta[1])
}

paper_rule <- "paper, tau = 1"

baseline_methods <- c(
  accuracy_methods[c("transfer (the default)", paper_rule)],
  list(
    "MultiKT, l2 ball" = function(train, x, h) linear_scores(multikt(train, "l2"), x, h),
    "MultiKT, l1 ball" = function(train, x, h) linear_scores(multikt(train, "l1"), x, h)
  ),
  if (installed("glmnet")) list(
    "logistic lasso" = function(train, x, h) {
      linear_scores(loo_logistic(train$both, train$positive, 1), x, h)
    },
    "logistic elastic net, mixture .5" = function(train, x, h) {
      linear_scores(loo_logistic(train$both, train$positive, .5), x, h)
    }
  ),
  accuracy_methods[c("forward regression (lambda = 0)",
                     "ridge on features and sources, tau by leave-one-out")]
)

# The sets of the paper's protocol whose data are available, or some of them.
paper_sets <- function(names = NULL) {
  sets <- accuracy_sets[vapply(accuracy_sets, available, NA)]
  sets <- names(sets)[vapply(sets, function(set) set$table == "paper", NA)]
  if (is.null(names)) sets else intersect(names, sets)
}

# As run_set(), with another number of draws, and `change` applied to the problems of the set.
some_draws <- function(name, draws, methods, change = identity) {
  message("  ", name)
  problems <- change(accuracy_sets[[name]]$make())
  runs_of(name, problems, draws, methods)
}

part_baselines <- function() {
  draws <- c(letters = 1, isolet = 1, googlenet = 3, surf = 3, amazon = 4, mnist = 3)
  runs <- do.call(rbind, lapply(paper_sets(), function(name) {
    some_draws(name, draws[[name]], baseline_methods)
  }))
  section(
    "greedytl", "baselines", "More of the paper's baselines (Figure 1)",
    "Sets, sources and draws are those of part accuracy, with fewer draws: one a target of letters and",
    "isolet, 3 of googlenet, surf and mnist, 4 of amazon. MultiKT: a least-squares support vector machine",
    "that starts from the combination of sources with the least leave-one-out hinge loss in a ball; C (nine",
    "values) and radius (seven) by leave-one-out. Logistic rows: glmnet on features and sources, the one of",
    "its own 50 penalties with the least leave-one-out deviance. All have balanced class weights. The",
    "paper: GreedyTL better than all of them on nearly every set.",
    both_tables(runs, "")
  )
}

# ---- Figure 2: columns of noise ---------------------------------------------------------------

with_noise_columns <- function(count) {
  function(problems) {
    set.seed(2)
    lapply(problems, function(problem) {
      noise <- matrix(stats::rnorm(nrow(problem$x) * count), nrow(problem$x),
                      dimnames = list(NULL, if (count) paste0("noise", seq_len(count))))
      problem$x <- cbind(as.matrix(problem$x), noise)
      problem
    })
  }
}

part_noise <- function() {
  counts <- c(0, 10, 100, 1000)
  sets <- paper_sets("letters")
  tables <- lapply(sets, function(name) {
    runs <- lapply(counts, function(count) {
      some_draws(name, 1, baseline_methods, with_noise_columns(count))
    })
    cells <- vapply(runs, function(one) {
      vapply(names(baseline_methods), function(m) {
        show_error(as.matrix(mean_and_error(one[one$method == m, ])))
      }, "")
    }, character(length(baseline_methods)))
    table <- data.frame(method = names(baseline_methods), cells, row.names = NULL)
    names(table)[-1] <- paste(counts, "columns")
    c(paste0(name, ":"), "", markdown_table(table), "")
  })
  section(
    "greedytl", "noise", "Columns of noise among the features (Figure 2)",
    "Balanced accuracy, mean (standard error over targets), one draw a target, mean over 2, 5 and 10",
    "positives. As many columns of normal random numbers as the head of a column says are added to the",
    "features. Methods are those of part baselines. The paper, on Caltech-256 and Imagenet: GreedyTL",
    "\"tolerant to large amount of noise\", while the lasso and the elastic net lose much.", "", unlist(tables)
  )
}

# ---- Figure 3: 59 candidates a step -----------------------------------------------------------

timed_scores <- function(...) {
  function(train, x, h) {
    fit <- NULL
    seconds <- min(vapply(1:3, function(i) {
      before <- now()
      fit <<- greedytl(train$x, train$y, train$h, ...)
      now() - before
    }, 0))
    structure(predict(fit, x, sources = h, type = "link"), seconds = seconds)
  }
}

drawn_methods <- list(
  "transfer (the default)" = timed_scores(),
  "transfer, 59 candidates" = timed_scores(control = greedytl_control(candidates = n_candidates(.95, .95))),
  "paper" = timed_scores(rule = "paper"),
  "paper, 59 candidates" = timed_scores(rule = "paper",
                                        control = greedytl_control(candidates = n_candidates(.95, .95)))
)

part_drawn <- function() {
  draws <- c(letters = 2, isolet = 2, googlenet = 5, surf = 5, amazon = 5, mnist = 5)
  seconds <- NULL
  keep_time <- function(name) function(train, x, h) {
    score <- drawn_methods[[name]](train, x, h)
    seconds <<- rbind(seconds, data.frame(name, attr(score, "seconds"), ncol(train$x) + ncol(train$h)))
    as.vector(score)
  }
  methods <- lapply(stats::setNames(nm = names(drawn_methods)), keep_time)
  runs <- do.call(rbind, lapply(paper_sets(), function(name) some_draws(name, draws[[name]], methods)))
  runs <- runs[runs$method %in% names(methods), ]
  names(seconds) <- c("method", "seconds", "columns")
  ms <- 1000 * tapply(seconds$seconds, list(seconds$method, seconds$columns), stats::median)
  sizes <- tapply(seconds$columns, seconds$columns, function(n) n[1])
  times <- data.frame(method = names(methods), ms[names(methods), ], row.names = NULL)
  names(times)[-1] <- paste(sizes, "columns")
  section(
    "greedytl", "drawn", "59 candidates a step against all (Figure 3)",
    "Balanced accuracy, mean (standard error over targets and draws): every step chooses among all columns,",
    "or among 59 columns drawn at random (`candidates = n_candidates(.95, .95)`). The paper: the same",
    "accuracy in a small part of the time.", "",
    markdown_table(accuracy_table(runs)), "",
    "ms of the R call of a fit, least of three, median over fits. Most of the time of the default is that of",
    "the evidence, not of the path:", "", markdown_table(times)
  )
}

# ---- Figures 4 to 7: which source serves which target -----------------------------------------

# Weights of the sources, one row a target and source, mean over draws: of a ridge, and of a path.
map_of_ridge <- function(train) {
  w <- loo_ridge(train$both, train$positive)$w[-seq_len(ncol(train$x))]
  w * apply(train$h, 2, stats::sd)
}

map_of_path <- function(...) {
  function(train) {
    fit <- greedytl(train$x, train$y, train$h, ...)
    map <- source_map(list(target = fit), sources = colnames(train$h))
    stats::setNames(map$weight, map$source)[colnames(train$h)]
  }
}

map_rules <- list(
  "paper" = map_of_path(rule = "paper"),
  "paper, 59 candidates" = map_of_path(rule = "paper",
                                       control = greedytl_control(candidates = n_candidates(.95, .95))),
  "transfer (the default)" = map_of_path(),
  "ridge on features and sources" = map_of_ridge
)

# rules x sources.
mean_map <- function(problem, positives, draws) {
  maps <- lapply(seq_len(draws), function(draw) {
    rows <- draw_rows(problem)
    train <- training_problem(problem, c(rows$positive[seq_len(positives)], rows$negative[1:10]))
    t(vapply(map_rules, function(rule) rule(train), numeric(ncol(problem$h))))
  })
  Reduce(`+`, maps) / draws
}

heaviest <- function(weight, count = 3) {
  first <- utils::head(order(-weight), count)
  paste(sprintf("%s %.2f", names(weight)[first], weight[first] / sum(abs(weight))), collapse = ", ")
}

# Share of the absolute weights on the three largest: the larger, the more distinct the pattern.
three_share <- function(weight) sum(sort(abs(weight), decreasing = TRUE)[1:3]) / sum(abs(weight))

part_map <- function(draws = 10) {
  title <- "Which source serves which target (Figures 4 to 7)"
  if (!"isolet" %in% paper_sets()) {
    return(section("greedytl", "map", title, "Left out: isolet is not in the data folder."))
  }
  problems <- lapply(isolet_set(), function(problem) {
    colnames(problem$h) <- sub(".*[.]", "", colnames(problem$h))
    problem
  })
  maps <- lapply(c(2, 10), function(positives) {
    set.seed(7)
    lapply(problems, mean_map, positives = positives, draws = draws)
  })
  cells <- lapply(c("paper", "ridge on features and sources"), function(rule) {
    vapply(maps[[1]], function(map) heaviest(map[rule, ]), "")
  })
  table <- data.frame(target = names(problems), cells)
  names(table)[-1] <- c("paper", "ridge on features and sources")
  shares <- data.frame(rule = names(map_rules), lapply(maps, function(one) {
    vapply(names(map_rules), function(rule) {
      mean(vapply(one, function(map) three_share(map[rule, ]), 0))
    }, 0)
  }), row.names = NULL)
  names(shares)[-1] <- paste(c(2, 10), "positives")
  agreement <- vapply(maps, function(one) {
    mean(vapply(one, function(map) stats::cor(map["paper", ], map["paper, 59 candidates", ]), 0))
  }, 0)
  section(
    "greedytl", "map", title,
    "Spoken letters (isolet): 23 targets, each with 617 features and the models of the 22 other letters as sources.",
    paste0("Weights are multiplied by the scale of their source; mean of ", draws, " draws (the paper: 10)."),
    "`plot(source_map(fits))` draws such a map.", "",
    "The three sources of largest positive weight, as a share of all weight, at 2 positives:", "",
    markdown_table(table), "",
    "Share of the weight that the three sources of largest weight have, mean over targets. The paper finds",
    "the pattern of GreedyTL more distinct than that of ridge, most at 2 positives, and that of 59 candidates",
    "like that of all:", "", markdown_table(shares), "",
    sprintf(paste("Correlation of the weights with those of 59 candidates, mean over targets: %.2f at 2, %.2f at 10",
                  "positives."), agreement[1], agreement[2])
  )
}

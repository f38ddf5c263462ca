# What signals() reports: the share of false ones and the power, on a grid of designs, beside other rules.
#   Rscript bench/msplit.R signals oracle ways

signals_grid <- rbind(
  expand.grid(design = c("independent", "AR .7", "equal .5", "twins .95", "t(3) columns", "t(2) noise"), n = 100,
              d = c(10, 40), effects = c(3, 5), z = c(4, 6), weak = 0, stringsAsFactors = FALSE),
  expand.grid(design = c("independent", "equal .5"), n = 200, d = 40, effects = c(5, 20), z = c(3, 4), weak = c(0, 15),
              stringsAsFactors = FALSE),
  expand.grid(design = c("independent", "AR .7", "t(2) noise"), n = 100, d = 200, effects = 5, z = c(4, 6), weak = 0,
              stringsAsFactors = FALSE)
)

# z: effects in standard errors of a column alone. The weak ones have a third of the others.
signals_problem <- function(cell) {
  n <- cell$n
  d <- cell$d
  x <- matrix(stats::rnorm(n * d), n)
  if (cell$design == "AR .7") for (j in seq_len(d)[-1]) x[, j] <- .7 * x[, j - 1] + sqrt(1 - .49) * x[, j]
  if (cell$design == "equal .5") x <- sqrt(.5) * x + sqrt(.5) * stats::rnorm(n)
  if (cell$design == "t(3) columns") x[] <- stats::rt(n * d, 3) / sqrt(3)
  if (cell$design == "twins .95") {
    other <- seq(2, d, by = 2)
    x[, other] <- .95 * x[, other - 1] + sqrt(1 - .95^2) * x[, other]
  }
  from <- if (cell$design == "twins .95") seq(1, d, by = 2) else seq_len(d)
  strong <- sample(from, min(cell$effects, length(from)))
  weak <- sample(setdiff(seq_len(d), strong), min(cell$weak, d - length(strong)))
  b <- numeric(d)
  b[strong] <- cell$z / sqrt(n) * sample(c(-1, 1), length(strong), replace = TRUE)
  b[weak] <- cell$z / sqrt(n) / 3
  noise <- if (cell$design == "t(2) noise") stats::rt(n, 2) else stats::rnorm(n)
  list(x = x, y = drop(x %*% b) + noise, strong = strong, true = c(strong, weak))
}

# Best subset of the lasso's path by BIC of its least squares; glmnet's lasso one standard error from its best.
signals_rules <- function(problem) {
  x <- problem$x
  y <- problem$y
  fit <- msplit(x, y)
  probability <- transelect:::inclusion_probability(fit)[, 1]
  path <- glmnet::glmnet(x, y)
  sets <- unique(lapply(glmnet::predict.glmnet(path, type = "nonzero"), unlist))
  sets <- sets[lengths(sets) <= length(y) / 3]
  bic <- vapply(sets, function(j) {
    rss <- sum(stats::lm.fit(cbind(1, x[, j, drop = FALSE]), y)$residuals^2)
    length(y) * log(rss) + length(j) * log(length(y))
  }, 0)
  lasso <- glmnet::cv.glmnet(x, y)
  list(
    "signals(fdr = .1)" = transelect:::msplit_report_strong_columns(probability, .1),
    "signals(fdr = .2)" = transelect:::msplit_report_strong_columns(probability, .2),
    "support of the largest weight" = fit$named$best$support[[1]],
    "lasso, 1 s.e." = which(as.vector(stats::coef(lasso, s = "lambda.1se"))[-1] != 0),
    "lasso path by BIC" = sets[[which.min(bic)]]
  )
}

# More cells for the oracle: more columns beside the rows.
oracle_grid <- rbind(signals_grid, expand.grid(
  design = c("independent", "AR .7", "equal .5"), n = 100, d = 70, effects = 5, z = c(4, 6), weak = 0,
  stringsAsFactors = FALSE
), expand.grid(design = "independent", n = 200, d = 400, effects = c(5, 20), z = 4, weak = 0, stringsAsFactors = FALSE))

# The columns that a rule reports, the largest effects on standardised columns first: signals() by its probabilities;
# lasso one standard error from its best (glmnet); MCP at its best (ncvreg); the subset of smallest BIC (of all subsets
# up to 40 columns, else of those of the lasso's path).
oracle_sets <- function(problem) {
  x <- problem$x
  y <- problem$y
  by_size <- function(beta) {
    beta <- abs(beta) * apply(x, 2, stats::sd)
    order(-beta)[seq_len(sum(beta > 0))]
  }
  path <- glmnet::glmnet(x, y)
  bic <- numeric(ncol(x))
  if (ncol(x) <= 40) {
    bic <- stats::coef(tlcp(x, y, criterion = "BIC"))[-1]
  } else {
    sets <- Filter(function(j) length(j) <= length(y) / 3,
                   unique(lapply(glmnet::predict.glmnet(path, type = "nonzero"), unlist)))
    fits <- lapply(sets, function(j) stats::lm.fit(cbind(1, x[, j, drop = FALSE]), y))
    best <- which.min(vapply(fits, function(fit) {
      length(y) * log(sum(fit$residuals^2)) + length(fit$coefficients) * log(length(y))
    }, 0))
    bic[sets[[best]]] <- fits[[best]]$coefficients[-1]
  }
  probability <- transelect:::inclusion_probability(msplit(x, y))[, 1]
  strong <- function(fdr) transelect:::msplit_report_strong_columns(probability, fdr)
  likely <- order(-probability)[seq_len(sum(probability > .01, na.rm = TRUE))]
  list(
    "signals(fdr = .1)" = strong(.1), "signals(fdr = .15)" = strong(.15), "signals(fdr = .2)" = strong(.2),
    "fdr = .1, no floor" = likely[seq_len(sum(cumsum(1 - probability[likely]) <= .1 * seq_along(likely)))],
    "lasso, 1 s.e." = by_size(as.vector(stats::coef(glmnet::cv.glmnet(x, y), s = "lambda.1se"))[-1]),
    MCP = by_size(as.vector(stats::coef(ncvreg::cv.ncvreg(x, y, penalty = "MCP")))[-1]), "BIC subset" = by_size(bic),
    "signals(), cut" = likely
  )
}

false_and_power <- function(set, problem) {
  c(false = sum(!set %in% problem$true) / max(length(set), 1), power = mean(problem$strong %in% set))
}

# The largest power of the first m columns of each set, over all m whose mean false share is at most `rate`: only an
# oracle knows this m.
oracle_cut <- function(sets, problems, rate) {
  found <- vapply(0:max(lengths(sets)), function(m) {
    rowMeans(mapply(function(set, problem) false_and_power(utils::head(set, m), problem), sets, problems))
  }, c(0, 0))
  max(found[2, found[1, ] <= rate])
}

part_oracle <- function(draws = 5) {
  grid <- oracle_grid
  regime <- signals_regime(grid)
  cells <- lapply(seq_len(nrow(grid)), function(k) {
    problems <- lapply(seq_len(draws), function(draw) {
      set.seed(1000 * k + draw)
      signals_problem(grid[k, ])
    })
    sets <- suppressWarnings(lapply(problems, oracle_sets))
    rules <- names(sets[[1]])
    plain <- vapply(rules, function(rule) {
      rowMeans(mapply(false_and_power, lapply(sets, `[[`, rule), problems))
    }, c(false = 0, power = 0))
    list(plain = plain[, 1:7], cut = function(rate) vapply(rules[-(1:4)], function(rule) {
      oracle_cut(lapply(sets, `[[`, rule), problems, rate)
    }, 0))
  })
  rows <- lapply(unique(regime), function(name) {
    own <- cells[regime == name]
    plain <- Reduce(`+`, lapply(own, `[[`, "plain")) / length(own)
    cut <- lapply(c(.1, plain[1, 1]), function(rate) {
      power <- vapply(own, function(cell) cell$cut(rate), numeric(4))
      c(rowMeans(power), "best of the three, by regime" = max(rowMeans(power)[1:3]),
        "best of the three, cell by cell" = mean(apply(power[1:3, ], 2, max)))
    })
    text <- function(of) paste0(format(of[1], digits = 2), " / ", format(of[2], digits = 2))
    here <- paste0(name, " (", length(own), ")")
    list(
      plain = data.frame(cells = here, t(apply(plain, 2, text)), check.names = FALSE),
      cut = data.frame(cells = here, "false share" = c(.1, plain[1, 1]), "signals(fdr = .1), not cut" = plain[2, 1],
                       do.call(rbind, cut), check.names = FALSE)
    )
  })
  section(
    "msplit", "oracle", "signals() beside other rules that an oracle cuts",
    paste0("False share among those reported / power for the strong effects, means over cells of ", draws, " draws, ",
           "of the rules as they are (no floor: all columns while the mean of 1 - probability is at most .1):"), "",
    markdown_table(do.call(rbind, lapply(rows, `[[`, "plain"))), "",
    "Power after an oracle has kept, in each cell, the largest effects of each rule (by signals() the largest",
    "probabilities), as many as have a mean false share of at most that in the second column: the nominal rate, and",
    "the share that signals(fdr = .1) has in these cells. The best of the three: the one of largest mean, and the mean",
    "of the best in every cell, which is chosen by the truth once more.",
    "", markdown_table(do.call(rbind, lapply(rows, `[[`, "cut")))
  )
}

# The regime of a cell.
signals_regime <- function(grid) {
  ifelse(grid$design == "twins .95", "twins", ifelse(grid$n >= 2 * grid$d, "n >= 2d", ifelse(
    grid$n > grid$d, "d < n < 2d", "n <= d")))
}

# Other ways to the same rate: probabilities with other priors (share: the largest share of columns with an effect;
# spread: of the effects), and other sets by them (mean: the largest mean of 1 - probability; floor: the least
# probability).
signals_ways <- function() {
  way <- function(name, share, mean, floor, spread = transelect:::SPREADS) {
    list(name = name, share = share, mean = mean, floor = floor, spread = spread)
  }
  list(
    way("signals(fdr = .1): share up to 1/2, mean at most .2, least probability .65", .5, .2, .65),
    way("share up to 1/2, mean at most .1", .5, .1, 0),
    way("share up to .4, mean at most .2, least probability .65", .4, .2, .65),
    way("share up to 1/2, spreads from 20 on, mean at most .2, least probability .65", .5, .2, .65,
        c(20, 40, 80, 160, 320, 640, 1280)),
    way("share up to 1, mean at most .1", 1, .1, 0),
    way("share up to 1, mean at most .1, least probability .8", 1, .1, .8),
    way("share up to 1, least probability .7", 1, 1, .7)
  )
}

# Cells that were looked at after the limits of signals() had been chosen on the others.
fresh_grid <- expand.grid(design = c("independent", "AR .7", "equal .5", "t(3) columns"), n = 150, d = c(20, 60),
                          effects = c(4, 12), z = c(3.5, 5), weak = 0, stringsAsFactors = FALSE)

part_ways <- function(draws = 4) {
  grid <- rbind(oracle_grid, fresh_grid)
  ways <- signals_ways()
  prior <- vapply(ways, function(way) paste(way$share, toString(way$spread)), "")
  results <- lapply(seq_len(nrow(grid)), function(k) {
    vapply(seq_len(draws), function(draw) {
      set.seed(1000 * k + draw)
      problem <- signals_problem(grid[k, ])
      fit <- msplit(problem$x, problem$y)
      probability <- lapply(ways[!duplicated(prior)], function(way) {
        transelect:::msplit_report_inclusion(fit, 1, way$share, way$spread)
      })[match(prior, unique(prior))]
      mapply(function(way, p) {
        likely <- order(-p, na.last = NA)
        set <- likely[seq_len(sum(cumsum(1 - p[likely]) <= way$mean * seq_along(likely)))]
        false_and_power(set[p[set] >= way$floor], problem)
      }, ways, probability)
    }, matrix(0, 2, length(ways)))
  })
  regime <- c(signals_regime(oracle_grid), rep("new", nrow(fresh_grid)))
  text <- vapply(unique(regime), function(name) vapply(seq_along(ways), function(way) {
    cells <- lapply(results[regime == name], function(result) result[, way, ])
    mean_of <- function(row) format(mean(vapply(cells, function(cell) mean(cell[row, ]), 0)), digits = 2)
    above <- sum(vapply(cells, function(cell) signals_above(cell[1, ], .1), NA))
    paste0(mean_of(1), " / ", mean_of(2), " [", above, "]")
  }, ""), character(length(ways)))
  colnames(text) <- paste0(unique(regime), " (", table(regime)[unique(regime)], ")")
  section(
    "msplit", "ways", "Other ways to a false discovery rate of .1",
    paste0("False share among those reported / power for the strong effects, means over cells of ", draws, " draws; ",
           "in brackets the cells whose share is above .1 by two standard errors. share: the prior probability that a ",
           "column has an effect is uniform on 0 to this; mean: of 1 - probability in the set. new: cells of 150 ",
           "rows that were looked at after the limits had been chosen on the others."),
    "", markdown_table(data.frame(way = vapply(ways, `[[`, "", "name"), text, check.names = FALSE))
  )
}

# Is the mean share of false ones above the rate by two standard errors, those of the draws or of about five columns in
# each, whichever is larger?
signals_above <- function(share, fdr) {
  mean(share) > fdr + 2 * max(stats::sd(share), sqrt(fdr * (1 - fdr) / 5)) / sqrt(length(share))
}

part_signals <- function(draws = 5) {
  results <- lapply(seq_len(nrow(signals_grid)), function(k) {
    cell <- signals_grid[k, ]
    vapply(seq_len(draws), function(draw) {
      set.seed(1000 * k + draw)
      problem <- signals_problem(cell)
      vapply(signals_rules(problem), function(j) {
        c(false = sum(!j %in% problem$true) / max(length(j), 1), power = mean(problem$strong %in% j))
      }, c(0, 0))
    }, matrix(0, 2, 5))
  })
  rules <- names(signals_rules(signals_problem(signals_grid[1, ])))
  of <- list("twins" = signals_grid$design == "twins .95", "other, n >= 2d" = signals_grid$design != "twins .95" &
               signals_grid$n >= 2 * signals_grid$d, "n < d" = signals_grid$n < signals_grid$d)
  mean_of <- function(cells, what, rule) mean(vapply(results[cells], function(r) mean(r[what, rule, ]), 0))
  above <- function(cells, rule, fdr) sum(vapply(results[cells], function(r) signals_above(r[1, rule, ], fdr), NA))
  table <- do.call(rbind, lapply(seq_along(rules), function(rule) {
    cells <- vapply(of, function(at) {
      at <- which(at)
      paste0(format(mean_of(at, 1, rule), digits = 2), " / ", format(mean_of(at, 2, rule), digits = 2),
             if (rule <= 2) paste0(" [", above(at, rule, c(.1, .2)[rule]), "]"))
    }, "")
    data.frame(rule = rules[rule], t(cells), check.names = FALSE)
  }))
  names(table)[-1] <- paste0(names(of), " (", vapply(of, sum, 0L), ")")
  section(
    "msplit", "signals", "What signals() reports",
    paste0("Share of false ones among those reported / power for the strong effects, means over cells (number of ",
           "cells) of ", draws, " draws; in brackets the cells whose share is above the rate by two standard errors. ",
           "Cells: ",
           "designs x rows x columns x effects of 3 to 6 standard errors, with and without weak ones."),
    "", markdown_table(table)
  )
}

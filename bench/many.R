# tlcp() beside simple peers on public data sets that a rule chooses, from the project root:
#   Rscript bench/many.R [sets errors]      (default: all parts)
# The rule is in bench/many/sets.R, what is compared in bench/many/ways.R. `errors` writes vignettes/many.csv, too,
# which vignette("when-to-borrow") draws. Each part replaces its section of bench/RESULTS.md. Not for tuning: no
# default follows from these sets.
source("bench/common.R")
source("bench/many/sets.R")
source("bench/many/ways.R")

MANY_ROWS <- c(8, 15, 30, 60)
MANY_DRAWS <- 2

part_sets <- function() {
  sets <- many_sets()
  packages <- sub("::.*", "", names(sets))
  rows <- data.frame(
    set = names(sets), rows = lengths(lapply(sets, `[[`, "y")),
    domains = vapply(sets, function(set) nlevels(set$domain), 1L),
    `domain column` = vapply(sets, function(set) set$names[["domain"]], ""),
    response = vapply(sets, function(set) set$names[["response"]], ""), family = vapply(sets, `[[`, "", "family"),
    features = vapply(sets, function(set) ncol(set$x), 1L), check.names = FALSE
  )
  there <- vapply(MANY_PACKAGES, installed, NA)
  listed <- function(names) if (length(names)) toString(names) else "none"
  section(
    "many", "sets", "Public data sets of several domains, by a rule",
    "The rule stands at the head of `bench/many/sets.R`; it was written before the first fit.",
    paste0("Packages without such a set: ", listed(setdiff(MANY_PACKAGES[there], packages)), ". Not installed: ",
           listed(MANY_PACKAGES[!there]), "."), "",
    markdown_table(rows)
  )
}

# The mean losses of all ways, by set and rows. None of a way that failed in a draw, or whose loss is infinite, as of
# the mean 0 of counts.
many_losses <- function(sets) {
  out <- list()
  for (name in names(sets)) {
    for (rows in MANY_ROWS) {
      if (max(table(sets[[name]]$domain)) < rows + 20) next
      losses <- vapply(seq_len(MANY_DRAWS), function(draw) {
        set.seed(1000 * rows + draw)
        d <- many_draw(sets[[name]], rows)
        vapply(MANY_WAYS, function(way) {
          set.seed(draw)
          loss <- tryCatch(many_loss(d, way(d)), error = function(e) NA_real_)
          if (is.finite(loss)) loss else NA_real_
        }, 0)
      }, numeric(length(MANY_WAYS)))
      out <- c(out, list(data.frame(set = name, family = sets[[name]]$family, rows = rows, t(rowMeans(losses)),
                                    check.names = FALSE)))
    }
    message("  ", name)
  }
  do.call(rbind, out)
}

geometric <- function(v) exp(mean(log(v), na.rm = TRUE))

# By set: the ratio of each of ours to the best peer, geometric means over the numbers of rows, and that peer.
many_ratios <- function(losses) {
  ways <- setdiff(names(losses), c("set", "family", "rows"))
  peers <- setdiff(ways, MANY_OURS)
  do.call(rbind, lapply(split(losses, factor(losses$set, unique(losses$set))), function(set) {
    best <- apply(set[peers], 1, min, na.rm = TRUE)
    over <- vapply(peers, function(peer) mean(log(set[[peer]] / best)), 0)
    ours <- vapply(MANY_OURS, function(way) geometric(set[[way]] / best), 0)
    data.frame(set = set$set[1], family = set$family[1], as.list(ours), `best peer` = peers[which.min(over)],
               `its ratio` = exp(min(over, na.rm = TRUE)), check.names = FALSE)
  }))
}

# Ways by numbers of rows: the geometric mean over the sets of the loss over that of tlcp(select = FALSE), and in how
# many cells the way is better.
many_table <- function(losses) {
  ways <- setdiff(names(losses), c("set", "family", "rows"))
  ratio <- function(way, at) losses[[way]][at] / losses[["tlcp(select = FALSE)"]][at]
  out <- data.frame(way = ways)
  for (rows in MANY_ROWS) {
    out[[paste("n =", rows)]] <- vapply(ways, function(way) geometric(ratio(way, losses$rows == rows)), 0)
  }
  for (family in unique(losses$family)) {
    out[[family]] <- vapply(ways, function(way) geometric(ratio(way, losses$family == family)), 0)
  }
  out[["cells better, %"]] <- vapply(ways, function(way) 100 * mean(ratio(way, TRUE) < 1, na.rm = TRUE), 0)
  out[["failed"]] <- vapply(ways, function(way) as.numeric(sum(is.na(losses[[way]]))), 0)
  out
}

# The kind of a set that is lost, by the peer that is best there.
many_kind <- function(peer) {
  c("mean of the target" = "no feature helps", "glm, target" = "others of no use",
    "ridge, target" = "others of no use, small effects", "lasso, target" = "others of no use, few effects",
    "glm, pooled" = "slopes alike in all domains",
    "ridge, pooled" = "slopes alike, small effects", "lasso, pooled" = "slopes alike, few effects",
    "lme4" = "slopes that vary feature by feature", "glmtrans" = "some others alike, few effects")[peer]
}

MANY_FILE <- "vignettes/many.csv"

part_errors <- function() {
  losses <- many_losses(many_sets())
  utils::write.csv(cbind(losses[1:3], signif(losses[-(1:3)], 3)), MANY_FILE, row.names = FALSE)
  many_section(utils::read.csv(MANY_FILE, check.names = FALSE))
}

many_section <- function(losses) {
  ratios <- many_ratios(losses)
  lost <- ratios[ratios[["tlcp(select = FALSE)"]] > 1.1, ]
  lost <- lost[order(-lost[["tlcp(select = FALSE)"]]), ]
  section(
    "many", "errors", "tlcp() beside simple peers on public data sets",
    paste0("Targets of 8 to 60 rows of a domain, drawn ", MANY_DRAWS, " times, its other rows are the test. The other ",
           "domains are as they are, but"),
    "at most 19 of them and 1,000 of their rows. Mean squared error, or half the mean deviance, of test rows.",
    "Geometric means over the cells (set, number of rows) of the loss over that of `tlcp(select = FALSE)`, by rows",
    paste("of the target and by family; per cent of the cells in which the way is better (in three digits), and",
          "cells in which"),
    "it has no fit or an infinite loss, which are left out:", "",
    markdown_table(many_table(losses)), "",
    "By set, over all numbers of rows: the loss over that of the best peer of each cell (of nine, after the fact), the",
    "peer that is best over all cells, and its own ratio:", "",
    markdown_table(ratios), "",
    "Sets where `tlcp(select = FALSE)` has more than 1.1 times the loss of the best peer of each cell, and what the",
    "peer that is best over all cells says of their kind:", "",
    markdown_table(data.frame(
      set = lost$set, family = lost$family, kind = unname(many_kind(lost[["best peer"]])),
      `over the best of each cell` = lost[["tlcp(select = FALSE)"]],
      `over this peer` = lost[["tlcp(select = FALSE)"]] / lost[["its ratio"]], check.names = FALSE
    ))
  )
}

run_parts("many", list(sets = part_sets, errors = part_errors))

# The paper's panels for schools and Parkinson (Figures 9 to 11 and 13 to 15): three sources, several
# numbers of rows, two and three tasks; and its sweep over all sources (Figures 12 and 16). Only
# definitions.

# As the paper has it, |w_2 - w_1| / |w_1| of least squares on all rows, each task with z-scores of its own.
raw_dissimilarity <- function(tasks) {
  z <- lapply(tasks, function(task) {
    task <- as.matrix(task)
    scale <- ifelse(apply(task, 2, two_values), 1, apply(task, 2, stats::sd))
    t((t(task) - colMeans(task)) / scale)
  })
  kept <- Reduce(intersect, lapply(z, function(task) independent_columns(task[, -1]))) + 1
  w <- lapply(z, function(task) qr.coef(qr(task[, kept]), task[, 1]))
  sqrt(sum((w[[2]] - w[[1]])^2) / sum(w[[1]]^2))
}

# `third`: the second source of three tasks. The numbers of the paper's schools and people are lost in the
# copy at hand: these are little, fairly and very unlike the target.
panel_sets <- list(
  school = list(make = school_set, file = "school.csv.gz", sources = c(18, 4, 84), third = 17,
                n = c(60, 100, 140), title = "School 1"),
  parkinson = list(make = parkinson_set, file = "parkinsons.csv.gz", sources = c(24, 3, 36), third = 15,
                   n = c(60, 100), title = "Parkinson, person 1")
)

panel_methods <- c(
  "Cp, target alone", "stepwise, target alone", "univariate, target alone", "lasso, target alone",
  "Cp, all rows as one task", "stepwise, all rows as one task", "univariate, all rows as one task",
  "lasso, all rows as one task", "RMTL, L21", "multi-level lasso", "plugin, shared (the paper)",
  "plugin, cutoff (the paper)", "hierarchical (the default)"
)

panel_splits <- 6

# Mean loss of the methods, one or more sources.
panel_losses <- function(set, n, names) {
  methods <- runnable(length(set$tasks))[names]
  methods <- methods[!vapply(methods, is.null, NA)]
  vapply(1000 + seq_len(panel_splits), function(seed) {
    split <- draw_split(set, n, seed)
    vapply(methods, function(method) {
      set.seed(seed)
      mean((split$test_y - method$run(split)$score)^2) / split$variance
    }, 0)
  }, numeric(length(methods)))
}

panel_table <- function(panel, source) {
  ours <- grep("plugin|hierarchical", panel_methods, value = TRUE)
  columns <- lapply(panel$n, function(n) {
    two <- panel_losses(panel$make(source), n, panel_methods)
    three <- panel_losses(panel$make(c(source, panel$third)), n, ours)
    rownames(three) <- paste0(rownames(three), ", three tasks")
    loss <- rbind(two, three)
    stats::setNames(with_error(rowMeans(loss), apply(loss, 1, standard_error)), rownames(loss))
  })
  table <- data.frame(names(columns[[1]]), columns)
  names(table) <- c("method", paste("n =", panel$n))
  table
}

panel_lines <- function(panel) {
  if (!has_file(panel$file)) return(character())
  unlist(lapply(panel$sources, function(source) {
    message("  ", panel$title, " with ", source)
    c("", sprintf("%s with %d, relative dissimilarity %.2f, third task %d:", panel$title, source,
                  raw_dissimilarity(panel$make(source)$tasks), panel$third), "",
      markdown_table(panel_table(panel, source)))
  }))
}

part_panels <- function() {
  section(
    "tlcp", "panels", "Three sources, several sizes, two and three tasks (Figures 9 to 11 and 13 to 15)",
    paste0("As for the furnaces, ", panel_splits, " splits: unexplained variance, mean (standard error)."),
    "Relative dissimilarity as in the paper, from all rows of both tasks. Which schools and people the",
    "paper took is lost in the copy at hand; here one source each that is little, fairly and very",
    "unlike. The paper: TLCp ahead of Cp unless the source is very unlike, pooled rows better still",
    "where it is alike and far worse where it is not; the second source adds little or something.",
    unlist(lapply(panel_sets, panel_lines))
  )
}

# ---- the sweep --------------------------------------------------------------------------------

# One source: loss of the cutoff and of the default over that of Cp on the target alone.
sweep_row <- function(set, n, count) {
  loss <- rowMeans(vapply(1000 + seq_len(count), function(seed) {
    split <- draw_split(set, n, seed)
    vapply(paper_methods[c("Cp, target alone", "plugin, cutoff (the paper)",
                           "hierarchical (the default)")], function(method) {
      mean((split$test_y - method$run(split)$score)^2) / split$variance
    }, 0)
  }, numeric(3)))
  data.frame(relative = raw_dissimilarity(set$tasks), cutoff = loss[[2]] / loss[[1]],
             default = loss[[3]] / loss[[1]])
}

# Sources by their dissimilarity, in groups of equal number.
sweep_table <- function(make, sources, n, count, groups = 6) {
  rows <- do.call(rbind, lapply(sources, function(source) sweep_row(make(source), n, count)))
  rows <- rows[order(rows$relative), ]
  group <- cut(seq_len(nrow(rows)), groups, labels = FALSE)
  do.call(rbind, lapply(split(rows, group), function(g) {
    data.frame(
      "relative dissimilarity" = paste(format_number(range(g$relative)), collapse = " to "),
      sources = nrow(g), "cutoff / Cp" = exp(mean(log(g$cutoff))),
      "cutoff better than Cp" = sum(g$cutoff < 1), "default / Cp" = exp(mean(log(g$default))),
      "default better than Cp" = sum(g$default < 1), check.names = FALSE
    )
  }))
}

part_sweep <- function(count = 5) {
  title <- "Every other school and person as the source (Figures 12 and 16)"
  files <- c("school.csv.gz", "parkinsons.csv.gz")
  if (!all(vapply(files, has_file, NA))) {
    return(section("tlcp", "sweep", title,
                   paste0("Left out: its data are not in the data folder (", data_folder(), ").")))
  }
  schools <- table(read_set("school.csv.gz")$school)
  large <- setdiff(as.integer(names(schools)[schools >= 100]), 1)
  section(
    "tlcp", "sweep", title,
    paste0("The paper's cutoff (`borrow = \"plugin\"`, without a guard) and the default, over Cp on the target's"),
    paste0("rows alone: n = 60, ", count, " splits a source, geometric means over sources."), "",
    "School 1 with every school of 100 pupils or more. The paper: the cutoff ahead of Cp but for a few",
    "sources, less so the more unlike:", "",
    markdown_table(sweep_table(school_set, large, 60, count)), "",
    "Parkinson, person 1 with every other person. The paper: error grows with the dissimilarity, then",
    "falls, and ends at that of Cp:", "",
    markdown_table(sweep_table(parkinson_set, 2:42, 60, count))
  )
}

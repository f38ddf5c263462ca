# The paper's panels for schools and Parkinson (Figures 9 to 11 and 13 to 15): three other domains, several
# numbers of rows, two and three domains; and its sweep over all other domains (Figures 12 and 16). Only
# definitions.

# The paper's |w_2 - w_1| / |w_1|, by least squares on all rows, each domain with z-scores of its own.
raw_dissimilarity <- function(domains) {
  z <- lapply(domains, function(domain) {
    domain <- as.matrix(domain)
    scale <- ifelse(apply(domain, 2, two_values), 1, apply(domain, 2, stats::sd))
    t((t(domain) - colMeans(domain)) / scale)
  })
  kept <- Reduce(intersect, lapply(z, function(domain) independent_columns(domain[, -1]))) + 1
  w <- lapply(z, function(domain) qr.coef(qr(domain[, kept]), domain[, 1]))
  sqrt(sum((w[[2]] - w[[1]])^2) / sum(w[[1]]^2))
}

# The schools and people of the authors' programs. `third`: for each the second other domain of three domains.
panel_sets <- list(
  school = list(make = school_set, file = "school.csv.gz", others = c(18, 27, 20), third = c(27, 18, 27),
                n = c(60, 100, 140), title = "School 1"),
  parkinson = list(make = parkinson_set, file = "parkinsons.csv.gz", others = c(33, 24, 36), third = c(24, 33, 33),
                   n = c(60, 100), title = "Parkinson, person 1")
)

panel_methods <- c(
  "Cp, target alone", "stepwise, target alone", "univariate, target alone", "lasso, target alone",
  "Cp, all rows as one domain", "stepwise, all rows as one domain", "univariate, all rows as one domain",
  "lasso, all rows as one domain", "RMTL, L21", "multi-level lasso", "plugin, shared",
  "plugin, cutoff", "plugin3, shared", "plugin3, cutoff", "hierarchical (the default)"
)

panel_splits <- 6

# Mean loss of the methods, one or more other domains.
panel_losses <- function(set, n, names) {
  methods <- runnable(length(set$domains))[names]
  methods <- methods[!vapply(methods, is.null, NA)]
  vapply(1000 + seq_len(panel_splits), function(seed) {
    split <- draw_split(set, n, seed)
    vapply(methods, function(method) {
      set.seed(seed)
      mean((split$test_y - method$run(split)$score)^2) / split$variance
    }, 0)
  }, numeric(length(methods)))
}

panel_table <- function(panel, other, third) {
  ours <- grep("plugin|hierarchical", panel_methods, value = TRUE)
  columns <- lapply(panel$n, function(n) {
    two <- panel_losses(panel$make(other), n, panel_methods)
    three <- panel_losses(panel$make(c(other, third)), n, ours)
    rownames(three) <- paste0(rownames(three), ", three domains")
    loss <- rbind(two, three)
    stats::setNames(with_error(rowMeans(loss), apply(loss, 1, standard_error)), rownames(loss))
  })
  table <- data.frame(names(columns[[1]]), columns)
  names(table) <- c("method", paste("n =", panel$n))
  table
}

panel_lines <- function(panel) {
  if (!has_file(panel$file)) return(character())
  unlist(Map(function(other, third) {
    message("  ", panel$title, " with ", other)
    c("", sprintf("%s with %d, relative dissimilarity %.2f, third domain %d:", panel$title, other,
                  raw_dissimilarity(panel$make(other)$domains), third), "",
      markdown_table(panel_table(panel, other, third)))
  }, panel$others, panel$third))
}

part_panels <- function() {
  section(
    "tlcp", "panels", "Three other domains, several sizes, two and three domains (Figures 9 to 11 and 13 to 15)",
    paste0("As for the furnaces, ", panel_splits, " splits: unexplained variance, mean (standard error)."),
    "Relative dissimilarity is as in the paper, from all rows of both domains. Schools and people are those of",
    "the authors' programs; the numbers of rows are ours. The paper: TLCp better than Cp unless the dissimilarity",
    "is large; pooled rows better still where it is small and far worse where it is large; a second other domain",
    "gains little where the first is similar, much on the schools where it is not. With three domains `plugin` is",
    "ours and `plugin3` the paper's rule.",
    unlist(lapply(panel_sets, panel_lines))
  )
}

# ---- the sweep --------------------------------------------------------------------------------

# For one other domain the losses of the cutoff and of the default, divided by that of Cp on the target alone.
sweep_row <- function(set, n, count) {
  loss <- rowMeans(vapply(1000 + seq_len(count), function(seed) {
    split <- draw_split(set, n, seed)
    vapply(paper_methods[c("Cp, target alone", "plugin, cutoff",
                           "hierarchical (the default)")], function(method) {
      mean((split$test_y - method$run(split)$score)^2) / split$variance
    }, 0)
  }, numeric(3)))
  data.frame(relative = raw_dissimilarity(set$domains), cutoff = loss[[2]] / loss[[1]],
             default = loss[[3]] / loss[[1]])
}

# Other domains by their dissimilarity, in groups of equal number.
sweep_table <- function(make, others, n, count, groups = 6) {
  rows <- do.call(rbind, lapply(others, function(other) sweep_row(make(other), n, count)))
  rows <- rows[order(rows$relative), ]
  group <- cut(seq_len(nrow(rows)), groups, labels = FALSE)
  do.call(rbind, lapply(split(rows, group), function(g) {
    data.frame(
      "relative dissimilarity" = paste(format_number(range(g$relative)), collapse = " to "),
      "other domains" = nrow(g), "cutoff / Cp" = exp(mean(log(g$cutoff))),
      "cutoff better than Cp" = sum(g$cutoff < 1), "default / Cp" = exp(mean(log(g$default))),
      "default better than Cp" = sum(g$default < 1), check.names = FALSE
    )
  }))
}

part_sweep <- function(count = 5) {
  title <- "Every other school and person as the other domain (Figures 12 and 16)"
  files <- c("school.csv.gz", "parkinsons.csv.gz")
  if (!all(vapply(files, has_file, NA))) {
    return(section("tlcp", "sweep", title,
                   paste0("Left out: its data are not in the data folder (", data_folder(), ").")))
  }
  schools <- table(read_set("school.csv.gz")$school)
  large <- setdiff(as.integer(names(schools)[schools >= 100]), 1)
  section(
    "tlcp", "sweep", title,
    "Loss of the paper's cutoff (`borrow = \"plugin\"`, guard = FALSE) and of the default, divided by that of Cp on",
    paste0("the target's rows alone: n = 60, ", count, " splits for each other domain, geometric means over domains."),
    "",
    "School 1 with every school of 100 pupils or more. The paper: the cutoff better than Cp but for a few",
    "other domains, and less so the larger the dissimilarity:", "",
    markdown_table(sweep_table(school_set, large, 60, count)), "",
    "Parkinson, person 1 with every other person. The paper: error grows with the dissimilarity, then",
    "falls, and ends at that of Cp:", "",
    markdown_table(sweep_table(parkinson_set, 2:42, 60, count))
  )
}

# The paper's experiments, section 7: prediction errors of subsets chosen with and without another
# domain. Only definitions.

# ---- the experiments --------------------------------------------------------------------------

# Losses of a prototype; NA: none is known.
prototype_rows <- c("Cp, target alone", "Cp, all rows as one domain", "lasso, target alone",
                    "glmtrans", "RMTL, L21", "plugin, shared", "pooled, shared", "reml, shared",
               "hierarchical (the default)", "hierarchical, all features")
prototype_of <- function(...) stats::setNames(c(...), prototype_rows)

paper_experiments <- list(
  furnace = list(
    list(title = "Furnace A with B", make = furnace_set, n = 60,
         prototype = prototype_of(.809, .707, .679, .685, .650, .766, .698, .665, .645, .646)),
    list(title = "Furnace A with B", make = furnace_set, n = 150,
         prototype = prototype_of(.632, .641, .597, .597, .594, .620, .603, .597, .592, .591)),
    list(title = "Furnace A with B", make = furnace_set, n = 290,
         prototype = prototype_of(.601, .623, .585, .587, .585, .586, .587, .585, .581, .576))
  ),
  parkinson = list(
    list(title = "Parkinson, person 1 with 24", make = function() parkinson_set(24), n = 60,
         prototype = prototype_of(.0262, .0230, .0237, .0242, .0235, .0255, .0248, .0230, .0228,
                                  .0226)),
    list(title = "Parkinson, person 1 with 36 (unlike)", make = function() parkinson_set(36),
         n = 60,
         prototype = prototype_of(.0262, .122, .0237, .0235, .0250, .0287, .0279, .0272, .0232,
                                  .0233)),
    list(title = "Parkinson, person 1 with 2 to 11 (the prototype: ten other ones)",
         make = function() parkinson_set(2:11), n = 60, prototype_splits = 15,
         prototype = prototype_of(.0279, .329, .0238, .0237, .0248, .0307, NA, NA, NA, .0230))
  ),
  school = list(
    list(title = "School 1 with 18", make = function() school_set(18), n = 60,
         prototype = prototype_of(.972, .787, .907, .862, .883, .890, .834, .801, .812, .806))
  ),
  heart = list(
    list(title = "Heart, VA with three hospitals", make = function() heart_set("va"), n = 50,
         prototype = prototype_of(.910, .837, .869, .819, .847, .842, NA, NA, NA, .823)),
    list(title = "Heart, Cleveland with three hospitals", make = function() heart_set("cleveland"),
         n = 50, prototype = prototype_of(.729, .595, .689, .659, .668, .626, NA, NA, NA, .620))
  )
)

splits <- 15

# The methods for so many domains whose packages are installed.
runnable <- function(domains) {
  Filter(function(method) {
    (is.null(method$domains) || method$domains == domains) &&
      (is.null(method$needs) || installed(method$needs))
  }, paper_methods)
}

# methods x splits: unexplained variance, features kept, processor seconds.
run_experiment <- function(experiment) {
  set <- experiment$make()
  methods <- runnable(length(set$domains))
  seeds <- 1000 + seq_len(splits)
  out <- lapply(seeds, function(seed) {
    split <- draw_split(set, experiment$n, seed)
    vapply(methods, function(method) {
      set.seed(seed)
      before <- worked()
      found <- method$run(split)
      c(loss = mean((split$test_y - found$score)^2) / split$variance, kept = found$kept,
        seconds = worked() - before)
    }, numeric(3))
  })
  runs <- simplify2array(out)
  list(loss = runs["loss", , ], kept = runs["kept", , ], seconds = runs["seconds", , ],
       prototype = experiment$prototype, prototype_splits = experiment$prototype_splits)
}

# ---- tables -----------------------------------------------------------------------------------

standard_error <- function(x) stats::sd(x) / sqrt(length(x))

three_digits <- function(x) sub("^0[.]", ".", formatC(x, digits = 3, format = "fg", flag = "#"))

with_error <- function(value, error) {
  paste0(three_digits(value), " (", formatC(error, digits = 2, format = "fg"), ")")
}

default <- "hierarchical (the default)"

# Mean loss divided by that of the default on the same splits; its standard error by the delta method.
ratio_to_default <- function(loss) {
  base <- mean(loss[default, ])
  ratio <- rowMeans(loss) / base
  error <- vapply(rownames(loss), function(method) {
    standard_error(loss[method, ] - ratio[method] * loss[default, ]) / base
  }, 0)
  list(ratio = ratio, error = error)
}

experiment_table <- function(runs) {
  against <- ratio_to_default(runs$loss)
  prototype <- runs$prototype[rownames(runs$loss)]
  data.frame(
    method = rownames(runs$loss),
    "unexplained variance" = with_error(rowMeans(runs$loss), apply(runs$loss, 1, standard_error)),
    "prototype" = ifelse(is.na(prototype), "", three_digits(prototype)),
    "/ the default" = ifelse(rownames(runs$loss) == default, "",
                             with_error(against$ratio, against$error)),
    "features kept" = sprintf("%.1f", rowMeans(runs$kept)),
    "ms a fit" = 1000 * rowMeans(runs$seconds),
    check.names = FALSE
  )
}

# Differences to the prototype's losses, in standard errors of ours over as many splits as it had.
against_prototype <- function(runs) {
  known <- intersect(rownames(runs$loss), names(runs$prototype)[!is.na(runs$prototype)])
  loss <- runs$loss[known, seq_len(min(splits, runs$prototype_splits)), drop = FALSE]
  away <- abs(rowMeans(loss) - runs$prototype[known]) / apply(loss, 1, standard_error)
  far <- away > 1
  first <- if (ncol(loss) < splits) paste0(" (Of the first ", ncol(loss), " splits, which it had.)")
  if (!any(far)) return(paste0("Every row is within one standard error of the prototype's.", first))
  paste0("More than one standard error from the prototype's figure: ",
         toString(sprintf("%s (%.1f)", known[far], away[far])), ".", first)
}

experiment_name <- function(experiment) paste0(experiment$title, ", n = ", experiment$n)

experiment_lines <- function(experiment) {
  message("  ", experiment_name(experiment))
  runs <- run_experiment(experiment)
  keep_losses(experiment_name(experiment), runs$loss)
  c("", paste0(experiment_name(experiment), ":"), "", markdown_table(experiment_table(runs)), "",
    against_prototype(runs))
}

# ---- over all experiments ---------------------------------------------------------------------

losses_file <- "bench/results/tlcp-losses.csv"

# Replaces the rows of the experiment in the file with the losses of all splits.
keep_losses <- function(name, loss) {
  dir.create(dirname(losses_file), showWarnings = FALSE, recursive = TRUE)
  rows <- data.frame(experiment = name, method = rownames(loss)[row(loss)], split = c(col(loss)),
                     loss = signif(c(loss), 6))
  locked(losses_file, {
    kept <- if (file.exists(losses_file)) utils::read.csv(losses_file)
    kept <- rbind(kept[kept$experiment != name, ], rows)
    utils::write.csv(kept, losses_file, row.names = FALSE)
  })
}

read_losses <- function() {
  runs <- utils::read.csv(losses_file)
  known <- unlist(lapply(unlist(paper_experiments, recursive = FALSE), experiment_name))
  lapply(split(runs, factor(runs$experiment, intersect(known, runs$experiment))), function(one) {
    loss <- matrix(one$loss, ncol = max(one$split))
    rownames(loss) <- one$method[seq_len(nrow(loss))]
    loss
  })
}

# Loss of each method divided by that of the default, by experiment, and the geometric mean over experiments.
overall_table <- function(ratios) {
  ran <- unique(unlist(lapply(ratios, function(r) names(r$ratio))))
  methods <- setdiff(intersect(names(paper_methods), ran), default)
  value <- vapply(ratios, function(r) r$ratio[methods], numeric(length(methods)))
  error <- vapply(ratios, function(r) r$error[methods], numeric(length(methods)))
  cells <- ifelse(is.na(value), "", with_error(value, error))
  colnames(cells) <- seq_along(ratios)
  data.frame(method = methods, cells, mean = three_digits(exp(rowMeans(log(value), na.rm = TRUE))),
             check.names = FALSE, row.names = NULL)
}

# The experiments in which the default is worse by more than one standard error of the paired difference.
loses_to <- function(method, ratios) {
  worse <- vapply(ratios, function(r) isTRUE(r$ratio[[method]] + r$error[[method]] < 1), NA)
  found <- if (any(worse)) {
    paste("worse by more than one standard error in", toString(which(worse)))
  } else {
    "better or within one standard error everywhere"
  }
  paste0("Against `", method, "` the default is ", found, ".")
}

part_overall <- function() {
  title <- "All experiments"
  if (!file.exists(losses_file)) {
    return(section("tlcp", "overall", title, "Left out: no experiment has run."))
  }
  losses <- read_losses()
  ratios <- lapply(losses, ratio_to_default)
  rivals <- c("Cp, target alone", "plugin, shared", "lasso, target alone", "glmtrans")
  rivals <- Filter(function(method) all(vapply(losses, function(l) method %in% rownames(l), NA)),
                   rivals)
  section(
    "tlcp", "overall", title,
    "Loss divided by that of the default (`hierarchical`, support `target`) on the same splits",
    "(standard error); mean: geometric mean over the experiments in which the method ran.",
    paste0(seq_along(ratios), ": ", names(ratios), c(rep(";", length(ratios) - 1), ".")), "",
    markdown_table(overall_table(ratios)), "", vapply(rivals, loses_to, "", ratios)
  )
}

# ---- the parts --------------------------------------------------------------------------------

absent_methods <- function() {
  needs <- unlist(lapply(paper_methods, `[[`, "needs"))
  absent <- unique(needs[!vapply(needs, installed, NA)])
  if (length(absent)) c("", paste0("Left out, not installed here: ", toString(absent), "."))
}

experiment_part <- function(part, title, file, ...) {
  if (!has_file(file)) {
    return(section("tlcp", part, title,
                   paste0("Left out: its data are not in the data folder (", data_folder(), ").")))
  }
  section("tlcp", part, title, ..., absent_methods(),
          unlist(lapply(paper_experiments[[part]], experiment_lines)))
}

has_file <- function(file) file.exists(file.path(data_folder(), file))

protocol <- c(
  "Unexplained variance is the mean squared error on the target's other rows, divided by the variance of all",
  paste0("its rows: mean (standard error) over ", splits, " random splits, the same for all methods. Milliseconds are"),
  "processor time, mean over fits.",
  "Each domain has z-scores from its training rows; columns of two values are only centred. Features that are",
  "redundant in the training rows of some domain are left out in all. lasso: glmnet, lambda.min of ten",
  "folds; RMTL: its own grid and five folds; glmtrans: its own selection of other domains; stepwise: F",
  "tests, in below .05, out above .10; univariate: features whose own correlation is significant at",
  ".05; multi-level lasso: five folds of all domains. `plugin`, `pooled` and `reml` are fitted with guard = FALSE",
  "unless the row says otherwise. `plugin` is the paper's rule with two domains and ours with more, `plugin3` the",
  "paper's with three. `prototype`: results of an earlier program on 30 splits of its own (15 with",
  "several other domains)."
)

part_furnace <- function() {
  experiment_part(
    "furnace", "Blast furnaces", "furnace_A.csv", protocol, "",
    "The paper's enumeration of all subsets took 1078 s a fit on the target alone and 1245 s on all rows as",
    "one domain (its Table 8, MATLAB); the rows `Cp` below solve the same problems."
  )
}

part_parkinson <- function() {
  experiment_part("parkinson", "Parkinson's telemonitoring", "parkinsons.csv.gz",
                  "The response is motor_UPDRS, the features are the time of the test and 16 measures of voice.",
                  "As for the furnaces.")
}

part_school <- function() {
  experiment_part("school", "London schools", "school.csv.gz",
                  "The response is the score; of 27 features about 8 are not redundant. As for the furnaces.")
}

part_heart <- function() {
  experiment_part(
    "heart", "Heart disease in four hospitals", "heart.csv",
    "The response is `num` (0 to 4), the features are age, sex, trestbps, restecg, thalach, exang, oldpeak and",
    "three columns for the kind of pain; rows without missing values. The columns and rows that the prototype",
    "used are",
    "not known. As for the furnaces."
  )
}

# The benchmark of greedytl(), from the project root:
#   Rscript bench/greedytl.R [bandwidth] [speed] [beside] [growth] [memory] [accuracy] [baselines]
#     [dam] [one] [noise] [drawn] [map] [subset] [theorems] [columns] [spread] [prob] [odds]
#     [calibrations] [split] [binomial] [sure] [counts] [strata] [bound] [digits]
# (default: all)
# Each part replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/bandwidth.R")
source("bench/greedytl/speed.R")
source("bench/greedytl/memory.R")
source("bench/greedytl/data.R")
source("bench/greedytl/multikt.R")
source("bench/greedytl/accuracy.R")
source("bench/greedytl/baselines.R")
source("bench/greedytl/subset.R")
source("bench/greedytl/theorems.R")
source("bench/greedytl/spread.R")
source("bench/greedytl/prob.R")
source("bench/greedytl/odds.R")
source("bench/greedytl/binomial.R")
source("bench/greedytl/sure.R")
source("bench/greedytl/counts.R")
source("bench/greedytl/strata.R")
source("bench/msplit/real.R")   # real_sets()
source("bench/tgreedy/data.R")  # domain_sets
source("bench/greedytl/bound.R")

parts <- list(
  bandwidth = part_bandwidth, speed = part_speed, beside = part_beside, growth = part_growth, memory = part_memory,
  accuracy = part_accuracy, baselines = part_baselines, dam = part_dam,
  one = part_one, noise = part_noise, drawn = part_drawn, map = part_map, subset = part_subset,
  theorems = part_theorems, columns = part_columns, spread = part_target_spread, prob = part_prob,
  odds = part_odds, calibrations = part_calibrations, split = part_split, binomial = part_binomial,
  sure = part_sure, counts = part_counts, strata = part_strata, bound = part_bound, digits = part_digits
)
run_parts("greedytl", parts, alone = c("bandwidth", "speed", "beside", "growth", "memory"))

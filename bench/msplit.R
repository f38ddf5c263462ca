# The benchmark of msplit(), from the project root:
#   Rscript bench/msplit.R [table1] [figure2] [honest] [lone] [evidence] [real] [speed] [pca] [pixels5]
#     [pixels20] [zeroshot] [signals] [oracle] [ways]
# (default: all)
# Each part replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/msplit/table1.R")
source("bench/msplit/evidence.R")
source("bench/msplit/real.R")
source("bench/msplit/speed.R")
source("bench/msplit/omniglot.R")
source("bench/msplit/zeroshot.R")
source("bench/msplit/signals.R")

parts <- list(
  table1 = part_table1, figure2 = part_figure2, honest = part_honest, lone = part_lone, evidence = part_evidence,
  real = part_real, speed = part_speed, pca = part_pca, pixels5 = part_pixels5,
  pixels20 = part_pixels20, zeroshot = part_zeroshot, signals = part_signals,
  oracle = part_oracle, ways = part_ways
)
run_parts("msplit", parts, alone = "speed")

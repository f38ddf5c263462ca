# The benchmark of tgreedy(), from the project root:
#   Rscript bench/tgreedy.R [digits] [pendigits] [curves] [belief] [even] [similarity] [domains]
#     [own_stops] [choice] [together] [surv] [spread] [speed] [moments] (default: all)
# Each part replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/bandwidth.R")
source("bench/greedytl/data.R")  # reads the data sets
source("bench/greedytl/speed.R") # growth_of()
source("bench/tgreedy/digits.R")
source("bench/tgreedy/similarity.R")
source("bench/tgreedy/belief.R")
source("bench/tgreedy/data.R")
source("bench/tgreedy/domains.R")
source("bench/tgreedy/together.R")
source("bench/tgreedy/surv.R")
source("bench/tgreedy/stops.R")
source("bench/tgreedy/choice.R")
source("bench/tgreedy/spread.R")
source("bench/tgreedy/speed.R")

parts <- list(
  digits = part_digits, pendigits = part_pendigits, curves = part_curves, belief = part_belief,
  even = part_even, similarity = part_similarity, domains = part_domains, own_stops = part_stops, choice = part_choice,
  together = part_together, surv = part_surv, spread = part_spread, speed = part_speed, moments = part_moments
)
run_parts("tgreedy", parts, alone = c("speed", "moments"))

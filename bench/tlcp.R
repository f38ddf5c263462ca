# The benchmark of tlcp(), from the project root:
#   Rscript bench/tlcp.R [seed1001] [furnace] [parkinson] [school] [heart] [panels] [sweep]
#     [toy] [cutoff] [wide] [overall] [guard] [shares] [dispersion] [evidence] [verdicts] [intervals]
#     [units] [lme4] [settings] [kinds] [omega] [search] [real] [sizes] [likelihood] [fits]
# (default: all). Each part replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/bandwidth.R")     # machine()
source("bench/greedytl/data.R") # read_set()
source("bench/tlcp/data.R")
source("bench/tlcp/methods.R")
source("bench/tlcp/paper.R")
source("bench/tlcp/panels.R")
source("bench/tlcp/simulations.R")
source("bench/tlcp/seed1001.R")
source("bench/tlcp/guard.R")
source("bench/tlcp/shares.R")
source("bench/tlcp/verdicts.R")
source("bench/tlcp/dispersion.R")
source("bench/tlcp/coverage.R")
source("bench/tlcp/units.R")
source("bench/tlcp/kinds.R")
source("bench/tlcp/search.R")
source("bench/tlcp/real.R")

parts <- list(
  seed1001 = part_seed1001, furnace = part_furnace, parkinson = part_parkinson,
  school = part_school, heart = part_heart, panels = part_panels, sweep = part_sweep,
  toy = part_toy, cutoff = part_cutoff, wide = part_wide, overall = part_overall, guard = part_guard,
  shares = part_shares,
  dispersion = part_dispersion, evidence = part_evidence, verdicts = part_verdicts, intervals = part_intervals,
  units = part_units, lme4 = part_lme4, settings = part_settings, kinds = part_kinds, omega = part_omega,
  search = part_search, real = part_real, sizes = part_sizes, likelihood = part_likelihood, fits = part_fits
)
run_parts("tlcp", parts,
          alone = c("overall", "search", "real", "sizes", "likelihood", "fits"))

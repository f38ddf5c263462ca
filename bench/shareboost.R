# The benchmark of shareboost(), from the project root:
#   Rscript bench/shareboost.R [speed] [mnist] [pendigits] [satellite] [isolet] [letters]
#     [sharing] [classes] [stumps] [overfit] [patches] [default] [products] [isolet_pairs] [ridge]
#     [weak] [choices] [learning] [many] [prediction]
#     [pieces50] [pieces20] [pieces230 (an hour)]
# Each part (default: all) replaces its section of bench/RESULTS.md.
source("bench/common.R")
source("bench/bandwidth.R")
source("bench/greedytl/data.R") # reads the data sets
source("bench/tgreedy/speed.R") # clock()
source("bench/shareboost/data.R")
source("bench/shareboost/accuracy.R")
source("bench/shareboost/mixed.R")
source("bench/shareboost/jointboost.R")
source("bench/shareboost/curves.R")
source("bench/shareboost/patches.R")
source("bench/shareboost/sharing.R")
source("bench/shareboost/speed.R")
source("bench/shareboost/times.R")
source("bench/shareboost/pieces.R")
source("bench/shareboost/products.R")
source("bench/shareboost/default.R")
source("bench/shareboost/ridge.R")

parts <- list(
  speed = part_speed, mnist = part_mnist,
  pendigits = function() part_data("pendigits", "pendigits, pairs"),
  satellite = function() part_data("satellite", "Satellite, pairs"),
  isolet = function() part_data("isolet", "isolet"),
  letters = function() part_data("letters", "letters"),
  sharing = part_sharing,
  classes = part_classes, stumps = part_stumps, overfit = part_overfit, patches = part_patches,
  default = part_default, ridge = part_ridge, weak = part_weak, choices = part_choices,
  products = part_products, isolet_pairs = function() part_isolet_pairs(),
  learning = part_learning, many = part_many, prediction = part_prediction,
  pieces50 = function() part_pieces("pieces50", 50, 8, machine = TRUE),
  pieces20 = function() part_pieces("pieces20", 20, 20),
  pieces230 = function() part_pieces_paper()
)
run_parts("shareboost", parts, alone = c("speed", "products", "learning", "many", "prediction"))

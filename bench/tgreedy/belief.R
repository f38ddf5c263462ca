# The paper's first experiment with features of a deep belief network (Hinton, Osindero and Teh, 2006), as the paper has
# them: two restricted Boltzmann machines of 300 and 400 units, trained on digits without labels, by one step of
# contrastive divergence; the features are the 400 probabilities of the upper layer. The paper has 2000 features of a
# network that it does not describe further. Only definitions.

logistic <- function(z) 1 / (1 + exp(-z))

with_bias <- function(z, b) z + rep(b, each = nrow(z))

# Weights (visible x hidden) and biases; x: rows with values from 0 to 1.
boltzmann_machine <- function(x, hidden, epochs = 6, batch = 50, rate = .1, decay = 2e-4) {
  w <- matrix(stats::rnorm(ncol(x) * hidden, sd = .01), ncol(x))
  up <- numeric(hidden)
  down <- stats::qlogis(pmin(pmax(colMeans(x), .01), .99))
  move <- 0 * w
  for (epoch in seq_len(epochs)) {
    momentum <- if (epoch > 2) .9 else .5
    for (rows in split(sample.int(nrow(x)), (seq_len(nrow(x)) - 1) %/% batch)) {
      v <- x[rows, , drop = FALSE]
      h <- logistic(with_bias(v %*% w, up))
      again <- logistic(with_bias(tcrossprod((matrix(stats::runif(length(h)), nrow(h)) < h) + 0, w), down))
      h2 <- logistic(with_bias(again %*% w, up))
      move <- momentum * move + rate * ((crossprod(v, h) - crossprod(again, h2)) / length(rows) - decay * w)
      w <- w + move
      up <- up + rate * colMeans(h - h2)
      down <- down + rate * colMeans(v - again)
    }
  }
  list(w = w, up = up)
}

upper <- function(machine, x) logistic(with_bias(x %*% machine$w, machine$up))

# The training images without their labels train the network; the first `rows` of each digit are the data.
belief_digits <- function(rows, images = 4000) {
  all <- read_mnist("train", images)
  set.seed(11)
  first <- boltzmann_machine(all$x, 300)
  second <- boltzmann_machine(upper(first, all$x), 400)
  sets <- lapply(list(train = all, test = read_mnist("t10k", 10000)), first_rows, rows)
  lapply(sets, function(set) {
    x <- upper(second, upper(first, set$x))
    colnames(x) <- paste0("unit", seq_len(ncol(x)))
    list(x = x, class = set$class)
  })
}

# AUROC on the digit left out along the paths of digits 2 and 7: sizes x rules x pairs.
belief_runs <- function(sets) {
  pairs <- expand.grid(left = 0:9, a = c(2, 7))
  pairs <- pairs[pairs$left != pairs$a, ]
  mapply(digit_pair, a = pairs$a, left = pairs$left, MoreArgs = list(sets = sets), SIMPLIFY = "array")
}

part_belief <- function(rows = 300) {
  title <- "MNIST: features of a deep belief network (Figures 2 and 4)"
  if (!has_file("train-images-idx3-ubyte.gz")) return(no_data("belief", title))
  sets <- belief_digits(rows)
  runs <- curve_runs(sets, 2)
  section(
    "tgreedy", "belief", title,
    "Two restricted Boltzmann machines, 784 pixels to 300 units to 400, trained on 4000 training images without their",
    paste("labels (6 epochs of one-step contrastive divergence). As in part digits,", rows,
          "rows a digit. AUROC on the"),
    "digit left out, mean (standard error) over the 18 pairs with a = 2 or 7:", "",
    mean_table(belief_runs(sets)), "",
    "Digit 2 against each of eight others, as in part curves, without an intercept:", "",
    curves_table(runs), "",
    "In the paper the target curve of greedy falls close to chance after 3 to 4 features."
  )
}

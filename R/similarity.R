#' Pairs of objects for learning a similarity
#'
#' Makes data from which a model learns whether two objects belong to the same class, even to a class that it has not
#' seen: `pairs <- similarity_pairs(x, class)`, then `tgreedy(pairs$x, pairs$y, pairs$domain)`. There is one row per
#' pair of objects. Its features are the products of the features of the two objects; its response is whether the
#' classes agree. Use it if the classes to tell apart are not among the training rows (zero-shot learning) and have no
#' known attributes; with attributes use [zero_shot()], and for classes with examples [shareboost()].
#'
#' Each class is a domain. It has `n_pairs` pairs of two of its objects (positive), and as many pairs of one of its
#' objects and an object of another class (negative), all drawn without replacement. A class with too few pairs of one
#' kind gets as many of the other kind. A class with a single object is no domain; its object may be in the negative
#' pairs of other classes.
#'
#' The fitted function is \eqn{\sum_j w_j \phi_j(x_1) \phi_j(x_2)}, a weighted inner product. So features should be on
#' one scale, and centred unless their zero has a meaning. `tgreedy()` with `intercept = FALSE` fits it without a
#' constant, as printed in the paper. A constant does not change which pair scores higher, but it changes
#' what is selected.
#'
#' The pairs are drawn with R's generator, class by class: [set.seed()] before the call
#' makes them reproducible.
#'
#' @param x The objects' features: a numeric matrix, sparse matrix (`dgCMatrix`) or data frame
#'   (factors are coded as in [lm()]), one row per object.
#' @param class The class of each object: a factor or anything that can be made one.
#' @param n_pairs Largest number of positive pairs per class; there are as many negative pairs.
#' @param classes The classes that become domains. `NULL`: all. The second object of a negative pair is of any other
#'   class in `class`.
#' @param ... Not used; anything given is an error.
#' @returns A list: `x`, the products, a matrix of the same kind and with the same columns as the design of `x`; `y`, a
#'   factor with levels `"different"` and `"same"`, which the fitters code -1 and +1; `domain`, a factor, the class of
#'   the pair; `pairs`, an integer matrix with the row numbers of the two objects; the `first` is of the class `domain`.
#'   Within a class the positive pairs come first.
#' @references Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small
#'   sample statistical approach. *AISTATS*, JMLR W&CP 22, section 4.2.
#'   <https://proceedings.mlr.press/v22/foster12.html>
#' @seealso [tgreedy()], [simulate_domains()]
#' @examplesIf requireNamespace("mlbench", quietly = TRUE)
#' # Letters: learn from pairs of twenty letters, score pairs of six others
#' data(LetterRecognition, package = "mlbench")
#' letters_seen <- setdiff(LETTERS, c("C", "H", "M", "P", "V", "Z"))
#' seen <- LetterRecognition$lettr %in% letters_seen
#' phi <- scale(LetterRecognition[, -1]) # 16 features of an image
#'
#' set.seed(1)
#' train <- similarity_pairs(phi[seen, ], LetterRecognition$lettr[seen], n_pairs = 200)
#' test <- similarity_pairs(phi[!seen, ], LetterRecognition$lettr[!seen], n_pairs = 200)
#' fit <- tgreedy(train$x, train$y, train$domain)
#' fit
#'
#' # area under the ROC curve: how often does a pair of one letter score above a mixed pair?
#' auroc <- function(score, y) {
#'   rank <- rank(score)
#'   same <- y == "same"
#'   (mean(rank[same]) - (sum(same) + 1) / 2) / sum(!same)
#' }
#' score <- predict(fit, test$x, type = "link")
#' auroc(score, test$y)
#' auroc(rowSums(test$x), test$y) # the inner product without weights
#'
#' # each of the unseen letters
#' round(tapply(seq_along(score), test$domain, function(i) auroc(score[i], test$y[i])), 2)
#' @export
similarity_pairs <- function(x, class, n_pairs = 100, classes = NULL, ...) {
  call <- arguments_check()
  if (missing(class)) abort_missing("class", "Give the class of each row of {.arg x}.", call)
  x <- frame_design_from_data(x, call = call)$x
  class <- similarity_check_class(class, nrow(x), call)
  check_number(n_pairs, "n_pairs", 1, call, whole = TRUE)
  classes <- similarity_check_classes(classes, class, call)

  drawn <- lapply(classes, function(k) similarity_draw_pairs(which(class == k), which(class != k), n_pairs))
  pairs <- do.call(rbind, drawn)
  per_class <- vapply(drawn, nrow, 1L)
  same <- unlist(lapply(per_class, function(m) rep(c(TRUE, FALSE), each = m / 2)))
  list(
    x = x[pairs[, 1], , drop = FALSE] * x[pairs[, 2], , drop = FALSE],
    y = factor(same, c(FALSE, TRUE), c("different", "same")),
    domain = factor(rep(classes, per_class), levels = classes),
    pairs = pairs
  )
}

# Pairs, a row each: of two objects of the class, then as many of one of its objects and one of another class. No pair
# is drawn twice. related, other: the row numbers of the objects of the class, and of all others.
similarity_draw_pairs <- function(related, other, n_pairs) {
  m <- as.numeric(length(related))
  count <- min(n_pairs, m * (m - 1) / 2, m * length(other))
  inside <- sample.int(m * (m - 1) / 2, count) - 1
  second <- similarity_pair_column(inside)
  first <- inside - second * (second - 1) / 2
  across <- sample.int(m * length(other), count) - 1
  cbind(
    first = c(related[first + 1], related[across %% m + 1]),
    second = c(related[second + 1], other[across %/% m + 1])
  )
}

# The pair i < j, where i and j are 0, 1, 2, ..., has the number i + j(j - 1)/2. Returns the j of each number. The
# last two lines correct j where rounding of the square root has moved it by 1.
similarity_pair_column <- function(number) {
  j <- floor((1 + sqrt(1 + 8 * number)) / 2)
  j <- j - (j * (j - 1) / 2 > number)
  j + (j * (j + 1) / 2 <= number)
}

similarity_check_class <- function(class, n, call) {
  if (!is.atomic(class) || length(class) != n || anyNA(class)) {
    abort_rows(class, "class", "Give the class of each of the {n} row{?s} of {.arg x}.", call)
  }
  class <- droplevels(as.factor(class))
  if (nlevels(class) < 2) {
    abort_input("{.arg class} has one class: {.val {levels(class)}}.", "class",
                i = "Give two classes or more: the objects of a negative pair are of two classes.", call = call)
  }
  class
}

# The classes that make domains: those asked for, with two objects or more.
similarity_check_classes <- function(classes, class, call) {
  sizes <- table(class)
  unknown <- setdiff(as.character(classes), levels(class))
  if (length(unknown)) {
    abort_input("{.arg classes} has {.val {unknown}}, which {.arg class} does not have.", "classes",
                i = "Name some of {.val {levels(class)}}.", call = call)
  }
  classes <- if (is.null(classes)) levels(class) else unique(as.character(classes))
  single <- classes[sizes[classes] < 2]
  if (length(single) == length(classes)) {
    abort_input("No class has two objects: {.val {single}}.", "class",
                i = "Give two objects of some class: they make a positive pair.", call = call)
  }
  if (length(single)) {
    one <- length(single) == 1
    tell(paste0("The class", if (!one) "es", " ", words_in_quotes(single), if (one) " has" else " have",
                " only one object", if (!one) " each", " and make", if (one) "s", " no domain."))
  }
  setdiff(classes, single)
}

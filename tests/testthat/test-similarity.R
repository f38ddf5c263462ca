# ---- pairs of objects

objects <- function(seed = 1, sizes = c(a = 6, b = 4, c = 3), p = 3) {
  with_seed(seed, {
    class <- factor(sample(rep(names(sizes), sizes)), levels = names(sizes))
    list(x = named_columns(rnorm(sum(sizes) * p), sum(sizes), "f"), class = class)
  })
}

test_that("rows are products of the objects named in pairs", {
  o <- objects()
  s <- with_seed(1, similarity_pairs(o$x, o$class, 3))
  expect_named(s, c("x", "y", "domain", "pairs"))
  expect_identical(dim(s$x), c(18L, 3L))
  expect_identical(colnames(s$x), colnames(o$x))
  for (i in 1:18) {
    expect_equal(s$x[i, ], o$x[s$pairs[i, "first"], ] * o$x[s$pairs[i, "second"], ])
  }
})

test_that("the response says whether the classes agree, the domain whose pair it is", {
  o <- objects()
  s <- with_seed(2, similarity_pairs(o$x, o$class, 3))
  first <- o$class[s$pairs[, 1]]
  second <- o$class[s$pairs[, 2]]
  expect_identical(s$y, factor(ifelse(first == second, "same", "different")))
  expect_identical(levels(s$y), c("different", "same"))
  expect_identical(s$domain, first)
  expect_true(all(table(s$y, s$domain) == 3))
  expect_true(all(s$pairs[, 1] != s$pairs[, 2]))
})

test_that("no pair comes twice and a class gives what it has", {
  o <- objects()
  s <- with_seed(3, similarity_pairs(o$x, o$class, 1000))
  expect_equal(as.vector(table(s$domain)), 2 * choose(c(6, 4, 3), 2))
  for (k in levels(o$class)) {
    own <- s$pairs[s$domain == k, ]
    unordered <- paste(pmin(own[, 1], own[, 2]), pmax(own[, 1], own[, 2]))
    expect_equal(anyDuplicated(unordered), 0)
  }
  # class a has 6 pairs but only 4 with the one object of b
  o <- objects(sizes = c(a = 4, b = 1))
  expect_message(s <- with_seed(3, similarity_pairs(o$x, o$class, 1000)), "b.*no domain")
  expect_equal(as.vector(table(s$y, s$domain)), c(4, 4))
  expect_identical(levels(s$domain), "a")
})

test_that("every pair is as likely as any other", {
  o <- objects(sizes = c(a = 5, b = 2))
  counts <- with_seed(4, {
    drawn <- lapply(1:3000, function(i) similarity_pairs(o$x, o$class, 2, classes = "a")$pairs)
    pairs <- do.call(rbind, drawn)
    table(paste(pmin(pairs[, 1], pairs[, 2]), pmax(pairs[, 1], pairs[, 2])))
  })
  expect_length(counts, 20)
  expect_gt(chisq.test(counts, simulate.p.value = FALSE)$p.value, 1e-3)
})

test_that("pair numbers are read back exactly, however large", {
  expect_equal(similarity_pair_column(0:9), c(1, 2, 2, 3, 3, 3, 4, 4, 4, 4))
  j <- c(1e5, 94906265, 1e7 + 1)
  expect_equal(similarity_pair_column(j * (j - 1) / 2), j)
  expect_equal(similarity_pair_column(j * (j - 1) / 2 - 1), j - 1)
})

test_that("some classes only, in the order asked for", {
  o <- objects()
  s <- with_seed(5, similarity_pairs(o$x, o$class, 3, classes = c("c", "a")))
  expect_identical(levels(s$domain), c("c", "a"))
  expect_true("b" %in% o$class[s$pairs[, 2]])
  expect_identical(as.character(o$class[s$pairs[, 1]]), as.character(s$domain))
})

test_that("sparse, data frame and matrix give the same pairs", {
  o <- objects()
  o$x[abs(o$x) < 0.7] <- 0
  dense <- with_seed(6, similarity_pairs(o$x, o$class, 3))
  sparse <- with_seed(6, similarity_pairs(as(o$x, "CsparseMatrix"), o$class, 3))
  expect_s4_class(sparse$x, "dgCMatrix")
  expect_equal(as.matrix(sparse$x), dense$x, ignore_attr = TRUE)
  expect_identical(colnames(sparse$x), colnames(dense$x))
  expect_identical(sparse[-1], dense[-1])
  expect_identical(with_seed(6, similarity_pairs(as.data.frame(o$x), o$class, 3)), dense)
  as_text <- with_seed(6, similarity_pairs(o$x, as.character(o$class), 3))
  expect_identical(as_text, dense)
})

test_that("a similarity learned from some letters serves letters never seen", {
  skip_if_not_installed("mlbench")
  store <- new.env()
  utils::data("LetterRecognition", package = "mlbench", envir = store)
  letter <- store$LetterRecognition$lettr
  phi <- scale(store$LetterRecognition[, -1])
  seen <- !letter %in% c("C", "H", "M", "P", "V", "Z")
  pairs <- with_seed(1, list(
    train = similarity_pairs(phi[seen, ], letter[seen], 200),
    test = similarity_pairs(phi[!seen, ], letter[!seen], 200)
  ))
  fit <- tgreedy(pairs$train$x, pairs$train$y, pairs$train$domain)
  score <- predict(fit, pairs$test$x, type = "link")
  same <- pairs$test$y == "same"
  learned <- naive_auroc(same, score, rep(1, length(same)))
  plain <- naive_auroc(same, rowSums(pairs$test$x), rep(1, length(same)))
  expect_gt(learned, 0.86)
  expect_gt(learned, plain + 0.05)
})

test_that("bad arguments are refused by name", {
  o <- objects()
  expect_refused(
    similarity_pairs("a", o$class), "x: `x`",
    similarity_pairs(o$x), "class: `class`",
    similarity_pairs(o$x, o$class[-1]), "class: `class` <factor> 12",
    similarity_pairs(o$x, replace(o$class, 2, NA)), "class: `class` <factor> 13 1",
    similarity_pairs(o$x, rep("a", 13)), 'class: `class` "a"',
    similarity_pairs(o$x, seq_len(13)), 'class: "1" "2" "3" "4" "5" "6" "7" "8" "9" "10" "11" "12" "13"',
    similarity_pairs(o$x, o$class, 0), "n_pairs: `n_pairs` 0",
    similarity_pairs(o$x, o$class, 2.5), "n_pairs: `n_pairs` 2.5",
    similarity_pairs(o$x, o$class, 2, classes = "z"), 'classes: `classes` "z" `class`'
  )
})

# The data sets of the comparison between rules: each a list of problems list(x, y, domain). Only
# definitions.

# ---- features ---------------------------------------------------------------------------------

# Columns, their squares (not of columns with two values) and their products.
second_order <- function(x) {
  x <- scale(as.matrix(x))
  pairs <- utils::combn(ncol(x), 2)
  two_values <- apply(x, 2, function(column) length(unique(column)) == 2)
  unname(cbind(x, x[, !two_values]^2, x[, pairs[1, ]] * x[, pairs[2, ]]))
}

# The domains with the most rows; of equal ones the first.
largest_domains <- function(domain, count) {
  sizes <- table(factor(domain, unique(domain)))
  domain %in% names(sizes)[order(-sizes)[seq_len(count)]]
}

problem_of <- function(x, y, domain, rows = rep(TRUE, length(y))) {
  list(x = x[rows, ], y = as.numeric(y[rows]), domain = factor(domain[rows]))
}

# ---- domains of their own ---------------------------------------------------------------------

school_problems <- function() {
  data <- read_set("school.csv.gz")
  list(problem_of(as.matrix(data[paste0("x", 1:27)]), data$score, data$school,
               largest_domains(data$school, 16)))
}

parkinson_problems <- function() {
  data <- read_set("parkinsons.csv.gz")
  x <- as.matrix(data[c("test_time", names(data)[7:22])])
  list(problem_of(x, data$motor_UPDRS, data$subject, data$subject <= 16))
}

math_problems <- function() {
  data <- as.data.frame(nlme::MathAchieve)
  x <- cbind(SES = data$SES, Min = data$Minority == "Yes", Fem = data$Sex == "Female")
  list(problem_of(second_order(x), data$MathAch, as.character(data$School),
               largest_domains(as.character(data$School), 24)))
}

language_problems <- function() {
  data <- as.data.frame(nlme::bdf)
  x <- data[c("IQ.verb", "IQ.perf", "sex", "Minority", "repeatgr", "aritPRET", "langPRET", "ses",
              "schoolSES", "percmino")]
  list(problem_of(second_order(vapply(x, as.numeric, numeric(nrow(x)))), data$langPOST,
               as.character(data$schoolNR), largest_domains(as.character(data$schoolNR), 16)))
}

# Four hospitals: heart disease, yes or no, and measurements that all four recorded.
heart_problems <- function() {
  data <- read_set("heart.csv")
  data <- stats::na.omit(data[c("hospital", "age", "sex", "cp", "trestbps", "thalach", "exang",
                                "oldpeak", "num")])
  pain <- vapply(2:4, function(kind) as.numeric(data$cp == kind), numeric(nrow(data)))
  x <- second_order(cbind(as.matrix(data[c("age", "sex", "trestbps", "thalach", "exang",
                                           "oldpeak")]), pain))
  varies <- apply(x, 2, stats::sd) > 0
  list(problem_of(x[, varies], ifelse(data$num > 0, 1, -1), data$hospital))
}

# Photographs: three classes, each against the rest.
office_problems <- function(file) {
  data <- read_set(file)
  x <- standardised(as.matrix(data[-(1:2)]))
  lapply(c(2, 5, 9), function(class) problem_of(x, ifelse(data$class == class, 1, -1), data$domain))
}

# Good or bad reviews of four kinds of product; words in at least 200 of the 8000.
review_problems <- function() {
  data <- readRDS(file.path(data_folder(), "amazon_reviews.rds"))
  x <- do.call(rbind, lapply(data, function(d) d$x / sqrt(Matrix::rowSums(d$x^2))))
  x <- methods::as(x, "CsparseMatrix")
  common <- diff(x@p) >= 200
  list(problem_of(x[, common], unlist(lapply(data, function(d) ifelse(d$y > 0, 1, -1))),
               rep(names(data), vapply(data, function(d) length(d$y), 0L))))
}

# Spoken letters that sound alike, one against the others; five groups of speakers.
isolet_problems <- function() {
  data <- read_set("isolet.csv.gz")
  data <- data[LETTERS[data$letter] %in% c("B", "D", "E", "P", "T", "V"), ]
  x <- standardised(as.matrix(data[-(1:2)]))
  lapply(match(c("B", "T"), LETTERS), function(letter) {
    problem_of(x, ifelse(data$letter == letter, 1, -1), data$group)
  })
}

# ---- one digit against each of the others -----------------------------------------------------

digit_problems <- function(sets) {
  lapply(c(2, 7), function(a) against_others(sets$train, a, setdiff(0:9, a)))
}

# What each data set needs: a file of the data folder or a package.
domain_sets <- list(
  mnist = list(make = function() digit_problems(mnist_digits(100)),
               file = "train-images-idx3-ubyte.gz"),
  pendigits = list(make = function() digit_problems(pen_digits(100)),
                   file = "pendigits_train.csv.gz"),
  isolet = list(make = isolet_problems, file = "isolet.csv.gz"),
  surf = list(make = function() office_problems("office_surf.csv.gz"), file = "office_surf.csv.gz"),
  googlenet = list(make = function() office_problems("office_googlenet.csv.gz"),
                   file = "office_googlenet.csv.gz"),
  amazon = list(make = review_problems, file = "amazon_reviews.rds"),
  heart = list(make = heart_problems, file = "heart.csv"),
  school = list(make = school_problems, file = "school.csv.gz"),
  parkinson = list(make = parkinson_problems, file = "parkinsons.csv.gz"),
  MathAchieve = list(make = math_problems, package = "nlme"),
  bdf = list(make = language_problems, package = "nlme")
)

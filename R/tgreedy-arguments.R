# Arguments of tgreedy() that are seldom given, domains of one row, and errors and messages about a fit.

abort_tgreedy <- function(out, frame, settings, call) {
  if (names(out$status) == "few_domains") {
    p <- frame_width(frame)
    needed <- ceiling(8 * log(2 * p / settings$delta))
    abort_input("Theorem 1 says nothing with {nlevels(frame$domain)} domains and {p} features.",
                "stop", i = "Give another {.arg stop}: the theorem needs about {needed} domains.",
                call = call)
  }
  abort_status(out$status, frame_labels(frame, out$bad), "x", frame_feature(frame, out$bad), call)
}

# Labelled and unlabelled rows together, for the second moments.
unlabelled_rows <- function(extra, frame) {
  all <- factor(c(as.character(frame$domain), as.character(extra$domain)))
  w <- domain_weights(frame)
  if (is_mapped(frame)) frame$x$x <- rbind(frame$x$x, extra$x) else frame$x <- rbind(frame$x, extra$x)
  list(list(frame_block(frame)), as.integer(all), c(w, rep(1, nrow(extra$x))))
}

# Rows without a response, of domains that have enough rows of either kind.
with_whole_unlabelled <- function(extra, frame) {
  rows <- table(c(as.character(frame$domain), as.character(extra$domain)))
  short <- names(rows)[rows < DOMAIN_ROWS]
  if (!length(short)) return(extra)
  tell_short(short, "unlabelled")
  kept <- !extra$domain %in% short
  list(x = extra$x[kept, , drop = FALSE], domain = droplevels(extra$domain[kept]))
}

tell_short <- function(short, argument = "domain") {
  tell(paste0("Leaving out of `", argument, "` the domain", if (length(short) > 1) "s", " ", in_quotes(short),
              ": one row is too few to estimate an effect."), class = "transelect_message_domains")
}

DOMAIN_ROWS <- 2 # at least: the mean of a single row is that row, outlier or not

FEW_DOMAINS <- 3 # with so few domains the variances in T are imprecise

# A message where the domains are so few that a large T may be due to chance.
tell_chance <- function(fit, settings) {
  p <- settings$units
  K <- length(fit$domains)
  t <- abs(fit$steps$t[!is.na(fit$steps$t)])
  if (K > FEW_DOMAINS || !length(t)) return(invisible())
  chance <- stats::qt((1 - .5^(1 / p)) / 2, K - 1, lower.tail = FALSE)
  tell(paste0("T of ", K, " domains has ", counted(K - 1, "degree"), " of freedom: the largest |T| on the path ",
              "is ", signif(max(t), 3), ", and the largest of ", counted(p, "feature"),
              " without any effect would be about ", signif(chance, 2), "."),
       paste("The rules \"modt\" and \"gain\" estimate the variances from all features and depend less on",
             "chance."), "transelect_message_domains")
}

# Two domains say little about a third, whatever the rule. (Of T tell_chance() says it.)
tell_two_domains <- function(fit) {
  if (length(fit$domains) != 2) return(invisible())
  tell(paste0("There are two domains, ", in_quotes(fit$domains), ": the variance of an effect between domains is ",
              "estimated from one difference, and without either domain only one is left to select on."),
       paste("Add domains if there are any. Where the two differ in how they were measured, check predictions on rows",
             "of a third before they are used there."), "transelect_message_domains")
}

# A message about columns of a matrix that look like the dummy variables of one factor: neighbouring columns of zeros
# and ones of which at most one is 1 in any row.
tell_dummies <- function(frame) {
  if (frame$blueprint$kind != "matrix") return(invisible())
  runs <- dummy_runs(frame$x)
  if (!length(runs)) return(invisible())
  named <- vapply(runs, function(at) in_quotes(column_labels(frame$blueprint$columns, at)), "")
  more <- length(named) - 3
  if (more > 0) named <- c(named[1:3], paste(counted(more, "more set"), "of columns"))
  tell(paste0("Columns look like the dummy variables of a factor: ", paste(named, collapse = "; "),
              ". Each is selected by itself, though its effect depends on the level that the others leave out."),
       paste("Give a data frame or a formula with the factor, or `groups`, and they enter together; `groups = FALSE`",
             "takes single columns without this message."), "transelect_message_dummies")
}

# Runs of neighbouring columns of zeros and ones with at most one 1 in a row, as numbers of columns. A run has three
# columns that sum to 1, or two or more that would meet in at least DUMMY_MEETINGS rows if they were independent: rare
# columns seldom meet, of one factor or not.
DUMMY_MEETINGS <- 10

dummy_runs <- function(x) {
  n <- nrow(x)
  some <- as.matrix(x[unique(round(seq(1, n, length.out = min(n, 50)))), , drop = FALSE])
  may <- which(colSums(some != 0 & some != 1) == 0)
  runs <- list()
  run <- integer()
  together <- meetings <- ones <- 0
  ended <- function() {
    whole <- length(run) > 2 && all(together == 1)
    complement <- length(run) == 2 && all(together == 1)
    if (length(run) > 1 && (whole || !complement && meetings >= DUMMY_MEETINGS)) runs <<- c(runs, list(run))
  }
  for (j in may) {
    v <- x[, j]
    if (!all(v == 0 | v == 1) || all(v == v[1])) next
    share <- sum(v)
    joins <- length(run) && j == run[length(run)] + 1L && !any(together & v)
    if (joins) {
      meetings <- meetings + share * ones / n
    } else {
      ended()
      run <- integer()
      together <- meetings <- ones <- 0
    }
    run <- c(run, j)
    together <- together + v
    ones <- ones + share
  }
  ended()
  runs
}

# T and the gain need the spread between domains, which one domain does not have.
rule_of_one_domain <- function(rule, stop, call) {
  if (rule %in% c("t", "modt")) {
    abort_input("{.arg rule} is {.val {rule}}, but there is one domain.", "rule",
                i = "Give {.val greedy}: a T-statistic needs at least two.", call = call)
  }
  if (!stop %in% c("none", NA)) {
    abort_input("{.arg stop} is {.val {stop}}, but there is one domain.", "stop",
                i = "Give {.val none}: this rule needs at least two.", call = call)
  }
  if (rule == "gain") {
    tell("There is one domain: the rule is \"greedy\", not \"gain\", and the path goes on to `max_steps`.",
         paste("Only two domains or more show which effects hold in another. For new rows of this domain",
               "`cv_path(by = \"rows\")` chooses the number of steps."), "transelect_message_domains")
  }
  "greedy"
}

refuse_groups <- function(groups, what, argument, lacks, call) {
  if (is.null(groups)) return(invisible())
  of <- groups$labels[groups$of[anyDuplicated(groups$of)]]
  abort_input(paste0(what, ", and {.val {of}} is a group of several columns, which ", lacks, "."), argument,
              i = "Give {.code groups = FALSE}, which takes every column by itself.", call = call)
}

check_unlabelled <- function(unlabelled, frame, call) {
  if (!is.list(unlabelled) || !all(c("x", "domain") %in% names(unlabelled))) {
    abort_kind(unlabelled, "unlabelled", "Give {.code list(x = , domain = )}.", call)
  }
  x <- bake_argument(frame$blueprint, unlabelled$x, "unlabelled$x", call)
  domain <- check_domain(unlabelled$domain, nrow(x), call)
  if (anyNA(if (is(x, "sparseMatrix")) x@x else x)) {
    abort_input("{.arg unlabelled} has missing values.", "unlabelled",
                i = "Leave those rows out.", call = call)
  }
  list(x = x, domain = domain)
}

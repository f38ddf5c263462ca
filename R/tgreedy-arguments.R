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

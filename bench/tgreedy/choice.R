# Which step of tgreedy() cross-validation across domains chooses, by the loss in new domains. Only definitions.

CHOICE_DRAWS <- 100
CHOICE_DOMAINS <- 8  # of the fit, and as many rows in each of the new ones:
CHOICE_NEW <- 60
CHOICE_ROWS <- 40

# `k` domains of 20 correlated columns, six of which have effects; `effect`: the means of the slopes, which deviate by
# .3 in each domain; levels: have the domains levels of their own, of standard deviation 2?
choice_data <- function(family, levels, k, effect) {
  p <- length(effect)
  domain <- rep(seq_len(k), each = CHOICE_ROWS)
  n <- length(domain)
  x <- matrix(stats::rnorm(n * p), n, dimnames = list(NULL, paste0("x", 1:p)))
  for (j in 2:p) x[, j] <- .5 * x[, j - 1] + sqrt(.75) * x[, j]
  slopes <- matrix(stats::rnorm(k * p, effect, .3), k, p, byrow = TRUE)
  eta <- rowSums(x * slopes[domain, ]) + if (levels) stats::rnorm(k, 0, 2)[domain] else 0
  y <- switch(family, gaussian = eta + stats::rnorm(n, sd = 2),
              binomial = factor(stats::rbinom(n, 1, stats::plogis(eta)), 0:1), cox = {
                time <- stats::rexp(n, exp(eta))
                censored <- stats::rexp(n, .2)
                survival::Surv(pmin(time, censored), as.numeric(time <= censored))
              })
  list(x = x, y = y, domain = paste0("d", domain))
}

# Losses in new domains, one for each column of the scores: squares, misclassification, or minus twice the log partial
# likelihood per event, of times without ties, mean over domains.
choice_losses <- function(family, score, new) {
  if (family == "gaussian") return(colMeans((new$y - score)^2))
  if (family == "binomial") return(colMeans((score > 0) != (new$y == "1")))
  rowMeans(vapply(split(seq_len(nrow(score)), new$domain), function(rows) {
    rows <- rows[order(-new$y[rows, 1])]
    event <- new$y[rows, 2] == 1
    at_risk <- log(apply(exp(score[rows, , drop = FALSE]), 2, cumsum))
    -2 * colSums((score[rows, , drop = FALSE] - at_risk)[event, , drop = FALSE]) / max(sum(event), 1)
  }, numeric(ncol(score))))
}

# The steps chosen by each way, as their losses in new domains and numbers of columns; with the loss without columns and
# that of the best step.
choice_draw <- function(family, levels) {
  effect <- sample(c(rep(c(1, -.5, .5), 2), numeric(14))) * if (family == "gaussian") 1 else .8
  d <- choice_data(family, levels, CHOICE_DOMAINS, effect)
  new <- choice_data(family, levels, CHOICE_NEW, effect)
  cv <- suppressWarnings(suppressMessages(cv_path(d$x, d$y, fit = tgreedy, domain = d$domain)))
  losses <- choice_losses(family, stats::predict(cv$fit, new$x, step = cv$points$step, type = "link"), new)
  best <- cv$index[["min"]]
  sparsest <- function(margin) {
    near <- which(cv$cvm <= cv$cvm[best] + margin)
    near[which.min(cv$nzero[near])]
  }
  gaps <- apply(cv$fold_loss - cv$fold_loss[, best], 2, stats::sd) / sqrt(nrow(cv$fold_loss))
  at <- c("the method's own" = match(cv$fit$best, cv$points$step), default = cv$index[["default"]], min = best,
          "1se" = cv$index[["1se"]], "1se by cvsd" = sparsest(cv$cvsd[best]), "1se of differences" = sparsest(gaps))
  rbind(loss = c(losses[at], losses[1], min(losses)), columns = c(cv$nzero[at], 0, cv$nzero[which.min(losses)]))
}

part_choice <- function() {
  set.seed(1)
  cells <- expand.grid(levels = c(FALSE, TRUE), family = c("gaussian", "binomial", "cox"), stringsAsFactors = FALSE)
  ways <- c("the method's own", "default", "min", "1se", "1se by cvsd", "1se of differences")
  found <- lapply(seq_len(nrow(cells)), function(i) {
    # a domain of one class has no effects by squares
    draws <- replicate(CHOICE_DRAWS, choice_draw(cells$family[i], cells$levels[i]))
    loss <- draws["loss", , ]
    gain <- loss[7, ] - loss[8, ]
    lost <- sweep(loss[1:6, ], 2, loss[8, ])
    share <- rowSums(lost) / sum(gain)
    error <- apply(lost - outer(share, gain), 1, stats::sd) / sqrt(ncol(lost)) / mean(gain)
    list(share = share, error = error, columns = rowMeans(draws["columns", , ])[c(1:6, 8)])
  })
  name <- paste0(cells$family, ifelse(cells$levels, ", levels", ""))
  table <- function(part, ways) {
    rows <- as.data.frame(lapply(found, `[[`, part))
    names(rows) <- name
    markdown_table(cbind(step = ways, rows))
  }
  section(
    "tgreedy", "choice", "The step that cross-validation across domains chooses",
    paste0(CHOICE_DOMAINS, " domains of ", CHOICE_ROWS, " rows, 20 columns, six with effects that differ by .3 ",
           "between domains; levels: of standard"),
    paste0("deviation 2. Share of what the best step gains over no column, in ", CHOICE_NEW, " new domains, that is ",
           "lost by the step chosen, of ", CHOICE_DRAWS),
    "draws (squares, misclassification, partial likelihood). `default`: of predict() of a cross-validation. `1se`:",
    "within one standard error after each fold's mean over the steps is taken out; `by cvsd`: within that of the mean",
    "loss; `of differences`: within that of the difference to the best step, fold by fold.", "",
    table("share", ways), "", "Standard errors of these shares:", "", table("error", ways), "",
    "Mean number of columns:", "", table("columns", c(ways, "the best step"))
  )
}

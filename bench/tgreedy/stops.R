# The end of the path of "gain": its own stop and stop = "cv", on the data sets of part `domains`. Only
# definitions.

# Predictions of new rows by the lasso, with the penalty of the least mean loss on the domains of `train`, each of which
# is left out.
lasso_by_domain <- function(train, new) {
  fit <- lasso_fit(train)
  losses <- vapply(levels(train$domain), function(k) {
    lasso_losses(lasso_fit(without(train, k), fit$lambda), train, k, fit$lambda)
  }, fit$lambda)
  drop(predict(fit, new, s = fit$lambda[which.min(rowMeans(losses))]))
}

# Losses on a domain left out; the folds of "cv" and of the lasso are the other domains.
stop_losses <- function(problem, left) {
  train <- without(problem, left)
  rows <- problem$domain == left
  new <- problem$x[rows, , drop = FALSE]
  by <- function(stop) {
    fit <- suppressMessages(tgreedy(train$x, train$y, train$domain, control = tgreedy_control(stop = stop)))
    drop(predict(fit, new))
  }
  score <- cbind(gain = by(NULL), `gain, stop = "cv"` = by("cv"), lasso = lasso_by_domain(train, new))
  null <- mean((problem$y[rows] - balanced_mean(train$y, train$domain))^2)
  c(colMeans((problem$y[rows] - score)^2), null = null)
}

# Losses divided by that of the mean, averaged over the problems of a set: methods x domains.
run_stops <- function(name) {
  scaled <- lapply(domain_sets[[name]]$make(), function(problem) {
    losses <- vapply(levels(problem$domain), stop_losses, numeric(4), problem = problem)
    losses[1:3, ] / mean(losses[4, ])
  })
  Reduce(`+`, scaled) / length(scaled)
}

# "a of n": data sets in which the first loss is more than 1 % below the second.
count_better <- function(a, b) paste(sum(a < .99 * b), "of", length(a))

part_stops <- function() {
  if (!installed("glmnet")) stop("glmnet is needed", call. = FALSE)
  here <- Filter(function(set) {
    if (is.null(set$file)) installed(set$package) else has_file(set$file)
  }, domain_sets)
  if (!length(here)) return(no_data("own_stops", "Where the path ends"))
  sets <- lapply(stats::setNames(nm = names(here)), function(name) {
    message("  ", name)
    run_stops(name)
  })
  losses <- t(vapply(sets, rowMeans, numeric(3)))
  gap <- vapply(sets, function(set) {
    apart <- set[2, ] - set[1, ]
    sprintf("%+.3f (%.3f)", mean(apart), standard_error(apart))
  }, "")
  ratio <- losses / apply(losses, 1, min)
  table <- rbind(losses, "loss / best, geometric mean" = exp(colMeans(log(ratio))),
                 "loss / best, largest" = apply(ratio, 2, max))
  text <- cbind(set = rownames(table), as.data.frame(formatC(table, format = "f", digits = 3)),
                "\"cv\" less own" = c(gap, "", ""))
  own <- losses[, 1]
  cv <- losses[, 2]
  lasso <- losses[, 3]
  section(
    "tgreedy", "own_stops", "Where the path ends: the gain's own stop, `stop = \"cv\"`, and the lasso",
    "The data sets of part `domains`. Every domain in turn is left out: squared loss on it divided by that of",
    "the mean of the training domains, all arguments at their defaults. lasso: glmnet, rows weighted so that",
    "all domains have the same weight, the penalty chosen by leave-one-domain-out within the training",
    "domains, as `stop = \"cv\"` chooses its step. Brackets: standard errors over the domains left out.", "",
    markdown_table(text), "",
    paste0("By more than 1 %: `stop = \"cv\"` better than the own stop on ", count_better(cv, own),
           " sets, worse on ", count_better(own, cv), "; the lasso"),
    paste0("better than the own stop on ", count_better(lasso, own), ", worse on ", count_better(own, lasso),
           "; better than `stop = \"cv\"` on ", count_better(lasso, cv), ", worse on ",
           count_better(cv, lasso), ".")
  )
}

# One split of the furnaces: every result beside that of an earlier program. Only definitions.

# The hierarchical model with c = 1 and without the prior of the tau, by dense covariance matrices of
# both least squares fits: the maximum of the likelihood, and the estimate of the target with all features.
dense_hierarchical <- function(split) {
  fits <- lapply(as_domains(split), function(domain) stats::lm(y ~ x, domain))
  p <- ncol(split$x)
  w <- unlist(lapply(fits, function(fit) stats::coef(fit)[-1]))
  noise <- lapply(fits, function(fit) stats::vcov(fit)[-1, -1])
  spread <- function(theta) {
    kronecker(diag(theta[1:2]) + theta[3], diag(p)) +
      rbind(cbind(noise[[1]], diag(0, p)), cbind(diag(0, p), noise[[2]]))
  }
  minus <- function(log_theta) {
    root <- chol(spread(exp(log_theta)))
    sum(log(diag(root))) + sum(backsolve(root, w, transpose = TRUE)^2) / 2
  }
  start <- log(c(1, 1, 4) * mean(w^2) / 4 * exp(-4))
  found <- stats::optim(start, minus, method = "BFGS", control = list(reltol = 1e-14, maxit = 500))
  theta <- exp(found$par)
  solved <- solve(spread(theta), w)
  beta <- (theta[3] + theta[1]) * solved[seq_len(p)] + theta[3] * solved[-seq_len(p)]
  list(tau2 = theta[1:2], omega2 = theta[3], log_lik = -found$value,
       loss = split_loss(c(mean(split$y[split$domain == "A"]) -
                             sum(beta * colMeans(split$x[split$domain == "A", ])), beta), split))
}

split_loss <- function(beta, split) {
  mean((split$test_y - linear_result(beta, split)$score)^2) / split$variance
}

many_digits <- function(x) paste(vapply(x, format, "", digits = 7), collapse = " ")

figure <- function(what, prototype, ours, twin = NULL) {
  data.frame(figure = what, "prototype" = prototype,
             twin = if (is.null(twin)) "" else many_digits(unname(twin)),
             here = many_digits(unname(ours)), check.names = FALSE)
}

# The default of the tests' naive twin: dense covariance matrices, maximised by optim().
twin_hierarchical <- function(split) {
  home <- new.env()
  for (file in c("helper-naive.R", "helper-naive-tlcp.R", "helper-naive-borrow.R")) {
    sys.source(file.path("tests/testthat", file), home)
  }
  domains <- home$naive_domains_in_units(split$x, split$y, as.character(split$domain), "A",
                                  standardize = FALSE)
  fit <- home$naive_hierarchical(domains)
  post <- home$naive_posterior(domains, fit$tau2, fit$omega2, fit$c, fit$kappa2)
  own <- home$naive_original(domains[[1]], sqrt(c(fit$c, 1)) * (post$b + post$u[, 1]))
  list(s2 = vapply(domains, `[[`, 0, "s2"), tau2 = fit$tau2, omega2 = fit$omega2, kappa2 = fit$kappa2, c = fit$c,
       lr = home$naive_likelihood_ratio(domains), loss = split_loss(c(own$a0, own$beta), split))
}

# Two rows of the table: the features by number, and the loss.
subset_figures <- function(name, fit, split, set_prototype, loss_prototype, twin = NULL) {
  chosen <- match(fit$selected, colnames(split$x))
  rbind(
    if (!is.na(set_prototype)) {
      data.frame(figure = paste0(name, ": features"), "prototype" = set_prototype, twin = "",
                 here = if (grepl("in all$", set_prototype)) paste(length(chosen), "in all") else
                   paste(chosen, collapse = " "), check.names = FALSE)
    },
    figure(paste0(name, ": unexplained variance"), loss_prototype,
           split_loss(stats::coef(fit), split), twin)
  )
}

seed1001_table <- function() {
  split <- draw_split(furnace_set(), 60, 1001)
  own <- one_domain(split)
  fit <- function(...) {
    tlcp(split$x, split$y, domain = split$domain, target = "A", standardize = FALSE, ...)
  }
  alone <- tlcp(own$x, own$y, standardize = FALSE)
  plugin <- fit(borrow = "plugin", control = tlcp_control(support = "shared"))
  pooled <- fit(borrow = "pooled", control = tlcp_control(support = "shared"))
  reml <- fit(borrow = "reml", control = tlcp_control(support = "shared"))
  flat <- dense_hierarchical(split)
  twin <- twin_hierarchical(split)
  all <- fit(select = FALSE)
  chosen <- fit()
  rbind(
    figure("residual variances", ".5627381 .6256461", plugin$borrowing$s2),
    subset_figures("none", alone, split, "1 11 12 14 15 16 17 20 21", "1.082298"),
    figure("plugin: pen", "1.71466", plugin$borrowing$pen[1]),
    subset_figures("plugin", plugin, split, "15 in all", ".830133"),
    figure("pooled: delta^2, pen", ".0387369 1.90351",
           c(pooled$borrowing$delta2, pooled$borrowing$pen[1])),
    subset_figures("pooled", pooled, split, NA, ".629764"),
    figure("reml: delta^2, pen", ".00313499 2", c(reml$borrowing$delta2, reml$borrowing$pen[1])),
    subset_figures("reml", reml, split, "1 2 3 4 5 8 11 18 20 21", ".639680"),
    figure("hierarchical, c = 1, no prior: tau^2 (dense algebra)", ".001402922 .00154991",
           flat$tau2),
    figure("its omega^2", ".01055965", flat$omega2),
    figure("its log-likelihood", "51.1228", flat$log_lik),
    figure("its unselected estimate: unexplained variance", ".6352279", flat$loss),
    figure("hierarchical: residual variances, moderated", "", chosen$borrowing$s2, twin$s2),
    figure("hierarchical: log likelihood ratio of sharing", "", chosen$borrowing$lr, twin$lr),
    figure("hierarchical: tau^2", "", chosen$borrowing$tau2, twin$tau2),
    figure("hierarchical: omega^2", "", chosen$borrowing$omega2, twin$omega2),
    figure("hierarchical: kappa^2 of the level", "", chosen$borrowing$kappa2, twin$kappa2),
    figure("hierarchical: c of features 1 to 3", "", chosen$borrowing$scales[1:3], twin$c[1:3]),
    subset_figures("hierarchical, all features", all, split, NA, "", twin$loss),
    subset_figures("hierarchical (the default)", chosen, split, "", "")
  )
}

part_seed1001 <- function() {
  title <- "Furnaces, one split figure by figure"
  if (!has_file("furnace_A.csv")) {
    return(section("tlcp", "seed1001", title,
                   paste0("Left out: its data are not in the data folder (", data_folder(), ").")))
  }
  section(
    "tlcp", "seed1001", title,
    "n = 60, set.seed(1001); r <- sample(395); the training rows are r[1:60]. `prototype`: results of two",
    "independent programs (the subsets: of one), for the paper's rules and a hierarchical model with c = 1.",
    "`twin`: the default by the naive twin of the tests (tests/testthat/helper-naive-borrow.R).", "",
    markdown_table(seed1001_table())
  )
}

# tlcp() and its peers on one draw of a set of many/sets.R. Only definitions.

# A draw: `rows` of a domain are the target's, its others the test; at most 19 other domains and 1000 of their rows.
many_draw <- function(set, rows) {
  size <- table(set$domain)
  able <- names(size)[size >= rows + 20]
  target <- able[sample.int(length(able), 1)]
  own <- which(set$domain == target)
  own <- own[sample.int(length(own))]
  others <- sample(setdiff(names(size), target))
  lent <- which(set$domain %in% others[seq_len(min(19, length(others)))])
  lent <- lent[sample.int(length(lent), min(1000, length(lent)))]
  known <- c(own[seq_len(rows)], lent)
  test <- own[-seq_len(rows)]
  list(x = set$x[known, ], y = set$y[known], domain = factor(c(rep("target", rows), paste0("d", set$domain[lent]))),
       own = seq_len(rows), new = set$x[test[seq_len(min(1000, length(test)))], , drop = FALSE],
       truth = set$y[test[seq_len(min(1000, length(test)))]], family = set$family)
}

# Means of the response, from a linear predictor, far from 0 and 1 or from 0 and what was seen.
many_means <- function(d, eta) {
  switch(d$family,
    gaussian = eta,
    binomial = pmin(pmax(stats::plogis(eta), .005), .995),
    poisson = pmin(pmax(exp(eta), .01), 2 * max(d$y) + 1)
  )
}

many_loss <- function(d, mean) {
  y <- d$truth
  switch(d$family,
    gaussian = mean((y - mean)^2),
    binomial = -mean(log(ifelse(y == 1, mean, 1 - mean))),
    poisson = mean(mean - y + ifelse(y == 0, 0, y * log(pmax(y, 1) / mean)))
  )
}

many_design <- function(d, pooled) if (pooled) cbind(d$x, many_dummies(d$domain)) else d$x[d$own, , drop = FALSE]
many_dummies <- function(domain) stats::model.matrix(~ domain - 1)

# glm() of the target or of all rows with an intercept a domain.
many_glm <- function(pooled) {
  function(d) {
    x <- many_design(d, pooled)
    y <- if (pooled) d$y else d$y[d$own]
    if (!pooled) x <- cbind(x, 1)
    b <- suppressWarnings(stats::glm.fit(x, y, family = get(d$family, asNamespace("stats"))()))$coefficients
    b[is.na(b)] <- 0
    level <- if (pooled) b[["domaintarget"]] else b[[length(b)]]
    many_means(d, drop(d$new %*% b[seq_len(ncol(d$x))]) + level)
  }
}

# glmnet: alpha 0 the ridge, 1 the lasso.
many_glmnet <- function(pooled, alpha) {
  function(d) {
    x <- many_design(d, pooled)
    free <- ncol(x) - ncol(d$x)
    y <- if (pooled) d$y else d$y[d$own]
    fit <- suppressWarnings(glmnet::cv.glmnet(x, y, family = d$family, alpha = alpha, nfolds = 5, grouped = FALSE,
                                              penalty.factor = rep(1:0, c(ncol(d$x), free))))
    new <- if (pooled) {
      cbind(d$new, matrix(as.numeric(levels(d$domain) == "target"), nrow(d$new), free, byrow = TRUE))
    } else d$new
    many_means(d, drop(stats::predict(fit, new, s = "lambda.min")))
  }
}

# lme4: independent random slopes where its optimiser converges, else random intercepts.
many_lme4 <- function(d) {
  z <- scale(d$x)
  use <- attr(z, "scaled:scale") > 0
  center <- attr(z, "scaled:center")[use]
  spread <- attr(z, "scaled:scale")[use]
  named <- function(x) {
    out <- as.data.frame(t((t(x[, use, drop = FALSE]) - center) / spread))
    stats::setNames(out, paste0("v", seq_along(center)))
  }
  data <- cbind(y = d$y, named(d$x), domain = d$domain)
  terms <- paste0("v", seq_along(center), collapse = " + ")
  fit <- function(bars) {
    formula <- stats::as.formula(paste("y ~", terms, "+", bars))
    suppressWarnings(suppressMessages(
      if (d$family == "gaussian") lme4::lmer(formula, data, control = lme4::lmerControl(calc.derivs = FALSE)) else
        lme4::glmer(formula, data, d$family, nAGQ = 0, control = lme4::glmerControl(calc.derivs = FALSE))
    ))
  }
  model <- tryCatch(fit(paste("(1 +", terms, "|| domain)")), error = function(e) NULL)
  if (is.null(model) || !identical(as.integer(model@optinfo$conv$opt), 0L)) model <- fit("(1 | domain)")
  new <- cbind(named(d$new), domain = factor("target", levels(d$domain)))
  many_means(d, stats::predict(model, new, re.form = NULL))
}

many_glmtrans <- function(d) {
  each <- lapply(split(seq_along(d$y), d$domain), function(i) list(x = d$x[i, , drop = FALSE], y = d$y[i]))
  fit <- NULL
  utils::capture.output(fit <- suppressWarnings(suppressMessages(
    glmtrans::glmtrans(each$target, unname(each[names(each) != "target"]), family = d$family, nfolds = 5,
                       detection.info = FALSE)
  )))
  many_means(d, fit$beta[1] + drop(d$new %*% fit$beta[-1]))
}

many_tlcp <- function(...) {
  function(d) {
    fit <- suppressWarnings(suppressMessages(
      tlcp(d$x, d$y, domain = d$domain, target = "target", family = d$family, ...)
    ))
    many_means(d, drop(stats::predict(fit, d$new, type = "link")))
  }
}

MANY_WAYS <- c(
  list("mean of the target" = function(d) rep(mean(d$y[d$own]), nrow(d$new)), "glm, target" = many_glm(FALSE),
       "glm, pooled" = many_glm(TRUE)),
  if (installed("glmnet")) list("ridge, target" = many_glmnet(FALSE, 0), "lasso, target" = many_glmnet(FALSE, 1),
                                "ridge, pooled" = many_glmnet(TRUE, 0), "lasso, pooled" = many_glmnet(TRUE, 1)),
  if (installed("lme4")) list("lme4" = many_lme4), if (installed("glmtrans")) list("glmtrans" = many_glmtrans),
  list("tlcp()" = many_tlcp(), "tlcp(select = FALSE)" = many_tlcp(select = FALSE))
)
MANY_OURS <- c("tlcp()", "tlcp(select = FALSE)")

# The benchmark of tlcp(family = ), from the project root:
#   Rscript bench/families.R [coverage] [heart] [cox] [centres] [subsets] [real] [speed] [peers]  (default: all)
# Each part replaces its section of bench/RESULTS.md. Peers where they are installed: glmnet, glmtrans,
# BFI, bestglm, abess, lme4.
source("bench/common.R")
source("bench/greedytl/data.R") # read_set()

# Heart disease, yes or no: 11 columns that all four hospitals recorded.
heart_rows <- function() {
  h <- read_set("heart.csv")
  x <- cbind(h[c("age", "sex", "trestbps", "thalach", "exang", "oldpeak")], cp2 = h$cp == 2,
             cp3 = h$cp == 3, cp4 = h$cp == 4, restecg1 = h$restecg == 1, restecg2 = h$restecg == 2)
  x[] <- lapply(x, as.numeric)
  stats::na.omit(cbind(hospital = h$hospital, ill = as.numeric(h$num > 0), x))
}

log_loss <- function(y, p) {
  p <- pmin(pmax(p, 1e-10), 1 - 1e-10)
  -mean(ifelse(y == 1, log(p), log(1 - p)))
}

area <- function(y, p) {
  r <- rank(p)
  (mean(r[y == 1]) - (sum(y == 1) + 1) / 2) / sum(y == 0)
}

lasso <- function(x, y, new, alpha = 1, ...) {
  fit <- glmnet::cv.glmnet(x, y, alpha = alpha, nfolds = 10, ...)
  drop(stats::predict(fit, new, s = "lambda.min", type = "response"))
}

# Bayesian federated inference: the estimates of all hospitals combined, in the columns' pooled z-scores, with a prior
# of variance 100. Each hospital has an intercept of its own, the target's is the first.
bfi_probabilities <- function(own, others, new) {
  x <- rbind(own$x, others$x)
  centre <- colMeans(x)
  scale <- apply(x, 2, stats::sd)
  domain <- c(rep(" target", nrow(own$x)), others$domain)
  y <- c(own$y, others$y)
  X <- as.data.frame(scale(x, centre, scale))
  one <- BFI::inv.prior.cov(X, lambda = .01, family = "binomial")
  local <- lapply(split(seq_along(y), domain), function(i) {
    # BFI warns of columns that are constant in a hospital
    suppressWarnings(BFI::MAP.estimation(y[i], X[i, ], family = "binomial", Lambda = one))
  })
  all <- BFI::inv.prior.cov(X, lambda = .01, L = length(local), family = "binomial", stratified = TRUE, strat_par = 1)
  fit <- BFI::bfi(lapply(local, `[[`, "theta_hat"), lapply(local, `[[`, "A_hat"), family = "binomial",
                  Lambda = c(rep(list(one), length(local)), list(all)), stratified = TRUE, strat_par = 1)
  theta <- fit$theta_hat
  p <- ncol(x)
  stats::plogis(theta[1] + drop(scale(new, centre, scale) %*% utils::tail(as.vector(theta), p)))
}

# Probabilities of the test rows, by method. `own`, `others`: lists of x, y (others also domain).
binary_methods <- function(own, others, new) {
  x <- rbind(own$x, others$x)
  y <- c(own$y, others$y)
  domain <- c(rep("target", nrow(own$x)), others$domain)
  borrow <- function(...) {
    fit <- suppressMessages(transelect::tlcp(x, y, family = "binomial", domain = domain,
                                             target = "target", ...))
    stats::predict(fit, new, type = "response")
  }
  glm_fit <- function(x, y) {
    b <- suppressWarnings(stats::glm.fit(cbind(1, x), y, family = stats::binomial()))$coefficients
    stats::plogis(drop(cbind(1, new) %*% ifelse(is.na(b), 0, b)))
  }
  out <- list(
    "borrowed, all features" = borrow(select = FALSE), "borrowed, selected" = borrow(),
    "glm pooled" = glm_fit(x, y)
  )
  if (installed("glmnet")) {
    out <- c(out, list(
      "lasso own" = lasso(own$x, own$y, new, family = "binomial"),
      "ridge own" = lasso(own$x, own$y, new, alpha = 0, family = "binomial"),
      "lasso pooled" = lasso(x, y, new, family = "binomial")
    ))
  }
  if (installed("BFI")) out$BFI <- bfi_probabilities(own, others, new)
  if (installed("glmtrans")) {
    lenders <- lapply(split(seq_along(others$y), others$domain), function(i) {
      list(x = others$x[i, ], y = others$y[i])
    })
    out$glmtrans <- tryCatch({
      fit <- glmtrans::glmtrans(list(x = own$x, y = own$y), unname(lenders), family = "binomial",
                                transfer.source.id = "auto")
      drop(stats::predict(fit, new, type = "response"))
    }, error = function(e) NULL)
  }
  out
}

# Means over draws and the standard error of the mean, by method and measure.
mean_table <- function(all) {
  all <- do.call(rbind, all)
  measures <- setdiff(names(all), c("set", "method"))
  rows <- unique(all[c("set", "method")])
  for (m in measures) {
    value <- Map(function(s, k) all[[m]][all$set == s & all$method == k], rows$set, rows$method)
    rows[[m]] <- vapply(value, mean, 0)
    rows[[paste(m, "s.e.")]] <- vapply(value, function(v) stats::sd(v) / sqrt(length(v)), 0)
  }
  rows
}

part_heart <- function() {
  h <- heart_rows()
  x <- as.matrix(h[-(1:2)])
  all <- list()
  for (target in c("cleveland", "hungarian", "va")) {
    for (draw in 1:12) {
      set.seed(draw)
      mine <- which(h$hospital == target)
      train <- sample(mine, 50)
      test <- setdiff(mine, train)
      others <- which(h$hospital != target)
      p <- binary_methods(list(x = x[train, ], y = h$ill[train]),
                          list(x = x[others, ], y = h$ill[others], domain = h$hospital[others]),
                          x[test, ])
      p <- Filter(Negate(is.null), p)
      all[[length(all) + 1]] <- data.frame(
        set = paste(target, "50 rows"), method = names(p),
        "log loss" = vapply(p, log_loss, 0, y = h$ill[test]),
        AUC = vapply(p, area, 0, y = h$ill[test]), check.names = FALSE
      )
    }
  }
  section("families", "heart", "Heart disease: 50 rows of one hospital, the others whole, 12 draws",
          "Mean log loss and area under the ROC curve of the hospital's other rows.", "",
          markdown_table(mean_table(all)))
}

breast_rows <- function() {
  take <- function(d, size, domain) {
    data.frame(domain = domain, time = d$t / 365.25, status = d$status, age = d$age, meno = d$meno,
               size2 = size != "<=20", size3 = size == ">50", grade = d$grade,
               nodes = log1p(d$nodes), pgr = log1p(d$pgr), er = log1p(d$er), hormon = d$hormon)
  }
  r <- survival::rotterdam
  r$t <- r$rtime
  r$status <- pmax(r$recur, r$death)
  r$t <- ifelse(r$recur == 1, r$rtime, r$dtime)
  g <- survival::gbsg
  g$t <- g$rfstime
  size <- cut(g$size, c(-Inf, 20, 50, Inf), c("<=20", "20-50", ">50"))
  out <- rbind(take(g, size, "gbsg"), take(r, r$size, "rotterdam"))
  out[] <- lapply(out, function(v) if (is.logical(v)) as.numeric(v) else v)
  out
}

part_cox <- function() {
  d <- breast_rows()
  x <- as.matrix(d[-(1:3)])
  y <- survival::Surv(d$time, d$status)
  mine <- which(d$domain == "gbsg")
  elsewhere <- which(d$domain == "rotterdam")
  all <- list()
  for (draw in 1:15) {
    set.seed(draw)
    train <- sample(mine, 60)
    test <- setdiff(mine, train)
    rows <- c(train, elsewhere)
    borrow <- function(...) {
      fit <- suppressMessages(transelect::tlcp(x[rows, ], y[rows], domain = d$domain[rows],
                                               target = "gbsg", ...))
      stats::predict(fit, x[test, ], type = "link")
    }
    plain <- function(i) {
      b <- stats::coef(suppressWarnings(survival::coxph(y[i] ~ x[i, ])))
      drop(x[test, ] %*% ifelse(is.na(b), 0, b))
    }
    strata <- survival::strata # coxph() knows it by this name
    both <- stats::coef(survival::coxph(y[rows] ~ x[rows, ] + strata(d$domain[rows])))
    link <- list("borrowed, all features" = borrow(select = FALSE), "borrowed, selected" = borrow(),
                 own = plain(train), "other domain alone" = plain(elsewhere),
                 "pooled, strata" = drop(x[test, ] %*% both))
    if (installed("glmnet")) {
      link[["lasso own"]] <- drop(stats::predict(
        glmnet::cv.glmnet(x[train, ], y[train], family = "cox"), x[test, ], s = "lambda.min"
      ))
    }
    loss <- function(eta) {
      m <- survival::coxph(y[test] ~ eta, init = 1, control = survival::coxph.control(iter.max = 0))
      -m$loglik[length(m$loglik)] / sum(d$status[test])
    }
    all[[draw]] <- data.frame(
      set = "gbsg 60 rows", method = names(link),
      concordance = vapply(link, function(eta) {
        survival::concordance(y[test] ~ eta, reverse = TRUE)$concordance
      }, 0),
      "minus log partial likelihood, an event" = vapply(link, loss, 0), check.names = FALSE
    )
  }
  section("families", "cox", "Breast cancer: 60 rows of survival::gbsg, survival::rotterdam whole, 15 draws",
          "The measures are of the other rows of gbsg.", "", markdown_table(mean_table(all)))
}

# Fits to half of a centre's rows and all rows of the other centres, judged on the other half.
part_centres <- function() {
  lung <- survival::lung[c("inst", "time", "status", "age", "sex", "ph.ecog", "ph.karno", "pat.karno", "wt.loss")]
  lung <- stats::na.omit(lung)
  lung$inst <- as.character(lung$inst)
  x <- as.matrix(lung[-(1:3)])
  y <- survival::Surv(lung$time, lung$status == 2)
  targets <- names(which(table(lung$inst) >= 12))
  all <- list()
  for (draw in 1:6) {
    set.seed(draw)
    links <- lapply(targets, function(target) {
      mine <- which(lung$inst == target)
      train <- sample(mine, length(mine) %/% 2)
      test <- setdiff(mine, train)
      rows <- c(train, which(lung$inst != target))
      borrow <- function(...) {
        fit <- suppressMessages(transelect::tlcp(x[rows, ], y[rows], domain = lung$inst[rows], target = target, ...))
        stats::predict(fit, x[test, ], type = "link")
      }
      strata <- survival::strata
      plain <- function(model) {
        b <- stats::coef(suppressWarnings(model))
        drop(x[test, ] %*% ifelse(is.na(b), 0, b))
      }
      link <- list("borrowed, all features" = borrow(select = FALSE), "borrowed, selected" = borrow(),
                   own = plain(survival::coxph(y[train] ~ x[train, ])),
                   "pooled, strata" = plain(survival::coxph(y[rows] ~ x[rows, ] + strata(lung$inst[rows]))))
      if (installed("glmnet")) {
        link[["lasso own"]] <- tryCatch({
          model <- suppressWarnings(glmnet::cv.glmnet(x[train, ], y[train], family = "cox", nfolds = 3))
          drop(stats::predict(model, x[test, ], s = "lambda.min"))
        }, error = function(e) numeric(length(test))) # a fold without events: no feature is chosen
      }
      list(test = test, link = link)
    })
    test <- unlist(lapply(links, `[[`, "test"))
    of <- function(method) unlist(lapply(links, function(one) one$link[[method]]))
    strata <- survival::strata
    within <- lung$inst[test]
    methods <- names(links[[1]]$link)
    all[[draw]] <- data.frame(
      set = paste(length(targets), "centres"), method = methods,
      concordance = vapply(methods, function(method) {
        eta <- of(method)
        survival::concordance(y[test] ~ eta + strata(within), reverse = TRUE)$concordance
      }, 0),
      "minus log partial likelihood, an event" = vapply(methods, function(method) {
        eta <- of(method) # the likelihood of few rows may have no maximum
        m <- tryCatch(survival::coxph(y[test] ~ eta + strata(within), init = 1,
                                      control = survival::coxph.control(iter.max = 0)), error = function(e) NULL)
        if (is.null(m)) NA_real_ else -m$loglik[length(m$loglik)] / sum(lung$status[test] == 2)
      }, 0), check.names = FALSE
    )
  }
  section("families", "centres",
          "Lung cancer by institution (survival::lung): half of a centre's rows, the others whole, 6 draws",
          "Every centre of at least 12 rows is the target once; 6 columns. The measures are of the other halves of the
centres' rows and compare rows of the same centre; s.e.: standard errors over the draws.", "",
          markdown_table(mean_table(all)))
}

# The least AIC of all subsets, by glm.fit() or coxph().
least_aic <- function(refit, p) {
  sets <- lapply(0:(2^p - 1), function(k) which(bitwAnd(k, 2^(seq_len(p) - 1)) > 0))
  min(vapply(sets, function(set) suppressWarnings(refit(set)), 0))
}

glm_aic <- function(x, y, family) {
  function(set) stats::glm.fit(cbind(1, x[, set, drop = FALSE]), y, family = family)$aic
}

cox_aic <- function(x, y) {
  function(set) {
    if (!length(set)) return(-2 * survival::coxph(y ~ 1)$loglik[1])
    stats::AIC(survival::coxph(y ~ x[, set, drop = FALSE]))
  }
}

part_subsets <- function() {
  rows <- list()
  for (family in c("binomial", "poisson", "cox")) {
    worse <- NULL
    for (seed in seq_len(if (family == "cox") 40 else 80)) {
      set.seed(seed)
      p <- if (family == "cox") 6 else 8
      n <- sample(c(60, 100, 200), 1)
      R <- chol(stats::runif(1, 0, .9)^abs(outer(seq_len(p), seq_len(p), "-")))
      x <- matrix(stats::rnorm(n * p), n) %*% R
      eta <- drop(x %*% (stats::rnorm(p, 0, .5) * stats::rbinom(p, 1, .5)))
      y <- switch(family, binomial = stats::rbinom(n, 1, stats::plogis(eta)),
                  poisson = stats::rpois(n, exp(pmin(.3 + eta, 3))),
                  cox = survival::Surv(ceiling(10 * stats::rexp(n, exp(eta))), stats::rbinom(n, 1, .7)))
      fit <- tryCatch(transelect::tlcp(x, y, family = family),
                      transelect_error_family = function(e) NULL)
      if (is.null(fit)) next
      refit <- if (family == "cox") cox_aic(x, y) else glm_aic(x, y, get(family)())
      worse <- c(worse, stats::AIC(fit) - least_aic(refit, p))
    }
    rows[[family]] <- data.frame(family = family, problems = length(worse),
                                 "the true best" = sum(worse < 1e-6), "worst difference" = max(worse),
                                 check.names = FALSE)
  }
  section("families", "subsets", "The chosen subset against all refits by glm() or coxph(), AIC, random data",
          "", markdown_table(do.call(rbind, rows)))
}

part_real <- function() {
  pima <- rbind(MASS::Pima.tr, MASS::Pima.te)
  b <- MASS::birthwt
  race <- b$race
  lung <- stats::na.omit(survival::lung[c("time", "status", "age", "sex", "ph.ecog", "ph.karno",
                                         "pat.karno", "meal.cal", "wt.loss")])
  pbc <- stats::na.omit(survival::pbc[c("time", "status", "age", "bili", "albumin", "protime", "edema",
                                        "platelet", "ast", "copper")])
  v <- survival::veteran
  sets <- list(
    Pima = list(x = as.matrix(pima[1:7]), y = as.numeric(pima$type == "Yes"), family = "binomial"),
    birthwt = list(x = cbind(as.matrix(b[c("age", "lwt", "smoke", "ptl", "ht", "ui", "ftv")]),
                             black = race == 2, other = race == 3), y = b$low, family = "binomial"),
    lung = list(x = as.matrix(lung[-(1:2)]), y = survival::Surv(lung$time, lung$status == 2), family = "cox"),
    pbc = list(x = as.matrix(pbc[-(1:2)]), y = survival::Surv(pbc$time, pbc$status == 2), family = "cox"),
    veteran = list(x = cbind(trt = v$trt, small = v$celltype == "smallcell",
                             adeno = v$celltype == "adeno", large = v$celltype == "large",
                             karno = v$karno, diagtime = v$diagtime, age = v$age, prior = v$prior),
                   y = survival::Surv(v$time, v$status), family = "cox")
  )
  rows <- Map(function(set, name) {
    fit <- transelect::tlcp(set$x, set$y, family = set$family)
    refit <- if (set$family == "cox") cox_aic(set$x, set$y) else glm_aic(set$x, set$y, stats::binomial())
    data.frame(data = name, family = set$family, columns = ncol(set$x), chosen = length(fit$selected),
               AIC = stats::AIC(fit), "least AIC of all subsets" = least_aic(refit, ncol(set$x)),
               check.names = FALSE)
  }, sets, names(sets))
  section("families", "real", "The same, real data", "", markdown_table(do.call(rbind, rows)))
}

# The chosen subset's AIC over the least of all, and time, one set of columns at a time: tlcp(), bestglm()
# (exhaustive) and abess() (splicing; its AIC is of the likelihood less a constant, so the set is refitted).
part_peers <- function() {
  cases <- list(c(8, 100), c(15, 300))
  rows <- lapply(c("binomial", "poisson", "cox"), function(family) {
    lapply(cases, function(case) {
      p <- case[1]
      n <- case[2]
      draws <- lapply(seq_len(5), function(seed) {
        set.seed(seed)
        x <- matrix(stats::rnorm(n * p), n) %*% chol(.5^abs(outer(seq_len(p), seq_len(p), "-")))
        colnames(x) <- paste0("x", seq_len(p))
        eta <- drop(x %*% (stats::rbinom(p, 1, .3) * stats::rnorm(p, 0, .4)))
        y <- switch(family, binomial = stats::rbinom(n, 1, stats::plogis(eta)),
                    poisson = stats::rpois(n, exp(pmin(.5 + eta, 3))),
                    cox = survival::Surv(stats::rexp(n, exp(eta)), stats::rbinom(n, 1, .7)))
        refit <- if (family == "cox") cox_aic(x, y) else glm_aic(x, y, get(family)())
        run <- list(
          tlcp = function() {
            which(stats::coef(transelect::tlcp(x, y, family = family, sizes = FALSE))[colnames(x)] != 0)
          },
          bestglm = if (installed("bestglm") && family != "cox" && p <= 8) function() {
            found <- bestglm::bestglm(data.frame(x, y = y), family = get(family), IC = "AIC")
            match(names(stats::coef(found$BestModel))[-1], colnames(x))
          },
          abess = if (installed("abess")) function() {
            found <- abess::abess(x, y, family = family, tune.type = "aic", num.threads = 1)
            match(found$beta@Dimnames[[1]][found$beta[, as.character(found$best.size)] != 0], colnames(x))
          }
        )
        run <- Filter(Negate(is.null), run)
        lapply(run, function(f) {
          quiet <- function() utils::capture.output(set <- suppressMessages(suppressWarnings(f())))
          time <- min(vapply(1:2, function(i) system.time(quiet())[["elapsed"]], 0))
          c(aic = refit(sort(suppressWarnings(suppressMessages(f())))), time = time)
        })
      })
      methods <- names(draws[[1]])
      best <- vapply(draws, function(d) min(vapply(d, `[[`, 0, "aic")), 0)
      own <- mean(vapply(draws, function(d) d$tlcp[["time"]], 0))
      do.call(rbind, lapply(methods, function(m) {
        aic <- vapply(draws, function(d) d[[m]][["aic"]], 0)
        time <- mean(vapply(draws, function(d) d[[m]][["time"]], 0))
        data.frame(family = family, rows = n, columns = p, method = m, "best of these" = sum(aic < best + 1e-6),
                   "AIC above the best, mean" = mean(aic - best), "time, ms" = 1000 * time,
                   "time over tlcp" = time / own, check.names = FALSE)
      }))
    })
  })
  section("families", "peers", "Best subsets by AIC beside bestglm and abess, 5 draws",
          "bestglm tries all subsets (here of 8 columns); abess proves nothing.", busy_line(), "",
          markdown_table(do.call(rbind, unlist(rows, recursive = FALSE))))
}

part_speed <- function() {
  h <- heart_rows()
  set.seed(1)
  rows <- c(sample(which(h$hospital == "va"), 50), which(h$hospital != "va"))
  x <- as.matrix(h[rows, -(1:2)])
  fit <- function(...) {
    function() suppressMessages(transelect::tlcp(x, h$ill[rows], family = "binomial",
                                                 domain = h$hospital[rows], target = "va", ...))
  }
  times <- rbind(timed(fit()), timed(fit(select = FALSE)))
  out <- data.frame(fit = c("searched", "all features"), "best, ms" = 1000 * times[, "best"],
                    "median, ms" = 1000 * times[, "median"], check.names = FALSE)
  section("families", "speed", "A fit of the heart data: 50 rows, three other hospitals, 11 columns", "",
          markdown_table(out))
}

# Domains whose coefficients are b + u_t, b ~ N(0, .5^2), u_t ~ N(0, tau^2): the target (first) and three
# other domains, with the signs of their b reversed where `reversed`.
coverage_data <- function(family, tau, n, reversed, p = 6) {
  rows <- c(n, 100, 100, 100)
  b <- stats::rnorm(p, 0, .5)
  w <- vapply(seq_along(rows), function(t) {
    (if (reversed && t > 1) -b else b) + stats::rnorm(p, 0, tau)
  }, numeric(p))
  R <- chol(.5^abs(outer(seq_len(p), seq_len(p), "-")))
  x <- matrix(stats::rnorm(sum(rows) * p), ncol = p) %*% R
  colnames(x) <- paste0("x", seq_len(p))
  domain <- rep(c("target", "a", "b", "c"), rows)
  if (family == "poisson") w <- w / 2 # else some rates are too large to be drawn
  level <- rep(stats::rnorm(4, 0, .2), rows)
  eta <- level + rowSums(x * t(w)[rep(1:4, rows), ])
  N <- length(eta)
  years <- stats::runif(N, .5, 3)
  y <- switch(family, gaussian = eta + stats::rnorm(N), binomial = stats::rbinom(N, 1, stats::plogis(eta)),
              poisson = stats::rpois(N, years * exp(eta - .5)),
              cox = survival::Surv(stats::rexp(N, exp(eta)), stats::rbinom(N, 1, .7)))
  list(x = x, y = y, domain = domain, w = w[, 1], offset = if (family == "poisson") log(years))
}

# Intervals by lme4: an intercept and slopes that vary independently from domain to domain. The variance of a
# coefficient of the target is that of the common one and that of the target's deviation added; odds by nAGQ = 0,
# which is fast.
mixed_intervals <- function(d, family) {
  data <- data.frame(y = d$y, d$x, domain = d$domain)
  terms <- paste(colnames(d$x), collapse = " + ")
  formula <- stats::as.formula(paste0("y ~ ", terms, " + (", terms, " || domain)"))
  fit <- suppressMessages(suppressWarnings(
    if (family == "gaussian") lme4::lmer(formula, data) else lme4::glmer(formula, data, stats::binomial(), nAGQ = 0)
  ))
  own <- lme4::ranef(fit, condVar = TRUE)$domain
  moved <- attr(own, "postVar")
  if (is.list(moved)) moved <- vapply(moved, function(v) v[1, 1, match("target", rownames(own))], 0)
  names(moved) <- names(own)
  at <- colnames(d$x)
  b <- lme4::fixef(fit)[at] + unlist(own["target", at])
  half <- stats::qnorm(.975) * sqrt(diag(as.matrix(stats::vcov(fit)))[at] + moved[at])
  cbind(covered = d$w >= b - half & d$w <= b + half, width = 2 * half)
}

part_coverage <- function() {
  cases <- expand.grid(family = c("gaussian", "binomial", "poisson", "cox"), n = 60,
                       tau = c(0, .1, .3, 1), reversed = FALSE, stringsAsFactors = FALSE)
  cases <- rbind(cases, transform(cases[1:4, ], reversed = TRUE))
  rows <- parallel::mclapply(seq_len(nrow(cases)), function(k) {
    case <- cases[k, ]
    set.seed(k)
    draws <- lapply(seq_len(40), function(draw) {
      d <- coverage_data(case$family, case$tau, case$n, case$reversed)
      fit <- function(borrow, select, keep = rep(TRUE, length(d$y))) {
        tryCatch(suppressMessages(transelect::tlcp(
          d$x[keep, ], d$y[keep], family = case$family, domain = d$domain[keep], target = "target",
          offset = d$offset[keep], borrow = borrow, select = select)), error = function(e) NULL)
      }
      covers <- function(fit) {
        if (is.null(fit)) return(NULL)
        at <- stats::confint(fit)
        at <- stats::na.omit(at[rownames(at) != "(Intercept)", , drop = FALSE])
        w <- stats::setNames(d$w, colnames(d$x))[rownames(at)]
        cbind(covered = w >= at[, 1] & w <= at[, 2], width = at[, 2] - at[, 1])
      }
      whole <- fit("hierarchical", FALSE)
      list(borrowed = covers(whole), selected = covers(fit("hierarchical", TRUE)),
           own = covers(fit("none", FALSE, d$domain == "target")),
           mixed = if (installed("lme4") && case$family %in% c("gaussian", "binomial")) mixed_intervals(d, case$family))
    })
    take <- function(name) do.call(rbind, lapply(draws, `[[`, name))
    of <- function(name, what) if (is.null(take(name))) NA_real_ else mean(take(name)[, what])
    over_own <- function(name) {
      if (is.null(take(name))) return(NA_real_)
      stats::median(take(name)[, "width"]) / stats::median(take("own")[, "width"])
    }
    data.frame(family = case$family, "other domains" = if (case$reversed) "reversed" else "b + u", tau = case$tau,
               "covered, all features" = 100 * of("borrowed", "covered"),
               "of those selected" = 100 * of("selected", "covered"),
               "own rows alone" = 100 * of("own", "covered"),
               "by lme4" = 100 * of("mixed", "covered"), "width over own" = over_own("borrowed"),
               "of lme4" = over_own("mixed"), check.names = FALSE)
  }, mc.preschedule = FALSE) # MC_CORES: how many at a time
  section("families", "coverage", "Intervals of nominal 95 %: per cent of the target's coefficients covered",
          "The target has 60 rows, each of three other domains 100, with 6 columns. The coefficients of a domain are
b + u, b of standard deviation .5 and u of tau (both half of that for counts). In the rows 'reversed' the other
domains have -b + u. Each row of the table is of 40 draws of 6 coefficients, so the standard error is about 2. By lme4:
slopes that vary independently from domain to domain, `x1 + ... || domain`.", "",
          markdown_table(do.call(rbind, rows)))
}

run_parts("families", list(coverage = part_coverage, heart = part_heart, cox = part_cox, centres = part_centres,
                           subsets = part_subsets, real = part_real, speed = part_speed, peers = part_peers),
          alone = c("speed", "peers"))

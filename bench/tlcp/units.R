# The units in which coefficients are alike: simulations, real domains beside mixed models, and both
# together. Only definitions.

UNITS_DRAWS <- 20

# Domains as list(x, y), test rows first, then the target. The target has 12 rows, three other domains have 100;
# y = x1 + x2/2 + noise. "spread": the standard deviation of x1 is `ratio` times smaller in the target, the slope is the
# same; "unit": x1 of the target is in another unit, so that its slope is `ratio` times larger.
units_draw <- function(ratio, kind, rows = c(12, 100, 100, 100)) {
  domain <- function(n, target) {
    z <- cbind(x1 = stats::rnorm(n), x2 = stats::rnorm(n))
    x <- z
    if (target) x[, 1] <- z[, 1] / ratio
    signal <- (if (kind == "unit") z[, 1] else x[, 1]) + z[, 2] / 2
    list(x = x, y = signal + stats::rnorm(n), signal = signal)
  }
  c(list(test = domain(1000, TRUE)), lapply(seq_along(rows), function(t) domain(rows[t], t == 1)))
}

# x2 = exp(2 N), equal slopes in four domains of 30 rows.
heavy_draw <- function() {
  lapply(c(test = 1000, rep(30, 4)), function(n) {
    x <- cbind(x1 = stats::rnorm(n), x2 = exp(2 * stats::rnorm(n)))
    list(x = x, y = rowSums(x) + stats::rnorm(n), signal = rowSums(x))
  })
}

# Domains from a data frame with y, features and domain: n rows of a target, its other rows for the test.
rows_draw <- function(data, target, n) {
  own <- which(data$domain == target)
  train <- own[sample.int(length(own), n)]
  as_domain <- function(rows) {
    list(x = as.matrix(data[rows, setdiff(names(data), c("y", "domain"))]), y = data$y[rows])
  }
  others <- split(which(data$domain != target), as.character(data$domain[data$domain != target]))
  others <- others[vapply(others, function(rows) stats::sd(data$y[rows]) > 0, NA)]
  c(list(test = as_domain(setdiff(own, train))), list(as_domain(train)),
    unname(lapply(others, as_domain)))
}

# ---- methods: domains -> predictions of the test rows ---------------------------------------------

stacked <- function(domains) {
  rows <- domains[-1]
  list(x = do.call(rbind, lapply(rows, `[[`, "x")), y = unlist(lapply(rows, `[[`, "y")),
       domain = rep(seq_along(rows), vapply(rows, function(d) length(d$y), 0L)))
}

units_tlcp <- function(...) {
  function(domains) {
    d <- stacked(domains)
    fit <- suppressMessages(tlcp(d$x, d$y, domain = d$domain, target = 1, sizes = FALSE, ...))
    stats::predict(fit, domains$test$x)
  }
}

units_alone <- function(domains) {
  own <- domains[[2]]
  beta <- stats::lm.fit(cbind(1, own$x), own$y)$coefficients
  beta[is.na(beta)] <- 0
  drop(cbind(1, domains$test$x) %*% beta)
}

units_lme4 <- function(slopes) {
  function(domains) {
    d <- stacked(domains)
    center <- colMeans(d$x)
    scale <- apply(d$x, 2, stats::sd)
    keep <- scale > 0
    z <- function(x) {
      out <- t((t(x) - center) / scale)[, keep, drop = FALSE]
      colnames(out) <- paste0("v", seq_len(ncol(out)))
      out
    }
    data <- data.frame(y = d$y, z(d$x), domain = factor(d$domain))
    terms <- paste(setdiff(names(data), c("y", "domain")), collapse = " + ")
    bars <- if (slopes) paste("(1 +", terms, "|| domain)") else "(1 | domain)"
    fit <- suppressWarnings(suppressMessages(
      lme4::lmer(stats::as.formula(paste("y ~", terms, "+", bars)), data,
                 control = lme4::lmerControl(calc.derivs = FALSE))
    ))
    new <- data.frame(z(domains$test$x), domain = factor(1, levels(data$domain)))
    stats::predict(fit, new)
  }
}

# The lasso of all rows with an intercept a domain.
units_lasso <- function(domains) {
  d <- stacked(domains)
  k <- max(d$domain)
  dummies <- outer(d$domain, seq_len(k), `==`) + 0
  fit <- glmnet::cv.glmnet(cbind(d$x, dummies), d$y, penalty.factor = rep(1:0, c(ncol(d$x), k)))
  own <- matrix(rep(c(1, rep(0, k - 1)), each = nrow(domains$test$x)), ncol = k)
  as.vector(stats::predict(fit, cbind(domains$test$x, own), s = "lambda.min"))
}

units_methods <- list(
  "target alone" = units_alone, "own units" = units_tlcp(control = tlcp_control(units = "own"), select = FALSE),
  "common units" = units_tlcp(control = tlcp_control(units = "common"), select = FALSE),
  "evidence (default), all features" = units_tlcp(select = FALSE),
  "evidence (default), selected" = units_tlcp(),
  "lme4, random intercept" = units_lme4(FALSE), "lme4, random slopes" = units_lme4(TRUE),
  "lasso, an intercept a domain" = units_lasso
)

# Mean squared errors of the methods, beside the signal where it is known, else beside the response.
units_errors <- function(draw, draws, methods = units_methods) {
  out <- vapply(seq_len(draws), function(i) {
    domains <- draw()
    truth <- domains$test$signal
    if (is.null(truth)) truth <- domains$test$y
    vapply(methods, function(method) {
      tryCatch(mean((method(domains) - truth)^2), error = function(e) NA_real_)
    }, 0)
  }, numeric(length(methods)))
  rowMeans(out, na.rm = TRUE)
}

part_units <- function() {
  set.seed(1)
  cases <- expand.grid(ratio = c(1, 1.5, 2, 3), kind = c("spread", "unit"),
                       stringsAsFactors = FALSE)
  errors <- Map(function(ratio, kind) {
    units_errors(function() units_draw(ratio, kind), UNITS_DRAWS)
  }, cases$ratio, cases$kind)
  names <- paste(ifelse(cases$kind == "spread", "spread of x1 in the target 1 /", "unit of x1, times"),
                 cases$ratio)
  set.seed(1)
  errors <- c(errors, list(units_errors(heavy_draw, UNITS_DRAWS)))
  table <- data.frame(case = c(names, "x2 = exp(2 N), 30 rows a domain"), do.call(rbind, errors),
                      check.names = FALSE)
  section(
    "tlcp", "units", "Units in which coefficients are alike",
    "Mean squared distance of the prediction from the truth on 1000 rows. y = x1 + x2/2 + noise of",
    paste0("variance 1; the target has 12 rows, each of three other domains 100; ", UNITS_DRAWS, " draws for each"),
    "row of the table. In its last row y = x1 + x2 + noise, and four domains have 30 rows each.", "",
    markdown_table(table)
  )
}

# ---- many domains: mixed models as peers ----------------------------------------------------------

lung_data <- function() {
  columns <- c("ph.karno", "inst", "age", "sex", "ph.ecog", "pat.karno", "wt.loss")
  d <- stats::na.omit(survival::lung[columns])
  d <- d[d$inst %in% names(which(table(d$inst) >= 5)), ]
  data.frame(y = d$ph.karno, d[columns[-(1:2)]], domain = d$inst)
}

math_data <- function() {
  d <- as.data.frame(nlme::MathAchieve)
  data.frame(y = d$MathAch, ses = d$SES, minority = +(d$Minority == "Yes"),
             female = +(d$Sex == "Female"), domain = as.character(d$School))
}

school_data <- function() {
  d <- read_set("school.csv.gz")
  data.frame(y = d$score, d[paste0("x", c(4, 5, 1:3, 6:8))], domain = d$school)
}

bdf_data <- function() {
  d <- as.data.frame(nlme::bdf)
  data.frame(y = d$langPOST, iq = d$IQ.verb, perf = d$IQ.perf, ses = d$ses, sex = +(d$sex == "1"),
             pre = d$aritPRET, minority = +(d$Minority == "Y"), domain = as.character(d$schoolNR))
}

insteval_data <- function() {
  d <- lme4::InstEval
  data.frame(y = d$y, stage = as.numeric(as.character(d$studage)),
             age = as.numeric(as.character(d$lectage)), service = +(d$service == "1"),
             domain = as.character(d$d))
}

# n rows of a domain drawn at random, with `n_others` other domains.
many_draw <- function(data, n, n_others) {
  size <- table(data$domain)
  big <- names(size)[size >= n + 6]
  function() {
    target <- sample(big, 1)
    others <- setdiff(names(size)[size >= 5], target)
    if (length(others) > n_others) others <- sample(others, n_others)
    rows_draw(data[data$domain %in% c(target, others), ], target, n)
  }
}

part_lme4 <- function() {
  sets <- list(
    list("survival::lung by institution", lung_data, c(8, 11), Inf),
    list("nlme::MathAchieve, 30 schools", math_data, c(8, 15, 30), 30),
    list("school, 15 schools", school_data, c(15, 40), 15),
    list("nlme::bdf, 40 schools", bdf_data, c(8, 15), 40),
    list("lme4::InstEval, 30 lecturers", insteval_data, c(8, 20), 30)
  )
  rows <- lapply(sets, function(set) {
    data <- set[[2]]()
    lapply(set[[3]], function(n) {
      set.seed(1)
      error <- units_errors(many_draw(data, n, set[[4]]), UNITS_DRAWS)
      ratio <- error / error[["lme4, random intercept"]]
      data.frame(target = paste0(set[[1]], ", ", n, " rows"), t(ratio),
                 check.names = FALSE)
    })
  })
  section(
    "tlcp", "lme4", "Beside mixed models",
    "Mean squared error on the target's other rows, divided by that of lme4 with a random intercept;",
    paste(UNITS_DRAWS, "draws of a target and of its rows."), "",
    markdown_table(do.call(rbind, unlist(rows, recursive = FALSE)))
  )
}

# ---- simulated and real data sets -----------------------------------------------------------------

set_draw <- function(set, n) {
  data <- do.call(rbind, Map(function(d, name) cbind(d, domain = name), set$domains,
                             names(set$domains)))
  function() rows_draw(data, names(set$domains)[1], n)
}

units_settings <- function() {
  c(
    lapply(stats::setNames(1:3, paste("spread 1 /", 1:3)), function(r) {
      function() units_draw(r, "spread")
    }),
    lapply(stats::setNames(2:3, paste("unit times", 2:3)), function(r) {
      function() units_draw(r, "unit")
    }),
    list("exp(2 N)" = heavy_draw),
    unlist(lapply(c("va", "cleveland", "hungarian"), function(h) {
      stats::setNames(lapply(c(20, 50), function(n) set_draw(heart_set(h), n)),
                      paste("heart", h, c(20, 50)))
    })),
    list("furnace 60" = set_draw(furnace_set(), 60), "furnace 150" = set_draw(furnace_set(), 150),
         "school 20" = set_draw(school_set(2:15), 20), "school 60" = set_draw(school_set(2:15), 60))
  )
}

settings_simulated <- function(settings) grepl("^(spread|unit|exp)", names(settings))

part_settings <- function() {
  methods <- units_methods[c(1:5, 6, 8)]
  settings <- units_settings()
  errors <- t(vapply(settings, function(draw) {
    set.seed(1)
    units_errors(draw, UNITS_DRAWS / 2, methods)
  }, numeric(length(methods))))
  # the error of new responses is that of the signal and the noise, which has variance 1 in simulations
  errors[settings_simulated(settings), ] <- errors[settings_simulated(settings), ] + 1
  ratio <- errors / apply(errors, 1, min, na.rm = TRUE)
  table <- data.frame(setting = rownames(errors), errors, check.names = FALSE)
  of <- function(f) vapply(as.data.frame(ratio), f, 0, USE.NAMES = FALSE)
  last <- data.frame(method = colnames(errors),
                     "geometric mean over the best" = of(function(r) exp(mean(log(r)))),
                     worst = of(max), check.names = FALSE)
  section(
    "tlcp", "settings", "Simulated and real data sets",
    paste("Mean squared errors of new responses;", UNITS_DRAWS / 2, "draws for each row of the table."), "",
    markdown_table(table), "", markdown_table(last)
  )
}

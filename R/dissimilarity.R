#' May I borrow? Other domains against the target, one by one
#'
#' Compares every other domain with the target: how far apart are their coefficients, is there evidence that they are
#' related, and does borrowing from the domain predict the target's rows better? Use it before [tlcp()] with `domain`
#' and `target`: `dissimilarity(y ~ ., data = d, domain = hospital, target = "A")`. You do not need it to choose domains
#' for `tlcp()`, which weighs all domains at once. To compare `tlcp()` with other methods use [compare_paths()].
#'
#' @section Evidence: `log_bf` is the logarithm of a Bayes factor: positively correlated slopes of the two domains
#'   against uncorrelated slopes. It is the log of the mean marginal likelihood over correlations in (0, 1), minus the
#'   log marginal likelihood at correlation 0. The variances of the slopes are those that maximise the marginal
#'   likelihood of each domain by itself. `evidence` is `"for"` related coefficients if `log_bf` is above 1.35, and
#'   above 2.2 if Q (see below) refutes equal coefficients at the level .05: a few large coefficients may be alike by
#'   chance. It is `"against"` if `log_bf` is below -(.3 + .15 \eqn{\sqrt p}) with p columns: unrelated or opposite
#'   coefficients are more likely, and nothing should be borrowed from the domain. Otherwise it is `"open"`. For all
#'   domains together the correlation is between the target and what the other domains have in common; that other
#'   domains agree with each other is no reason for the target to borrow.
#'
#'   The limits are chosen so that of unrelated domains about 5 % are called `"for"`, and of domains with the target's
#'   own coefficients about 5 % `"against"`: with 15 and 40 rows of the target, noise as large as or three times that
#'   of the other domain, 3 to 40 columns, and coefficients that are normal, all zero or zero but for two large ones
#'   (`Rscript bench/tlcp.R verdicts`, which also has the shares of right verdicts). In
#'   single cells of this simulation (150 draws) it was up to 9 %.
#'
#' @section Many other domains: The limits hold for one other domain. With many unrelated domains it is likely that
#'   some of them are called `"for"` by chance. The column `adjusted` has verdicts for which this happens in at most 5
#'   % of such tables: the limits of `"for"` are larger by the logarithm of the number of domains (the chance that a
#'   Bayes factor is x times its limit falls at least as 1/x), and `"against"` also requires that Q refutes equal
#'   coefficients by Holm's rule. Whether the domains help together is one question, answered by `log_bf` and
#'   `evidence` in the attribute `joint`.
#'
#' @section Heterogeneity: `q` is Cochran's Q of the least squares coefficients of the two domains, all columns at
#'   once, as a multivariate meta-analysis with a common effect for each column has it (`QE` of `rma.mv()` in package
#'   metafor). `i2` is I-squared: the share of Q in excess of its degrees of freedom, in per cent. For the p-value
#'   `q_p` Q divided by the number of columns is compared with an F distribution, whose denominator has the degrees of
#'   freedom of Welch and Satterthwaite. With few rows the chi-squared distribution, which metafor uses by default,
#'   rejects equal coefficients too often (the same command has both). Q asks whether coefficients are equal, `log_bf`
#'   whether they are related: with many rows Q refutes equality of coefficients from which it is still good to borrow.
#'   `joint` has `q`, `q_df` and `i2` of all domains.
#'
#' @section Likelihood ratio and distance: `lr` is the log likelihood ratio that [tlcp()] shows as `borrowing$lr`: the
#'   hierarchical model of the two domains (feature scales 1) against unrelated coefficients, both at their maximum. It
#'   cannot be far below 0, so it never speaks against a domain.
#'
#'   The paper's relative dissimilarity \eqn{|\hat w_1 - \hat w_2|/|\hat w_1|} (section 5.4: borrow below a limit) is
#'   the column `raw`. `relative`, which `print()` shows, is the same after the expected squares of the noise are
#'   subtracted from both squares. `relative` does not decide `evidence`: it is below 2 for most unrelated domains, too.
#'
#' @section Held-out errors: Every row of the target is left out once: with up to 30 rows each by itself, with more rows
#'   in ten folds of every tenth row. The model is fitted without these rows by [tlcp()] with `select = FALSE` (so all
#'   means, variances and the borrowing prior are estimated anew; the searches of the prior start from that of all rows
#'   and end earlier, which changes an error by about 1 in 10,000), and the held-out rows are predicted:
#' * `own`: by least squares of the target (`borrow = "none"`);
#' * `shrunk`: by the target alone, with coefficients shrunk towards zero by maximum marginal likelihood;
#' * `pooled`: by least squares of the rows of both domains as one data set, each domain in its z-scores
#'   (`borrow = "aggregate"`);
#' * `borrowed`: with borrowing from this domain (`borrow = "hierarchical"`).
#'
#' These errors and `evidence` may disagree, since they answer different questions. `evidence` says whether the
#' coefficients are related, and uses all rows of both domains. The errors say how much the predictions of the target's
#' rows gained, and rest on these few rows. By chance, the error of a domain with `evidence` `"for"` may be above `own`,
#' and that of a domain with `evidence` `"against"` below it. `print()` says if there is evidence `"for"` but every way
#' of borrowing has a larger error than the target alone. Then do not borrow for predictions, unless [compare_paths()]
#' with more folds shows a gain.
#'
#' Borrowing also shrinks coefficients, and shrinkage alone often has a smaller error than least squares: `borrowed` is
#' often below `own` even for a domain whose signs are all flipped. To see what a domain adds, compare `borrowed` with
#' `shrunk`. Even this difference may come only from the size of the effects, which is the same in a domain with all
#' signs flipped. An error is `NA` if a model cannot be fitted without some of the rows: fewer than two rows are left,
#' their response is constant or, for `own` and `pooled`, least squares has no unique solution. From moments, which have
#' no rows, all errors are `NA`. The errors take most of the time, since the models are fitted again without parts of
#' the rows: if you do not need them, use [moments()].
#'
#' @section With a family: `tau`, `relative`, `lr` and `log_bf` are computed from the quadratic expansions of the
#'   log-likelihoods in [tlcp()] with a `family` (the estimate of each domain is one Newton step from the borrowed one).
#'   The errors are mean deviances of the target's rows, left out in ten folds (for survival times minus twice the log
#'   partial likelihood per event): by the target alone (`own`), the same with slopes shrunk towards zero (`shrunk`), by
#'   the rows of both domains (`pooled`) and with borrowing (`borrowed`). For `shrunk`, `pooled` and `borrowed` the
#'   target's expansion and the prior are computed anew without the fold, by two Newton steps. Scales, dispersion and
#'   the expansions of the other domains are those of all rows, since the held-out rows hardly change them.
#'
#' @section Domains of which only estimates are known: `sources` are models, [estimates()], or [moments()] with a
#'   `family` that a site has computed, as in [tlcp()]. The rows of `x` are then the target's; with a `domain`, they may
#'   also be those of other domains. `tau`, `relative`, `lr` and `log_bf` are computed from the estimates and their
#'   information. `borrowed` is as above, by [tlcp()] with these `sources`. `pooled` is `NA`, since there are no rows to
#'   pool. Coefficients of a domain without rows are compared in units of the features, unless its estimates come with
#'   the standard deviations of its rows.
#'
#' @param x,y,domain,target,weights,formula,data,subset,na.action,sparse,family,offset,strata,sources As in [tlcp()].
#' @param draws Number of draws of the parametric bootstrap for the interval of `relative`. It uses R's random numbers.
#'   0: no interval and no random numbers.
#' @param standardize,intercept As in [tlcp()].
#' @param sigma2 As in [tlcp_control()]; with `sources` that of the target only.
#' @param ... With a formula: `family`, `draws`, `standardize`, `intercept` and `sigma2`, by name. A mistyped argument
#'   is an error that says which one was meant.
#' @returns A data frame of class `"transfer_dissimilarity"` with one row per other domain, in the order of the levels
#'   of `domain`; `sources` come last:
#' \item{domain, n}{name and number of rows of the domain.}
#' \item{tau}{standard deviation of the difference between the coefficients of the two domains, by marginal likelihood,
#'   in z-scores of the likelier units (see [tlcp_control()]). The smallest value, .0014, means that no
#'   difference is seen.}
#' \item{raw, relative, lower, upper}{the paper's relative dissimilarity; the same corrected for noise; and the limits
#'   of its 95 % bootstrap interval. `NA` if a domain has too few rows for least squares.}
#' \item{lr, log_bf, evidence, adjusted}{log likelihood ratio; log Bayes factor; the evidence for related coefficients:
#'   `"for"`, `"open"` or `"against"`; and the same adjusted for the number of domains.}
#' \item{q, q_p, i2}{Cochran's Q of the two domains, the p-value of equal coefficients, and I-squared in per cent. `NA`
#'   if a domain has too few rows for least squares.}
#' \item{own, shrunk, pooled, borrowed}{mean squared errors of the target's held-out rows, in squared units of the
#' response; with a `family` mean deviances.} Attributes: `target`, its name; `joint`, a data frame with one row: `lr`,
#' `log_bf`, `evidence`, `borrowed`, `q`, `q_df` and `i2` with all other domains at once, `n` (rows of the target), and
#' `folds` (the number of parts that were left out; 0 from moments); `family`, if one was given; `left_out`, about
#' incomplete rows.
#'
#' `sort()`: the table, ordered by the column `by`. `print()` returns it invisibly,
#'   as does [plot()][plot.transfer_dissimilarity].
#' @references Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information
#'   criteria-based feature selection. *Journal of Machine Learning Research* 23, section 5.4.
#'   \doi{10.48550/arXiv.2107.02847}
#'
#'   Higgins, J. P. T. and Thompson, S. G. (2002). Quantifying heterogeneity in a meta-analysis. *Statistics in
#'   Medicine* 21, 1539-1558. \doi{10.1002/sim.1186}
#' @seealso [tlcp()]
#' @examples
#' aq <- na.omit(airquality)
#' set.seed(1)
#' d <- dissimilarity(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' d
#' sort(d, by = "borrowed")
#' plot(d)
#'
#' # another domain, of which only a fitted model is known
#' june <- lm(Ozone ~ Solar.R + Wind + Temp, data = aq, subset = Month == 6)
#' dissimilarity(Ozone ~ Solar.R + Wind + Temp, data = aq[aq$Month == 5, ],
#'               sources = list(june = june))
#' @export
dissimilarity <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("dissimilarity")
}

#' @rdname dissimilarity
#' @export
dissimilarity.default <- function(x, y, domain = NULL, target = NULL, sources = NULL, ..., weights = NULL,
                                  offset = NULL, strata = NULL, family = NULL, draws = 200, standardize = TRUE,
                                  intercept = TRUE, sigma2 = NULL) {
  arguments_methods_check("dissimilarity")
  frame <- frame_default(x, y, weights = weights, domain = domain, sources = sources, family = family,
                         offset = offset, strata = strata, moments = TRUE)
  dissimilarity(frame, family = family, target = target, draws = draws, standardize = standardize,
                intercept = intercept, sigma2 = sigma2)
}

#' @rdname dissimilarity
#' @export
dissimilarity.formula <- function(formula, data, domain, target = NULL, sources = NULL, ..., weights, offset, subset,
                                  na.action, sparse = FALSE) {
  more <- arguments_methods_check("dissimilarity")
  if (missing(domain) && is.null(sources) && !(!missing(data) && length(frame_groups_of_data(data)))) {
    dissimilarity_abort_no_domain("Name the column of {.arg data} that says where each row comes from",
                                  rlang::current_env())
  }
  frame <- frame_formula(formula, data, match.call(), na.action, sources = sources, sparse = sparse,
                         family = more$family, env = parent.frame())
  arguments_methods_handed_on(dissimilarity(frame, target = target), more)
}

dissimilarity_abort_no_domain <- function(mend, call) {
  abort_missing("domain", paste0(mend, ", or estimates of other domains as {.arg sources}."), call)
}

#' @rdname dissimilarity
#' @usage NULL
#' @export
dissimilarity.transfer_frame <- function(x, ..., family = NULL, target = NULL, draws = 200, standardize = TRUE,
                                         intercept = TRUE, sigma2 = NULL) {
  call <- rlang::caller_env()
  arguments_check(call)
  if (!frame_rows_are_there(x)) frame_moments_refuse_without_rows(list(family = family), list(family = NULL), call)
  x <- frame_with_family_of_classes(x, family, !is.null(sigma2), call)
  tlcp_settings_refuse_inputs(x, call)
  check_has_columns(x$blueprint$p, call)
  sites <- NULL
  if (!is.null(x$sources)) {
    x <- estimates_with_source_levels(x, call)
    sites <- estimates_of_frame(x, response_family_of_frame(x), call)
    x <- tlcp_columns_target_domain(x, target, call)
  } else if (is.null(x$domain)) {
    dissimilarity_abort_no_domain("Give the domain of each row of {.arg x}", call)
  }
  x$domain <- table_used_levels(x$domain)
  if (length(sites) && nlevels(x$domain) == 1) target <- target %||% levels(x$domain)
  target <- tlcp_settings_target(target, levels(x$domain), call)
  how <- list(standardize = check_flag(standardize, "standardize", call),
              intercept = frame_has_intercept(x, intercept, call), scales = TRUE)
  if (likelihood_is_used(x$family) && !is.null(sigma2)) {
    abort_input("{.arg sigma2} is {.val {sigma2}}, which {.code family = \"{x$family}\"} does not have.",
                "sigma2", i = "Leave it out.", call = call)
  }
  if (!likelihood_is_used(x$family) && !is.null(x$offset)) x <- response_without_offset(x, call)
  if (likelihood_is_used(x$family) || length(sites)) {
    return(dissimilarity_table_refitted(x, target, sites, draws, c(how, list(sigma2 = sigma2)), call))
  }
  usable <- tlcp_columns_usable_domains(x, target, how$intercept, call, frame_moments_cells(x, target, call))
  x <- usable$frame
  sigma2 <- tlcp_columns_values_for_domains(sigma2, usable$domains)
  dissimilarity_table_check_domains(levels(x$domain), call)
  cells <- usable$cells
  held <- if (frame_rows_are_there(x)) dissimilarity_error_plan(x, target, how, sigma2, call)
  dissimilarity_table(cells, held, draws = draws, how = how, sigma2 = sigma2, left_out = x$left_out,
                      call = call)
}

#' @rdname dissimilarity
#' @param digits Digits to print.
#' @export
print.transfer_dissimilarity <- function(x, digits = 3, ...) {
  description_print(x, dissimilarity_description(x, digits), digits)
}

# What print() shows, as description_show() takes it.
dissimilarity_description <- function(x, digits) {
  table <- as.data.frame(x)
  table$interval <- ifelse(is.na(table$lower), NA,
                           paste0("[", signif(table$lower, digits), ", ",
                                  signif(table$upper, digits), "]"))
  table$log_bf <- round(table$log_bf, max(digits - 1, 1))
  table$tau <- signif(table$tau, max(digits - 1, 1))
  shown <- c("domain", "n", "tau", "relative", "interval", "log_bf", "evidence", LOO_WAYS)
  joint <- attr(x, "joint")
  error <- if (!is.na(joint$borrowed)) {
    paste0(", ", dissimilarity_left_out_word(joint), " error ", format(joint$borrowed, digits = digits))
  }
  list(
    head = c(dissimilarity_verdict_lines(x, digits), path_print_incomplete(attr(x, "left_out"), attr(x, "target"))),
    tables = list(description_table(description_without_empty(table[shown]))),
    foot = c(
      paste0("\nAll together: log Bayes factor ", format(joint$log_bf, digits = digits),
             if (nrow(x) > 1) paste0(", \"", joint$evidence, "\""), error,
             if (!is.na(joint$q)) {
               paste0("; Q ", format(joint$q, digits = digits), " on ", joint$q_df, " df, I2 ", round(joint$i2), " %")
             }),
      paste("evidence: \"for\" related coefficients is said of about 5 % of unrelated domains, \"against\" of",
            "about 5 % of domains with the same coefficients"),
      dissimilarity_looks_line(x),
      if (joint$folds > 0) {
        c(dissimilarity_error_lines(table[LOO_WAYS], dissimilarity_left_out_word(joint), attr(x, "family")),
          dissimilarity_disagreement_lines(x))
      }
    )
  )
}

# Of many domains some verdict is wrong by chance more often: which remain if this is to happen in 5 % of such tables.
dissimilarity_looks_line <- function(x) {
  if (nrow(x) < 2 || is.null(x$adjusted) || all(x$evidence == "open")) return(NULL)
  kept <- function(verdict) {
    if (any(x$adjusted == verdict)) {
      paste0("\"", verdict, "\" remains of ", toString(as.character(x$domain[x$adjusted == verdict])))
    }
  }
  kept <- c(kept("for"), kept("against"))
  paste0("Adjusted for ", nrow(x), " looks: ", if (length(kept)) paste(kept, collapse = ", ") else "all are open")
}

# The first lines of print(): may the target borrow, from whom, and what it changes.
dissimilarity_verdict_lines <- function(x, digits) {
  joint <- attr(x, "joint")
  alike <- as.character(x$domain[x$evidence == "for"])
  unlike <- as.character(x$domain[x$evidence == "against"])
  several <- nrow(x) > 1
  together <- several && joint$evidence == "for"
  whom <- if (several && length(alike) == nrow(x)) paste("all", length(alike),
                                                         "other domains") else words_in_quotes(alike)
  verdict <- if (length(alike)) {
    paste0("borrow from ", whom, ", as there is evidence for related coefficients")
  } else if (together) {
    paste("borrow from all other domains together: all together show evidence for related coefficients, though none",
          "of them does alone")
  } else if (length(unlike) == nrow(x)) {
    paste0("do not expect help from ",
           if (several) paste("any of", nrow(x), "other domains") else words_in_quotes(unlike),
           ", as the coefficients are more likely unrelated or opposite than related")
  } else {
    "open; the data do not show whether coefficients are related. tlcp() borrows little if they are unrelated"
  }
  apart <- if (length(unlike) && length(unlike) < nrow(x)) {
    paste0("Expect no help from ", words_in_quotes(unlike), ": unrelated or opposite coefficients are more likely.")
  }
  # where a fold has no fit of the target alone, the one with shrinkage is there
  way <- if (is.finite(x$own[1])) "own" else "shrunk"
  alone <- x[[way]][1]
  error <- if (isTRUE(is.finite(joint$borrowed) && is.finite(alone))) {
    change <- round(100 * (joint$borrowed / alone - 1))
    paste0("Borrowing", if (several) " from all together", " changes the ", dissimilarity_left_out_word(joint),
           " error from ", format(alone, digits = digits),
           " (", way, if (way == "shrunk") ", the target alone with shrinkage", ") to ",
           format(joint$borrowed, digits = digits), " (",
           if (change > 0) "+", change, "%).")
  }
  c(paste0("Target ", attr(x, "target"), ": ", verdict, "."), apart, error)
}

# The name of the errors in print(): with as many folds as rows each row is left out by itself.
dissimilarity_left_out_word <- function(joint) {
  if (isTRUE(joint$folds < joint$n)) paste0(joint$folds, "-fold") else "leave-one-out"
}

dissimilarity_error_lines <- function(errors, word, family) {
  there <- LOO_WAYS[vapply(errors[LOO_WAYS], function(error) !all(is.na(error)), NA)]
  least <- if (is.null(family)) "least squares" else "maximum likelihood"
  how <- c(own = least, shrunk = "the target alone with shrinkage", pooled = paste(least, "on both domains"),
           borrowed = "with borrowing")
  what <- if (is.null(family)) " errors for the target" else paste0(" mean deviances for the target (", family, ")")
  lost <- LOO_WAYS[vapply(errors[LOO_WAYS], anyNA, NA)]
  c(if (length(there)) {
    paste0(word, what, ", ", paste0(there, ": ", how[there], collapse = "; "),
           ". They rest on few rows and may disagree with the evidence")
  }, if (length(lost)) {
    paste0("Missing (", paste(lost, collapse = ", "), "): ",
           if (identical(lost, "pooled")) "a domain was given without its rows, or ",
           "without some of the rows the model cannot be fitted; see the help")
  })
}

# What to do where there is evidence for related coefficients, and yet borrowing predicted the held-out rows worse.
dissimilarity_disagreement_lines <- function(x) {
  joint <- attr(x, "joint")
  ways <- c(x$borrowed[x$evidence == "for"], if (joint$evidence == "for") joint$borrowed)
  alone <- suppressWarnings(min(x$own, x$shrunk, na.rm = TRUE))
  if (!length(ways) || anyNA(ways) || !is.finite(alone) || min(ways) <= alone) return(NULL)
  c("Errors and evidence disagree here: there is evidence for related coefficients, but the held-out rows were",
    "predicted better without borrowing. For predictions use borrow = \"none\" unless compare_paths() says otherwise;",
    "plot(tlcp(...), \"borrowed\") shows which effects differ")
}

#' @rdname dissimilarity
#' @param decreasing,by Direction and column of the order.
#' @export
sort.transfer_dissimilarity <- function(x, decreasing = FALSE, by = "tau", ...) {
  call <- arguments_check()
  by <- check_choice(by, names(x), "by", call)
  sorted <- order(x[[by]], decreasing = check_flag(decreasing, "decreasing", call))
  part <- table_plain(x)[sorted, ]
  row.names(part) <- NULL
  table_like(x, part)
}

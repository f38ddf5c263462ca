#' Best subsets, alone or borrowing from other domains
#'
#' Chooses the features of a linear model by AIC, BIC, the Hannan-Quinn criterion, Mallows' Cp or the
#' risk inflation criterion, for one small target data set, and borrows from other domains (hospitals,
#' plants, schools) as far as their coefficients resemble the target's. The best subset is found by exact search and
#' comes with a certificate: a lower bound on the criterion of every subset. Without `domain` and `sources` this is
#' exact best subset regression.
#'
#' @section Model: Each domain t has its own coefficients \eqn{w_t} of the same features (see "Units of the
#'   coefficients" below). With \eqn{s_t^2} the residual variance of domain t, the target being t = 1,
#'   the penalised criterion of a set S of features is
#'   \deqn{J(S) = \min_w \sum_t \|y_t - X_t w_t\|^2 / s_t^2 + \sum_{i \in S} w_i' K_i w_i +
#'   \sum_{i \in S} pen_i,}
#'   where \eqn{w_i} has the coefficients of feature i in all domains. `borrow` says what \eqn{K_i} is:
#' * `"hierarchical"` (the default, ours): \eqn{w_{ti} = \sqrt{c_i}(b_i + u_{ti})}, \eqn{b \sim N(0,
#'   \omega^2)}, \eqn{u_t \sim N(0, \tau_t^2)}; \eqn{\tau_t}, \eqn{\omega} by marginal likelihood,
#'   the feature scales c (as of a Student t prior with 4 degrees of freedom) by six rounds of reweighting.
#'   A domain with a large \eqn{\tau_t} is borrowed from little, so no domain needs to be left out
#'   by hand, and any domain may have fewer rows than features. The intercept is borrowed, too, as a level:
#'   features and response are centred at the mean of all rows, and the level is the coefficient of
#'   a column of ones with a variance \eqn{\kappa^2} of its own between domains, like the random
#'   intercept of lme4; it is in every model and has no penalty. (Where the mean of some domain is
#'   more than 10 standard deviations from that of all rows, each domain has its own intercept.)
#'   Residual variances are shrunk towards each other, \eqn{s_t^2 \sim s_0^2 F(df_t, d_0)} as in
#'   Smyth (2004), so that a domain of few rows has nearly the common variance. That of a target with fewer than 5
#'   degrees of freedom is estimated by the likelihood of its rows given what the other domains say of its coefficients,
#'   averaged over a grid (ours): a target of much noise would otherwise follow the noise. A column that is
#'   constant in the target stays in the model with the coefficient that the other domains give it.
#' * `"plugin"` (two domains: the paper, Theorem 20): \eqn{(v_i/4)(w_{1i} - w_{2i})^2}, \eqn{v_i = 4/\delta_i^2}
#'   from the difference \eqn{\delta_i} of the two least squares fits, with the paper's penalty. For more domains the
#'   rule is ours: \eqn{(v_i/2) \sum_t (w_{ti} - \bar w_i)^2}, \eqn{v_i} being 2 divided by the variance of the
#'   coefficients over domains, with the penalty of the criterion.
#' * `"plugin3"` (three domains: the paper, section 7): the same coupling with \eqn{v_i = 12/d_i^2}, \eqn{d_i =
#'   (w_{1i} - w_{2i}) + (w_{1i} - w_{3i})} of the three least squares fits, and the penalty of the authors' program.
#'   The two differences are added with their signs, so that opposite ones cancel and the feature is then pooled.
#' * `"pooled"`: one \eqn{\delta^2} for all features, by the method of moments; `"reml"`: by restricted maximum
#'   likelihood (two domains).
#' * `"none"`: the target alone. `"aggregate"`: the rows of all domains as one, each domain in its
#'   z-scores.
#' * `list(lam = , v = , pen = )`: the weights of the domains, couplings \eqn{(v_i/2) \sum_t
#'   (w_{ti} - \bar w_i)^2} and penalties, in z-scores.
#'
#' With the other rules, which are the paper's or close to it, each domain has z-scores, an intercept and a
#' residual variance of its own (columns of zeros and ones are only centred).
#'
#' The setting `support = "target"` of [tlcp_control()] selects features of the target: the other domains, with all
#' their features, are a prior of its coefficients, and the search costs as much as for one domain. There the penalty of
#' a feature with `"hierarchical"` comes from the unbiased estimate of risk, \eqn{pen_i = k h_i/(2 - h_i)}, where
#' \eqn{h_i} is the share of its prior variance that the data remove; without borrowing h = 1, which is Cp. `support =
#' "shared"` (the paper) selects the same features in all domains.
#'
#' Columns of the design are selected. Those of one factor of more than two levels enter together (see
#' `groups`); with `groups = FALSE` they come and go one by one, and which are chosen depends on the factor's
#' reference level. Borrowing depends on the reference level in any case: effects are differences from it, so
#' another level changes the columns that are shrunk and shared, and the likelihood ratio.
#'
#' @section Families: With `family = "binomial"`, `"poisson"` or `"cox"` the response has that
#'   likelihood, with the logit or log link, and what is borrowed are log odds ratios, log rate ratios
#'   or log hazard ratios. Each domain's log-likelihood is expanded to second order, which makes it a
#'   domain of the model above with residual variance 1 (Breslow and Clayton 1993; Wang and Leng 2007):
#'   units are as for numbers, the borrowing prior is estimated by the marginal likelihood
#'   of the expansions, and all domains are expanded again at the posterior means until these change no more, so the
#'   coefficients are at the mode of the true penalised likelihood. Then the best subsets of the
#'   expansion are searched, the best of every size is fitted by its true penalised likelihood, and
#'   the target (with `support = "shared"` every domain) is expanded at the best of these, and the search repeated
#'   until it finds the same set again, at most 5 times. With `support = "target"` the other domains remain the prior
#'   that they form with all features.
#'
#'   The certificate is of the last expansion, not of the likelihood: `certificate$of` says so,
#'   `certificate$chosen` whether the set that is proven best there is the one chosen, and
#'   `certificate$stable` whether the best set repeated. `steps$criterion` is of the likelihood: without
#'   borrowing AIC or BIC of [glm()] or of `survival::coxph()` on the chosen columns. As there, BIC counts rows, or
#'   events of survival times. In 200 random problems of 6 or 8 columns and five
#'   real ones the chosen set was the best of all subsets by AIC each time
#'   (`Rscript bench/families.R subsets real` in the package's repository).
#'
#'   Survival times are `Surv(time, status)` or `Surv(start, stop, status)` of the survival package;
#'   ties are Efron's, every domain has a baseline hazard of its own, and `strata()` in the formula
#'   splits it further. A Cox model has no intercept; its linear predictor is 0 at the target's means.
#'
#'   Counts, and shares of a total, often vary more than their family says, and a few rows would then look decisive. So
#'   each domain has a dispersion \eqn{\phi_t}: its log-likelihood counts \eqn{1/\phi_t} times, which makes
#'   \eqn{\phi_t} the residual variance of its expansion, in what is borrowed, in the criterion and in standard errors.
#'   It is Pearson's statistic at the fit, divided by the rows minus the degrees of freedom that the domain's
#'   coefficients take, shrunk towards the other domains' like residual variances, as far as the kurtosis of the
#'   residuals allows, and at least 1. Single zeros and ones have no dispersion, and domains known by estimates have 1.
#'   A message names dispersions above 1.5, `print()` all of them; the setting `dispersion = 1` of [tlcp_control()]
#'   takes the family as it is. With a dispersion [logLik()] is the log-likelihood divided by it, a quasi-likelihood,
#'   and [AIC()] and the criterion are QAIC: compare them between fits of the same dispersion only, given as a number.
#'   [deviance()] stays that of the family, as in [glm()]. `"quasipoisson"` and `"quasibinomial"` estimate the
#'   dispersion without borrowing, too.
#'
#'   `family = "negbin"`, or `MASS::negative.binomial(theta)`, is the negative binomial likelihood of counts, with the
#'   log link and the variance \eqn{\mu + \mu^2/\theta}. One \eqn{\theta} for all domains is estimated by largest
#'   likelihood at the posterior mode; without borrowing the fit is that of `MASS::glm.nb()`. There is no dispersion
#'   beside it, and [logLik()] and [AIC()] are those of a likelihood. Where counts are negative binomial it has a
#'   smaller error than a Poisson fit with a dispersion, which in turn has a much smaller one than a Poisson fit without
#'   (`Rscript bench/tlcp.R dispersion` in the package's repository).
#'
#'   Other domains without events, or of one class, are left out with a message. Where the target's likelihood has no
#'   maximum (separated classes), a fit without borrowing is an error; with borrowing the
#'   coefficients are finite. `borrow` is `"hierarchical"`, `"none"`, `"aggregate"` or numbers, and
#'   there is no `method = "cutoff"`.
#'
#' @section Search: Branch and bound on the perspective relaxation, its diagonal re-optimised at
#'   every node. The certificate holds the `value` of the set found, the largest proven lower
#'   `bound` on all sets, and `gap`, their difference. The gap is zero up to rounding unless `max_nodes` or
#'   `max_seconds` ran out; then there is a warning, and the best set found until then is returned. Of sets with
#'   the same value one is returned.
#'
#'   An interrupt (Ctrl-C) ends the call and the loop it is in, as in [lm()]. After
#'   `options(transelect.keep_interrupted = TRUE)` it ends the search alone: the best set found until
#'   then is returned with a warning, and a loop of fits goes on with the next.
#'
#' @section AIC, BIC and HQ: Where nothing is borrowed (`borrow = "none"`, the default without
#'   domains, and `"aggregate"`) the criterion of a set S is that of [AIC()] and [BIC()] of [lm()] on
#'   its columns, the residual variance estimated anew for every set: \eqn{n \log(RSS_S/n) + k |S|}
#'   and a constant, k being 2, log n or 2 log log n. `steps$criterion` and `certificate$value` hold
#'   that number, constant included. The minimum over all sets is proven as follows. A search with a
#'   penalty \eqn{\lambda} per feature gives, for every size m at once, the lower bound \eqn{RSS \ge
#'   bound - \lambda m}. As the criterion rises with RSS, the bounds of a few searches with different penalties (2 to 5
#'   in most cases, `certificate$searches`) bound the criterion of every size; penalties are added until no
#'   bound is below the best criterion found. `certificate$bound` is the smallest
#'   bound over all sizes: no subset has a smaller criterion. Criteria that differ by less than 1e-7
#'   count as equal.
#'
#'   `"Cp"`, `"Cp_BIC"`, `"Cp_HQ"`, `"RIC"` and numbers take the residual variance of all features
#'   for every set, as Mallows' Cp does. Where something is borrowed all criteria do so, because the borrowing
#'   prior is estimated together with the residual variances of the domains: `"AIC"` is then `"Cp"`,
#'   `"BIC"` is `"Cp_BIC"` and `"HQ"` is `"Cp_HQ"`.
#'
#' @section method = "cutoff": For any number of features, without a search (the paper's Algorithms
#'   1 and 2): the columns are made orthogonal, the problem then has a closed form, and its
#'   coefficients are transformed back and dropped in the order of their ratio to their standard deviation; the path
#'   holds these nested models. With several domains columns come in the authors' order: those whose effects are large
#'   and differ little between domains first. With one domain those of large effects come first (ours: the authors take
#'   the columns as they stand, so their result depends on the order of the columns). Where the target has no more rows
#'   than features, its principal directions take the place of the columns, and all domains are projected on them;
#'   directions with less than a hundredth of the mean eigenvalue are left out, as they would inflate the noise. The
#'   same is done where the target has more rows than features but less than twice as many, if some direction has less
#'   than three thousandths of the mean eigenvalue; such directions are left out. The borrowing prior is estimated in
#'   these coordinates. The default is `support = "shared"`. It is poor where columns are nearly combinations of others:
#'   keep one of each (`collinear`), or use `"exact"` up to a hundred features or so. With fewer rows than features the
#'   directions of the target mix all columns, so the method does not find a few features that matter among very many
#'   unrelated ones (`vignette("best-subset")`).
#'
#' @section Units of the coefficients: Coefficients may be alike in each domain's own z-scores, as where domains measure
#'   in different units or with different instruments (`units = "own"`), or in common units, as where
#'   populations differ and a feature varies less in one of them (`"common"`: within-domain standard
#'   deviations of all rows together). In the wrong units borrowing may be worse than none. The default,
#'   `"evidence"`, fits the hierarchical model in both and averages (ours): the log odds of own against
#'   common units are \eqn{LR_{own} - LR_{common} - 1/2 + \log P}, where LR is the log likelihood ratio of
#'   sharing in these units (levels aside) and P the probability, by AIC, that some column's standard
#'   deviation differs between domains at all. Where P is below .01 common units are used. In `"own"` units
#'   the standard deviations of three domains or more are shrunk towards each other, by column, like the residual
#'   variances, as the standard deviation of ten rows is imprecise and so are
#'   coefficients in units of it (ours; the other rules keep each domain's own). With `select =
#'   FALSE` the coefficients are the average of both posterior means; the search for a subset, and its
#'   certificate, is in the units of the larger weight. `borrowing` has `units`, `units_weights` and
#'   `units_lr`. A message says that the units are undecided where the weights are between .1 and .9 and a column's
#'   standard deviation in the target is more than 1.5 times larger or smaller than in the other domains; another
#'   names the columns where that ratio is above 10. `"own"` and `"common"` may also be given with the other rules,
#'   whose
#'   default is `"own"`; with `standardize = FALSE` the units are those of the data.
#'
#' @section Heavy tails: Where an effect levels off, a few far-out values of a column decide a straight line. With
#'   `"hierarchical"`, numeric responses and rows in a dense matrix or data frame, a column with values beyond its
#'   far-out fences, the quartiles \eqn{\pm} 3 interquartile ranges (of the domain's rows or of all rows, the wider
#'   ones), is weighed as it is and bounded at them (ours). The share s is the probability that it is to be bounded, by
#'   the gain in log-likelihood where each domain is fitted by its own least squares. The
#'   column of the fit is 1 - s times the column and s times the bounded one. A share below .1 counts as 0, one above .9
#'   as 1; with selection shares are rounded. A coefficient is the effect between the fences; beyond them the effect is
#'   1 - s of it. `predict()` bounds the same columns of new rows. A message and `print()` name them: a logarithm is
#'   often the better column. Component `tails` has the columns, their fences by domain and their shares; it is `NULL`
#'   where nothing is bounded.
#'
#' @section Evidence for borrowing: `borrowing$lr` is the log likelihood ratio of two models: the target shares a
#'   component with the other domains, or it does not. Where both units are fitted, it is the logarithm of the mean
#'   likelihood ratio, weighted by the prior of the units. Above 1.35 there is evidence for borrowing. `"plugin"`,
#'   `"plugin3"`, `"pooled"` and `"reml"` take the other domains to be like the target, so with `guard = TRUE` a domain
#'   with a smaller ratio is left out, with a message. `"hierarchical"` with `guard = TRUE` also weighs a model in which
#'   the target's slopes are unrelated to those of the other domains (ours). Its prior probability is .05, its posterior
#'   weight `borrowing$units_weights[["alone"]]`; with a weight below .01 the model is dropped. In this model the
#'   target's slopes have a prior variance of their own, estimated from the target; the level and the columns that are
#'   constant in the target are still borrowed. With `select = FALSE` the coefficients are averaged over this model and
#'   those that share; with selection the search is made in this model if it has more than half of the weight
#'   (`borrowing$alone`). Where the ratio is small, `print()` shows it and the weight of this model.
#'
#'   This lowers the risk of borrowing, and does not remove it. In simulations of 30 rows and 8 features
#'   with 1 to 9 other domains the mean squared error was .08 to .44 times that of Cp on the target alone
#'   where the other domains' coefficients were the target's; .69 to .99 where they were unrelated or
#'   opposite, or where the target had effects of its own and 60 % zeros. But where the target had three
#'   large coefficients and otherwise zeros, and the other domains had different ones, it was 1.23 to 1.49 times that of
#'   Cp, and with all features kept 1.38 to 1.68 times: Cp profits from zeros there, and least squares of
#'   the target, which does not, had 1.35 to 1.54 times its error (`Rscript bench/tlcp.R guard` in the
#'   package's repository). See [dissimilarity()].
#'
#' @param x,y Features (numeric matrix, `dgCMatrix` or data frame, n x p) and response: n numbers,
#'   or a factor of two levels, which without `family` is binomial (with `family = "gaussian"`, or where an argument is
#'   for least squares only, its levels are coded -1 and 1). `x` may also be a [moments()] object, which brings
#'   its response and domains.
#' @param domain `NULL`, or the domain of each row: a vector of length n, or in the formula
#'   interface a column of `data`.
#' @param target The domain that the model is for. Other domains of one row or with a constant
#'   response are left out with a message that names them.
#' @param sources Other domains of which only estimates are known: models, [estimates()], or a named list of
#'   these, beside rows of other domains or alone (`target` is then only a name, and may be left out).
#'   With `borrow = "hierarchical"` they are borrowed from like domains with rows; their log-likelihood is taken as
#'   quadratic.
#' @param formula,data,subset,na.action As in [lm()].
#' @param weights As in [lm()]: known relative precisions of the rows. Only their ratios within a
#'   domain count, and n is the number of rows of positive weight.
#'   They are not frequencies: a row of weight 3 leads to the same least squares as
#'   three rows, but n, the residual variance and with them penalties and what is borrowed are those of
#'   one row. If a row stands for several, repeat it: `data[rep(seq_len(nrow(data)), count), ]`. With a
#'   `family` they are those of [glm()] or `survival::coxph()`, factors of a row's log-likelihood.
#' @param family The likelihood of the response: `"gaussian"` (least squares), `"binomial"`, `"poisson"`
#'   or `"cox"`, or a family object or function such as [binomial()], with its canonical link; `"quasipoisson"` and
#'   `"quasibinomial"` are the same with a dispersion that is estimated, `"negbin"` are negative binomial counts.
#'   `NULL`:
#'   `"cox"` for a `Surv`, else `"gaussian"`, in which a factor is fitted by least squares to -1 and 1.
#'   For `"binomial"` the response is a factor of two levels (the odds are those of the second), logical,
#'   zeros and ones, `cbind(successes, failures)`, or shares with the totals as weights.
#' @param offset A number for each row that is added to the linear predictor, as in [glm()]; also
#'   `offset()` in the formula. `predict()` takes it from `newdata`, or as `offset`.
#' @param strata For `"cox"`: the stratum of each row; in a formula write `strata()`.
#' @param method `"exact"` or `"cutoff"`, see below.
#' @param borrow See Model. `NULL`: `"hierarchical"` where there are several domains, else `"none"`.
#' @param criterion `"AIC"`, `"BIC"` or `"HQ"` (Hannan-Quinn), as [AIC()] and [BIC()] have them where
#'   nothing is borrowed, see below. Or the penalty of a feature in units of the target's residual
#'   variance with all features: `"Cp"` 2, `"Cp_BIC"` log n, `"Cp_HQ"` 2 log log n, `"RIC"` 2 log p,
#'   with n rows of the target (all rows with `"aggregate"`) and p features; or a number.
#' @param select `FALSE`: keep all features (with `"hierarchical"` the posterior mean, best where
#'   only the prediction counts).
#' @param sizes `TRUE`: the best subset of every size, by the criterion without the penalty;
#'   `FALSE`: only the best of all; `NULL`: all sizes up to 30 features. It has no effect with
#'   `method = "cutoff"`, whose path has a model of every size.
#' @param keep Names or numbers of columns, or names of groups, that are in every model: they have no penalty and
#'   are not selected. One column of a group keeps all of it.
#' @param groups Columns that enter together. `NULL`: those of one factor of a formula or data frame (of
#'   more than two levels). A vector with the group of every feature; or `FALSE`, every column by itself. The
#'   search over groups is as exact as that over features; the penalty of a group is the sum of those of its
#'   columns, and there is a step for every number of groups. Not for `method = "cutoff"`.
#' @param hierarchy `TRUE`: an interaction of the formula is in a model only with all terms that it is made of (strong
#'   heredity), column by column or group by group; an interaction `fB:x` of a factor needs the columns `fB` and `x`.
#'   The search is as exact as without, over the sets that are allowed, and has the same certificate. Terms that the
#'   formula lacks are not needed. `I(x^2)` is a variable of its own.
#' @param standardize `FALSE` leaves the columns of `x` as they are.
#' @param intercept Fit an intercept in every domain?
#' @param within A number: list every subset whose criterion is at most so much above the best one's, in `within` of the
#'   result, see [tlcp_within]. NULL: no list.
#' @param max_seconds The time that the call may take, all its exact searches together. A search for which no time is
#'   left returns the best set of its first guesses, with a warning. The borrowing prior is estimated before the
#'   searches: this takes time from them, but is not ended. Its time is proportional to the number of domains and to the
#'   cube of the number of features. Where no domain has more rows than there are features, and all have together not
#'   many more, it grows with the cube of the number of rows, and in proportion to the number of features; then a search
#'   is of at most 5,000 features, and `select = FALSE` of any number. A message says so, with an estimate of the time,
#'   where it will take more than a minute.
#' @param control Other settings, as [tlcp_control()] returns them, or a list of them: `support`, `units`, `scales`,
#'   `guard`, `distance`, `drop`, `fences`, `collinear`, `sigma2`, `dispersion`, `max_nodes`.
#' @param sparse Code the formula's variables as a sparse matrix?
#' @param ... No further arguments. A mistyped one is an error that names the one that was meant.
#' @returns An object of class `c("tlcp", "transfer_path")`, see [transfer_path]. Step 0 is the
#'   empty model, the others have as many features as `steps$size` says: a step for every size
#'   (without `keep` the step is the size), or one for the best subset. Where the penalties of
#'   features differ, the step of the chosen size holds the chosen set. `beta`, `a0`, `best`,
#'   `nobs` are those of the target. `steps` has `size`, `entered` and `dropped` (against the step
#'   before), `rss` and `df` (of the target; `df` is the trace of the matrix that maps the target's
#'   response to its fitted values, intercept included, given the borrowing prior and the set found),
#'   `objective` (\eqn{J} without the penalty), `criterion` (with it; for `"AIC"`, `"BIC"` and `"HQ"`
#'   without borrowing the number that [AIC()] or [BIC()] gives), `cp` (without borrowing:
#'   \eqn{RSS/s^2 - n + 2 q}, q coefficients and intercepts), `bound` and `gap` (of the objective at
#'   that size; where the penalties of features differ, those of the chosen step are of the criterion,
#'   as another set of its size may have a smaller \eqn{J} and a larger penalty; `NA` with a `family`, as the
#'   objective is of the likelihood and the proof of its expansion), `nodes`, `complete`. Also
#' \describe{
#'   \item{`models`}{by domain, target first: `beta` (features x steps) and `a0` on the original
#'     scale. With `support = "target"` another domain has all its features, the same at every step; a domain
#'     that nothing is borrowed from has its own least squares (`NA` where it has too few rows).}
#'   \item{`selected`}{names of the chosen features.}
#'   \item{`certificate`}{`value`, `bound`, `gap`, `nodes`, `seconds`, `complete`, `stopped` and
#'     `searches` (how many) of the search for the best subset.}
#'   \item{`borrowing`}{the borrowing prior: `borrow`, the rule; `s2`, residual variances (in z-scores) and how they
#'     were found; `lam`, `pen`; the estimates `tau2`, `omega2`, `kappa2` (of levels), `scales` (c), `v`, `delta2`,
#'     `loglik`, `lr`; `units`, those of all this; `alone`: is this the model in which the target borrows no slopes?
#'     `units_weights` (of this model, too), `units_lr`; `spread_ratio`, standard deviations in the target divided by
#'     those in the other domains; `guarded`, the domains left out; `anew`: is the residual variance estimated anew for
#'     every subset?}
#'   \item{`dispersion`}{by domain in use the factor of the variances; `NULL` where the response has none.}
#'   \item{`theta`}{of negative binomial counts, else `NULL`.}
#'   \item{`borrowed`}{a row for each chosen feature: the target's own least squares, the other domains'
#'     estimates (`NA` where the feature is constant in a domain, or where its least squares are not unique:
#'     too few rows, or columns that are combinations of others; `attr(, "lacking")` says which), the
#'     borrowed estimate, all on the target's scale, and two shares of its precision given the other
#'     features: `weight`, that of the other domains, and `shrinkage`, that of the prior, which shrinks it to 0.
#'     The rest is that of the target's rows. An estimate far from the target's own with a small `weight`
#'     was moved by shrinkage. `summary()` adds `rows`, below.}
#' }
#' `coef()`, `predict()` take `domain`, the domain whose model is wanted. Everything else is of the
#' target: `nobs()`, `fitted()` and `residuals()` of its rows (weights positive), `deviance()`,
#' `logLik()`, `sigma()` and `df.residual()` of these, `augment()` and `tidy()`. After
#' `na.action = na.exclude` `fitted()` and `residuals()` have an entry for every row of the data,
#' `NA` for those that are incomplete or of other domains.
#'
#' `print()` and `summary(fit)$borrowed` say how many `rows` of the target what is borrowed about a coefficient is
#' worth: so many more rows of its own would give least squares of the target the standard error of `vcov()`, in which
#' the borrowing prior is averaged over. It is the ratio of the precisions, less 1, times the residual degrees of
#' freedom n - q - 1 of least squares with q chosen features (the effective sample size of a prior: Neuenschwander et
#' al. 2020, see [tipping_point()]). New rows are taken to have columns like those of the target. `NA` where the
#' target's rows do not determine the coefficients. `Rscript bench/intervals.R rows` in the package's repository
#' compares standard errors with so many more rows. Where domains are equal errors are smaller in truth than standard
#' errors, and `rows` says too little, since equal domains cannot be told from domains that differ little.
#' @references
#' Chen, S., Sahinidis, N. V. and Gao, C. (2022). Transfer learning in information criteria-based
#' feature selection. *Journal of Machine Learning Research* 23, Proposition 8, Theorem 20,
#' Algorithms 1 and 2. \doi{10.48550/arXiv.2107.02847}
#'
#' Breslow, N. E. and Clayton, D. G. (1993). Approximate inference in generalized linear mixed models.
#' *Journal of the American Statistical Association* 88, 9-25. \doi{10.1080/01621459.1993.10594284}
#'
#' Wang, H. and Leng, C. (2007). Unified LASSO estimation by least squares approximation. *Journal of
#' the American Statistical Association* 102, 1039-1048. \doi{10.1198/016214507000000509}
#'
#' Smyth, G. K. (2004). Linear models and empirical Bayes methods for assessing differential expression
#' in microarray experiments. *Statistical Applications in Genetics and Molecular Biology* 3(1).
#' \doi{10.2202/1544-6115.1027}
#'
#' Mallows, C. L. (1973). Some comments on Cp. *Technometrics* 15, 661-675.
#' \doi{10.1080/00401706.1973.10489103}
#'
#' Hofmann, M., Gatu, C., Kontoghiorghes, E. J., Colubi, A. and Zeileis, A. (2020). lmSubsets: exact
#' variable-subset selection in linear regression for R. *Journal of Statistical Software* 93(3).
#' \doi{10.18637/jss.v093.i03}
#' @seealso [tlcp_control()], [estimates()], [dissimilarity()], [cv_path()], which holds out rows of the target only.
#' @examples
#' # one data set: the provably best subset
#' fit <- tlcp(mpg ~ ., data = mtcars, criterion = "BIC")
#' fit
#' coef(fit)[coef(fit) != 0]
#' fit$certificate$gap
#'
#' # a model of ozone for May that borrows from the other months
#' aq <- na.omit(airquality)
#' may <- tlcp(Ozone ~ Solar.R + Wind + Temp, data = aq, domain = Month, target = "5")
#' summary(may)
#' predict(may, data.frame(Solar.R = 200, Wind = 10, Temp = 70))
#'
#' # the odds of a V engine among cars of four gears, borrowing from the other cars
#' cars <- transform(mtcars, gear = ifelse(gear == 4, "four", "other"))
#' odds <- tlcp(vs ~ wt + disp, data = cars, family = binomial, domain = gear, target = "four")
#' odds
#' predict(odds, cars[1:3, ], type = "response")
#' @export
tlcp <- function(x, ...) UseMethod("tlcp")

#' @rdname tlcp
#' @export
tlcp.default <- function(x, y, domain = NULL, sources = NULL, ..., weights = NULL, offset = NULL, strata = NULL,
                         family = NULL, target = NULL, method = c("exact", "cutoff"), borrow = NULL, criterion = "Cp",
                         select = TRUE, sizes = NULL, within = NULL, keep = NULL, groups = NULL, hierarchy = FALSE,
                         standardize = TRUE, intercept = TRUE, max_seconds = 60, control = tlcp_control()) {
  arguments_methods_check()
  frame <- frame_default(x, y, weights = weights, domain = domain, sources = sources, family = family,
                         offset = offset, strata = strata, moments = TRUE)
  fit <- tlcp(frame, family = family, target = target, method = method, borrow = borrow, criterion = criterion,
              select = select, sizes = sizes, within = within, keep = keep, groups = groups, hierarchy = hierarchy,
              standardize = standardize, intercept = intercept, max_seconds = max_seconds, control = control)
  fit <- arguments_methods_called(fit, frame, match.call(), "tlcp")
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan()
  fit
}

#' @rdname tlcp
#' @export
tlcp.formula <- function(formula, data, domain, sources = NULL, ..., weights, offset, subset, na.action,
                         sparse = FALSE, family = NULL, target = NULL, method = c("exact", "cutoff"), borrow = NULL,
                         criterion = "Cp", select = TRUE, sizes = NULL, within = NULL, keep = NULL, groups = NULL,
                         hierarchy = FALSE, standardize = TRUE, intercept = TRUE, max_seconds = 60,
                         control = tlcp_control()) {
  arguments_methods_check()
  matched <- match.call()
  frame <- frame_formula(formula, data, matched, na.action, sources = sources, sparse = sparse, family = family,
                         env = parent.frame())
  fit <- tlcp(frame, family = family, target = target, method = method, borrow = borrow, criterion = criterion,
              select = select, sizes = sizes, within = within, keep = keep, groups = groups, hierarchy = hierarchy,
              standardize = standardize, intercept = intercept, max_seconds = max_seconds, control = control)
  fit <- arguments_methods_called(fit, frame, matched, "tlcp", formula)
  if (!is.null(frame$offset)) fit$offset <- frame_bake_offset_plan(matched$offset)
  fit
}

#' @rdname tlcp
#' @usage NULL
#' @export
tlcp.transfer_frame <- function(x, ..., family = NULL, target = NULL, method = c("exact", "cutoff"), borrow = NULL,
                                criterion = "Cp", select = TRUE, sizes = NULL, within = NULL, keep = NULL,
                                groups = NULL, hierarchy = FALSE, standardize = TRUE, intercept = TRUE,
                                max_seconds = 60, control = tlcp_control()) {
  call <- rlang::caller_env()
  if (...length()) arguments_check(call)
  control <- arguments_control_check(control, "tlcp_control", call)
  given <- list(family = family, target = target, method = method, borrow = borrow, criterion = criterion,
                select = select, sizes = sizes, within = within, keep = keep, groups = groups,
                hierarchy = hierarchy, standardize = standardize, intercept = intercept, max_seconds = max_seconds,
                control = control) # for refit()
  if (!frame_rows_are_there(x)) frame_moments_refuse_without_rows(given, list(family = NULL), call)
  squares <- identical(method, "cutoff") || !is.null(control$sigma2) || rlang::is_string(borrow, SQUARES_ONLY)
  frame <- frame_with_family_of_classes(x, family, squares, call)
  if (likelihood_is_used(frame$family) && is.null(family)) given$family <- frame$family # without the message
  tlcp_settings_refuse_inputs(frame, call)
  if (!is.null(frame$domain)) frame$domain <- table_used_levels(frame$domain)
  sites <- NULL
  if (!is.null(frame$sources)) {
    frame <- estimates_with_source_levels(frame, call)
    sites <- estimates_of_frame(frame, response_family_of_frame(frame), call)
    if (length(sites)) frame <- tlcp_columns_target_domain(frame, target, call)
  }
  alone <- nlevels(frame$domain) == 1 && (length(sites) || !frame_rows_are_there(frame))
  if (alone) target <- target %||% levels(frame$domain)
  target <- tlcp_settings_target(target, levels(frame$domain), call)
  intercept <- check_flag(intercept, "intercept", call) && frame$intercept
  likelihood <- likelihood_is_used(frame$family)
  if (!likelihood && !is.null(frame$offset)) frame <- response_without_offset(frame, call)
  if (likelihood || !is.null(frame$domain)) {
    usable <- if (likelihood) tlcp_columns_usable_family(frame, target, call) else
      tlcp_columns_usable_domains(frame, target, intercept, call)
    frame <- usable$frame
    if (length(usable$domains$left) < length(usable$domains$order)) {
      if (!length(sites)) borrow <- tlcp_columns_borrow_from(borrow, usable$domains)
      by_domain <- c("sigma2", "dispersion")
      control[by_domain] <- lapply(unclass(control)[by_domain], tlcp_columns_values_for_domains, usable$domains)
    }
  }
  settings <- tlcp_settings(
    frame, nlevels(frame$domain) + length(sites), method = method, borrow = borrow, criterion = criterion,
    select = select, sizes = sizes, within = within, keep = keep, groups = groups, hierarchy = hierarchy,
    standardize = standardize, intercept = intercept, max_seconds = max_seconds, control = control, given = given,
    call = call
  )
  if (length(sites)) settings <- tlcp_prior_with_sites(settings, sites, call)
  settings$until <- proc.time()[["elapsed"]] + settings$max_seconds
  rows <- frame
  tails <- tlcp_tails_of_frame(frame, target, settings)
  if (!is.null(tails)) {
    tlcp_tails_tell(tails, frame, target, settings)
    frame <- tlcp_tails_frame(frame, tails)
  }
  if (tlcp_units_is_hierarchical(settings)) {
    tlcp_prior_tell_long(settings$p, nlevels(frame$domain) + length(sites),
                         if (tlcp_rows_are_cheaper(frame, settings)) nrow(frame$x), !tlcp_rows_keep_all(settings))
  }
  fit <- if (likelihood) {
    family_object_fit(frame, target, settings, call)
  } else if (settings$method == "cutoff") {
    cutoff_fit(frame, target, settings, call)
  } else {
    tlcp_object(tlcp_fit_path(frame, target, settings, call), frame, target, settings)
  }
  fit$tails <- tails
  path_bound_with_ranges(fit, rows, seq_len(frame$blueprint$p))
}

#' @export
parsnip_engine.tlcp <- function(method) {
  list(models = list(linear_reg = NULL, logistic_reg = list(family = "binomial")), tunable = c("step", "criterion"))
}

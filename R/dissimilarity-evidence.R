# Evidence that the slopes of the target are related to those of other domains, which can speak against it, too.
#
# The slopes w_1 of the target and v, those of another domain or what several have in common, are normal with variances
# omega_1^2 and omega_2^2 and correlation rho between w_1i and v_i. Given the other domains v ~ N(m, C), so that
#   w_1 | others ~ N(k m, k^2 C + omega_1^2 (1 - rho^2) I),   k = rho omega_1/omega_2.
# The log Bayes factor is log of the mean over rho in (0, 1) of the target's marginal likelihood, less that at rho = 0:
# above 0 a positive correlation is the likelier, below 0 none, or a negative one. Variances are those of largest
# marginal likelihood of each domain by itself, and at least the mean square of a standard error given the other slopes,
# since at a variance near 0 no slopes say anything.

# Limits of the three verdicts: "for" is said of about 5 % of unrelated domains, and "against" of about 5 % of
# domains with the target's slopes, whatever the noise: Rscript bench/tlcp.R verdicts. A few large slopes may be alike
# by chance; so where equal slopes are refuted by Q (dissimilarity_heterogeneity()), more is asked for. Where neither
# domain has slopes, the log Bayes factor is spread to both sides of 0, the more the more columns there are.
BF_FOR <- 1.35         # above: "for", unless equal slopes are refuted at this level;
BF_REFUTED <- .05
BF_FOR_REFUTED <- 2.2  # above: "for" in any case
BF_AGAINST <- c(.3, .15)

dissimilarity_evidence_limit <- function(columns) -(BF_AGAINST[1] + BF_AGAINST[2] * sqrt(columns))

# equal_p: p-values of equal slopes, NA where they cannot be tested. looks: the number of other domains that are judged.
# A Bayes factor is above x times its limit by chance in at most 1/x of the cases in which it is above the limit, and
# where many are judged "against" takes a rejection of equal slopes by Holm's rule, too.
dissimilarity_evidence_verdict <- function(log_bf, columns, equal_p, looks = 1) {
  refuted <- is.na(equal_p) | equal_p <= BF_REFUTED
  unlike <- log_bf < dissimilarity_evidence_limit(columns)
  if (looks > 1) unlike <- unlike & !is.na(equal_p) & stats::p.adjust(equal_p, "holm") <= BF_REFUTED
  ifelse(log_bf > ifelse(refuted, BF_FOR_REFUTED, BF_FOR) + log(looks), "for", ifelse(unlike, "against", "open"))
}

# domains: the target first. See borrow_evidence() in src/tlcp/borrow.h.
dissimilarity_evidence_of_sharing <- function(domains, s2, call = NULL) {
  tlcp_prior_or_stop(.Call(C_borrow_evidence, domains, s2), call)$log_bf
}

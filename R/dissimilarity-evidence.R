# Evidence that the slopes of the target are related to those of other domains, which can speak against it, too.
#
# The slopes w_1 of the target and v, those of another domain or what several have in common, are normal with variances
# omega_1^2 and omega_2^2 and correlation rho between w_1i and v_i. Given the other domains v ~ N(m, C), so that
#   w_1 | others ~ N(k m, k^2 C + omega_1^2 (1 - rho^2) I),   k = rho omega_1/omega_2.
# The log Bayes factor is log of the mean over rho in (0, 1) of the target's marginal likelihood, less that at rho = 0:
# above 0 a positive correlation is the likelier, below 0 none, or a negative one. Variances are those of largest
# marginal likelihood of each domain by itself, and at least the mean square of a standard error given the other slopes,
# since at a variance near 0 no slopes say anything.

BF_FOR <- 1.35    # above: evidence for related slopes
BF_AGAINST <- -.1 # below: evidence against

# domains: the target first. See borrow_evidence() in src/tlcp/borrow.h.
dissimilarity_evidence_of_sharing <- function(domains, s2, call = NULL) {
  tlcp_prior_or_stop(.Call(C_borrow_evidence, domains, s2), call)$log_bf
}

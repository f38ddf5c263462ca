# Sources that nothing can be borrowed from - one row, or a response that is constant - are left out
# before anything is fitted. The target is not: without it there is nothing to fit.

# Domains, target first, and those of them that can be used.
usable_domains <- function(domains, target, varies, n, call) {
  order <- c(target, setdiff(domains, target))
  bad <- setdiff(order[!varies[order]], target)
  if (length(bad)) {
    why <- ifelse(n[bad] == 1, "one row", paste0("constant response, ", n[bad], " rows"))
    cli::cli_inform(c(
      "Leaving out {cli::qty(bad)}the source{?s} {.val {bad}}: {why}.",
      i = if (length(bad) == length(order) - 1) "No source is left: the target stands alone."
    ), class = "transelect_message_sources")
  }
  list(order = order, left = setdiff(order, bad))
}

# The frame without the rows of such sources, and `domains` as above.
frame_usable <- function(frame, target, intercept, call) {
  if (is.null(frame$domain)) return(list(frame = frame))
  y <- response_matrix(frame$y)[, 1]
  rows <- split(seq_along(y), frame$domain)
  domains <- usable_domains(
    names(rows), target, vapply(rows, function(i) varies(y[i], intercept), NA),
    lengths(rows), call
  )
  if (length(domains$left) < length(domains$order)) {
    frame <- frame_rows(frame, which(frame$domain %in% domains$left))
    frame$domain <- used_levels(frame$domain)
  }
  list(frame = frame, domains = domains)
}

# About the mean, or about 0 without an intercept; to rounding, as domain_sums() has it.
varies <- function(y, intercept) {
  mean <- if (intercept) mean(y) else 0
  length(y) > 1 && sum((y - mean)^2) > 1e-24 * sum(y^2)
}

# The same for moments.
moments_usable <- function(m, target, intercept, call) {
  cells <- moments_domains(m)
  n <- vapply(cells, `[[`, 0, "n")
  domains <- usable_domains(names(cells), target, vapply(cells, function(cell) {
    last <- length(cell$mean)
    square <- c(cell$cross[last, last], cell$weight * cell$mean[last]^2)
    cell$n > 1 && (if (intercept) square[1] else sum(square)) > 1e-24 * sum(square)
  }, NA), n, call)
  list(moments = if (length(domains$left) < length(cells)) m[domains$left] else m,
       domains = domains)
}

# Numbers that were given for all domains, target first or by name, for those that are left.
for_domains <- function(values, domains) {
  if (!is.numeric(values) || length(values) != length(domains$order)) return(values)
  at <- match(domains$left, names(values) %||% domains$order)
  if (anyNA(at)) values else values[at]
}

# `borrow` where sources were left out.
borrow_from <- function(borrow, domains) {
  if (is.list(borrow)) {
    borrow[["lam"]] <- for_domains(borrow[["lam"]], domains)
    return(borrow)
  }
  alone <- length(domains$left) == 1 && length(domains$order) > 1
  if (alone && is.character(borrow) && all(borrow %in% BORROW)) "none" else borrow
}

# Methods for packages that make tables: xtable.

#' @exportS3Method xtable::xtable
xtable.transfer_path <- function(x, caption = NULL, label = NULL, align = NULL, digits = NULL, display = NULL,
                                 auto = FALSE, conf.int = FALSE, exponentiate = FALSE, ...) {
  table <- tidy(x, conf.int = conf.int, exponentiate = exponentiate)
  shown <- intersect(c("class", "term", "estimate", "std.error", "statistic", "p.value", "conf.low", "conf.high"),
                     names(table))
  xtable::xtable(table[shown], caption = caption, label = label, align = align, digits = digits, display = display,
                 auto = auto, ...)
}

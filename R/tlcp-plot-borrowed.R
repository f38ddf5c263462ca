# Pictures of what was borrowed, and of intervals.

# A row for each point: term, estimate, kind (own, other, borrowed) and the name of the domain, if it is another one.
# Attributes: the terms from the largest borrowed effect to the smallest, their weight and shrinkage, the other
# domains, limits.
tlcp_plot_borrowed_data <- function(x, scaled, call) {
  table <- x$borrowed
  if (is.null(table)) {
    why <- if (x$method == "cutoff") {
      "Fits with {.code method = \"cutoff\"} have no such table."
    } else {
      "The model was fitted to {if (length(x$models) > 1) 'rows of all domains as one' else
       'one domain'}, or nothing could be borrowed from other domains."
    }
    abort_input("{.arg what} is {.val borrowed}, but this fit has no table of what was borrowed.",
                "what", i = paste("Give another {.arg what}.", why), call = call)
  }
  last <- ncol(table) # by place: a domain may bear any name
  shares <- tlcp_posterior_shares(x, brief = TRUE)[-1L, , drop = FALSE]
  unit <- if (scaled) unname(x$scale[table$term]) else rep(1, nrow(table))
  estimates <- as.matrix(table[2:last]) * unit
  others <- names(table)[seq_len(last - 3L) + 2L]
  n <- nrow(table)
  data <- data.frame(
    term = rep(table$term, last - 1L),
    kind = rep(c("own", rep("other", length(others)), "borrowed"), each = n),
    domain = rep(c(NA, others, NA), each = n), estimate = as.vector(estimates)
  )
  # least squares is 0 only where a domain had too few rows for the column
  shown <- !is.na(data$estimate) & (data$estimate != 0 | data$kind == "borrowed")
  data <- data[shown, , drop = FALSE]
  by_size <- order(-abs(table[[last]] * unit))
  drawn <- others %in% data$domain
  lost <- others[!drawn]
  who <- c(if (!"own" %in% data$kind) "the target",
           if (length(lost) > 3L) paste(length(lost), "other domains") else lost)
  if (!n) shares <- matrix(0, 0, 2)
  structure(data, terms = table$term[by_size], weight = tlcp_shares_of_others(shares)[by_size],
            shrinkage = tlcp_shares_of_prior(shares)[by_size], others = others[drawn],
            note = if (length(who)) paste("no unique least squares estimates:", paste(who, collapse = ", ")),
            limits = tlcp_plot_borrowed_limits(data), scaled = scaled,
            title = paste0("What ", tlcp_verbs_target_called(x$target), " borrowed"))
}

# The range of the target's estimates and 0, widened to the estimates of other domains that are at most 3/4 of that
# range away.
tlcp_plot_borrowed_limits <- function(data) {
  core <- range(0, data$estimate[data$kind != "other"])
  if (diff(core) == 0) core <- range(0, data$estimate)
  if (diff(core) == 0) return(c(-1, 1))
  near <- pmin(pmax(data$estimate, core[1L] - .75 * diff(core)), core[2L] + .75 * diff(core))
  range(core, near)
}

tlcp_plot_borrowed <- function(data) {
  others <- attr(data, "others")
  terms <- attr(data, "terms")
  title <- attr(data, "title")
  if (!length(terms)) return(picture_empty("no feature chosen", title))
  n <- length(others)
  # grey where there are many
  colours <- stats::setNames(if (n <= 6L) picture_rule_colours(n) else rep("#9A9A9A", n), others)
  big <- if (length(terms) > 20L) .8 else 1.1
  limits <- attr(data, "limits")
  data$y <- length(terms) + 1 - match(data$term, terms)
  kind <- function(which) {
    one <- data[data$kind == which, , drop = FALSE]
    data.frame(x = one$estimate, y = one$y, term = one$term)
  }
  alone <- kind("own")
  borrowed <- kind("borrowed")
  lent <- data[data$kind == "other", , drop = FALSE]
  inside <- lent$estimate >= limits[1L] & lent$estimate <= limits[2L]
  off <- lent[!inside, , drop = FALSE]
  left <- off$estimate < limits[1L]
  many <- n > 6L
  # small points, above the others where they are few; many of them lie below, so that they do not hide what is borrowed
  strip <- list(
    picture_layer("point", data.frame(x = lent$estimate, y = lent$y, group = lent$domain,
                                      col = unname(colours[lent$domain]))[inside, , drop = FALSE],
                  pch = 20, cex = .8 * big, user = "col"),
    if (many && length(terms) <= 15L) {
      picture_layer("text", tlcp_plot_borrowed_extremes(lent[inside, , drop = FALSE]), vjust = -.8, cex = .65,
                    col = picture_colours$frame)
    }
  )
  strip <- Filter(Negate(is.null), strip)
  picture_new(list(picture_panel(
    picture_axis(path_plot_data_ylab(data), picture_padded_range(limits, if (nrow(off)) .07 else .03)),
    picture_name_axis(terms, cut = "the largest"),
    c(list(picture_rule("x", 0, col = picture_colours$frame, lty = 1)), if (many) strip, list(
      picture_layer("segment", data.frame(alone[c("x", "y")], xend = borrowed$x[match(alone$term, borrowed$term)])),
      picture_layer("point", alone[c("x", "y")], pch = 21, cex = big),
      picture_layer("point", borrowed[c("x", "y")], cex = big)), if (!many) strip, list(
      picture_layer("text", data.frame(x = ifelse(left, -Inf, Inf), y = off$y,
                                       label = ifelse(left, "<", ">"), hjust = ifelse(left, -1.5, 2.5),
                                       col = unname(colours[off$domain])),
                    cex = .7 * big)
    )),
    right = data.frame(y = rev(seq_along(terms)),
                       label = paste0(words_percent(attr(data, "weight")), " / ",
                                      words_percent(attr(data, "shrinkage")))),
    right_title = "others / shrinkage"
  )), title, tlcp_plot_borrowed_keys(others, colours, nrow(alone) > 0L, any(inside)), attr(data, "note"))
}

# The names of the domains with the smallest and the largest estimate of each term.
tlcp_plot_borrowed_extremes <- function(lent) {
  extreme <- unlist(lapply(split(seq_len(nrow(lent)), lent$y), function(rows) {
    rows[unique(c(which.min(lent$estimate[rows]), which.max(lent$estimate[rows])))]
  }), use.names = FALSE)
  data.frame(x = lent$estimate[extreme], y = lent$y[extreme], label = labels_shorten(lent$domain[extreme], 14L),
             hjust = .5)
}

# alone, lent: are estimates of the target alone, and of other domains, in the picture?
tlcp_plot_borrowed_keys <- function(others, colours, alone, lent) {
  rbind(
    if (alone) picture_base_keys("target alone", picture_colours$ink, 21),
    picture_base_keys("borrowed", picture_colours$ink, 19),
    if (lent && length(others) <= 6L) {
      picture_base_keys(labels_shorten(others, 18L), unname(colours), 20)
    } else if (lent) {
      picture_base_keys(paste(length(others), "other domains"), colours[[1L]], 20)
    }
  )
}

# term, estimate, low, high of the features in the default model, the largest first (of ratios that with the largest
# standardised coefficient). ratio: odds, rate or hazard ratios, and not their logarithms?
tlcp_plot_intervals_data <- function(x, scaled, ratio, call) {
  found <- tlcp_posterior_step_covariance(x, NULL, call, diagonal = TRUE) # the error, if there is one
  terms <- setdiff(names(found$V), "(Intercept)")
  unit <- if (scaled) unname(x$scale[terms]) else rep(1, length(terms))
  limits <- stats::confint(x)[terms, , drop = FALSE] * unit
  data <- data.frame(term = terms, estimate = unname(stats::coef(x)[terms]) * unit, low = unname(limits[, 1]),
                     high = unname(limits[, 2]))
  largest <- order(-abs(if (ratio) unname(stats::coef(x)[terms] * x$scale[terms]) else data$estimate))
  if (ratio) data[-1] <- exp(data[-1])
  data$places <- tlcp_plot_intervals_decimals(data, scaled, ratio)
  data <- data[largest, , drop = FALSE]
  row.names(data) <- NULL
  of_ratio <- switch(x$family, binomial = "odds ratio", poisson = "rate ratio", cox = "hazard ratio")
  what <- if (ratio) of_ratio else if (is.null(of_ratio)) "coefficient" else paste("log", of_ratio)
  unit <- c(if (!scaled && !ratio) "(original scale)", if (ratio) "(log scale)")
  structure(data, xlab = paste(c(if (scaled) "standardised", what, unit), collapse = " "), ratio = ratio,
            title = paste0(if (ratio) paste0(toupper(substr(what, 1, 1)), substring(what, 2)) else "Coefficient",
                           "s and 95 % intervals"),
            note = if (x$settings$select) "as if the features had been chosen beforehand")
}

# Decimals of the numbers of a row: a fiftieth of the length of its interval is told apart. Rows in one unit and
# ratios have the same, those of the shortest interval; ratios have two or three.
tlcp_plot_intervals_decimals <- function(data, scaled, ratio) {
  wide <- data$high - data$low
  wide[!is.finite(wide) | wide <= 0] <- NA
  if ((scaled || ratio) && any(!is.na(wide))) wide[] <- min(wide, na.rm = TRUE)
  places <- -floor(log10(wide / 50))
  pmin(pmax(ifelse(is.na(places), 2, places), if (ratio) 2 else 0), if (ratio) 3 else if (scaled) 4 else 9)
}

# The range of ratios and 1, a little wider, and ticks at round numbers of a logarithmic axis.
tlcp_plot_intervals_ratio_axis <- function(label, value) {
  limits <- exp(picture_padded_range(picture_value_range(log(c(1, value))), .03))
  ticks <- picture_log_ticks(limits)
  picture_axis(label, limits, ticks, as.character(signif(ticks, 6)), log = TRUE)
}

tlcp_plot_intervals <- function(data) {
  ratio <- attr(data, "ratio")
  title <- attr(data, "title")
  n <- nrow(data)
  if (!n) return(picture_empty("no feature chosen", title))
  y <- n + 1 - seq_len(n)
  known <- is.finite(data$low) & is.finite(data$high) & !(ratio & data$low <= 0)
  blue <- picture_colours$feature[1L]
  shown <- c(data$estimate, data$low[known], data$high[known])
  limits <- data.frame(x = data$low, y = y, xend = data$high)[known, , drop = FALSE]
  written <- lapply(data[c("estimate", "low", "high")], words_decimals, data$places)
  text <- ifelse(known, paste0(written$estimate, " (", written$low, " to ", written$high, ")"), written$estimate)
  picture_new(list(picture_panel(
    if (ratio) tlcp_plot_intervals_ratio_axis(attr(data, "xlab"), shown) else
      picture_axis(attr(data, "xlab"), picture_padded_range(picture_value_range(c(0, shown)), .03)),
    picture_name_axis(data$term, cut = "the largest"),
    list(
      picture_rule("x", as.numeric(ratio), col = picture_colours$frame, lty = 1),
      picture_layer("segment", limits, col = blue, lwd = 2, user = c("col", "lwd")),
      picture_layer("point", data.frame(x = data$estimate, y = y), col = blue, cex = if (n > 20L) .8 else 1.1,
                    user = c("col", "pch", "cex"))
    ),
    right = data.frame(y = y, label = text), right_title = "estimate (95 % interval)"
  )), title, NULL, attr(data, "note"))
}

# dissimilarity() of responses with a likelihood of their own: the same figures from the expansions of
# tlcp(family = ), and errors as deviances of the target's rows, left out in ten folds.

family_dissimilarity <- function(frame, target, draws, how, call) {
  draws <- check_number(draws, "draws", 0, call, whole = TRUE)
  frame <- family_usable(frame, target, call)$frame
  names <- c(target, setdiff(levels(frame$domain), target))
  check_sources(names, call)
  settings <- tlcp_settings(
    frame = frame, n_domains = length(names), borrow = "hierarchical", select = FALSE,
    standardize = how$standardize, intercept = how$intercept, call = call
  )
  several <- length(names) > 2
  done <- 0
  folds <- min(LOO_FOLDS, sum(frame$domain == target))
  tell <- new_progress("Fits", (length(names) - 1 + several) * (1 + folds) + length(names) * folds)
  count <- function() {
    done <<- done + 1
    if (!is.null(tell)) tell(done)
  }
  sharing <- function(frame, draws) {
    on.exit(count())
    family_sharing(frame, target, settings, draws, call)
  }
  pairs <- lapply(names[-1], function(name) sharing(domain_rows(frame, c(target, name)), draws))
  joint <- if (several) sharing(frame, 0) else pairs[[1]]
  errors <- family_errors(frame, target, names[-1], how, folds, count)
  take <- function(name) vapply(pairs, `[[`, 0, name)
  out <- data.frame(
    source = names[-1], n = as.double(table(frame$domain)[names[-1]]), tau = take("tau"),
    raw = take("raw"), relative = take("relative"), lower = take("lower"), upper = take("upper"), lr = take("lr"),
    evidence = evidence_of(take("lr")), errors$by_source, row.names = NULL
  )
  structure(out, class = c("transfer_dissimilarity", "data.frame"), target = target, family = frame$family,
            joint = data.frame(lr = joint$lr, borrowed = errors$joint, n = sum(frame$domain == target),
                               folds = errors$folds),
            left_out = frame$left_out)
}

domain_rows <- function(frame, domains) {
  frame <- frame_rows(frame, which(frame$domain %in% domains))
  frame$domain <- used_levels(frame$domain)
  frame
}

# tau, relative dissimilarity and the likelihood ratio of sharing of two domains or all.
family_sharing <- function(frame, target, settings, draws, call) {
  settings$quiet <- TRUE
  parts <- family_parts(frame, target)
  settings <- family_settings(settings, frame, parts, call)
  world <- family_world(parts, feature_cells(frame, target, call), settings, call)
  units <- units_in_question(settings$units, world$spreads)
  found <- lapply(stats::setNames(nm = units), function(name) {
    domains <- borrowed_mode(world, name, call)$quadratics
    domains <- lapply(domains, without_level, intercept = TRUE)
    c(list(domains = domains), sharing_fit(domains, rep(1, length(domains)), call)[c("lr", "tau2")])
  })
  lr <- vapply(found, `[[`, 0, "lr")
  likelier <- found[[names(which.max(units_weights(lr, world$spreads$any)))]]
  varies <- which(likelier$domains[[1]]$varies)
  columns <- lapply(likelier$domains, domain_columns, varies, settings$intercept)
  distance <- relative_distance(columns[1:2], c(1, 1), draws)
  c(list(lr = joint_ratio(lr, world$spreads$any), tau = sqrt(sum(likelier$tau2[1:2]))), distance)
}

# Mean deviances of the target's rows (of survival times minus twice the log partial likelihood, an
# event), each row's linear predictor from a fit that has not seen it; NA where one cannot be fitted. count: called
# after each fit.
family_errors <- function(frame, target, sources, how, folds, count) {
  mine <- which(frame$domain == target)
  fold <- (seq_along(mine) - 1L) %% folds + 1L
  own <- family_part(frame_rows(frame, mine), target)
  error <- function(borrow, domains) {
    eta <- numeric(length(mine))
    for (f in seq_len(folds)) {
      out <- mine[fold == f]
      kept <- frame_rows(frame, setdiff(which(frame$domain %in% c(target, domains)), out))
      fit <- tryCatch(suppressMessages(tlcp(kept, target = target, borrow = borrow, select = FALSE,
                                            standardize = how$standardize, intercept = how$intercept)),
                      transelect_error = function(e) NULL)
      count()
      if (is.null(fit)) return(NA_real_)
      eta[fold == f] <- score_rows_at(frame$x[out, , drop = FALSE], fit, fit$best + 1L)
    }
    loss <- saturated(frame$family, own) - part_log_lik(frame$family, own, own$offset + eta)
    2 * loss / if (frame$family == "cox") own$risk$events else sum(own$w)
  }
  borrowed <- vapply(sources, function(name) error("hierarchical", name), 0)
  list(
    by_source = data.frame(own = error("none", NULL), shrunk = NA_real_,
                           pooled = vapply(sources, function(name) error("aggregate", name), 0),
                           borrowed = borrowed),
    joint = if (length(sources) == 1) borrowed[[1]] else error("hierarchical", sources), folds = folds
  )
}

# compare_paths() of data: several fits, others' models and baselines on the same folds.

#' @rdname compare_paths
#' @export
compare_paths.default <- function(x, y, fits = NULL, ..., sources = NULL, weights = NULL,
                                  domain = NULL, target = NULL, family = NULL, baselines = NULL, nfolds = 10,
                                  foldid = NULL, by = NULL, loss = NULL, parallel = FALSE, bound = NULL) {
  call <- arguments_check()
  if (missing(x) || inherits(x, "moments")) {
    abort_input("The first argument is {.obj_type_friendly {if (missing(x)) NULL else x}}.", "dots",
                i = "Give objects made by {.fn cv_path}, or the data: {.code compare_paths(x, y)}.",
                call = call)
  }
  frame <- frame_default(x, y, weights = weights, domain = domain, sources = sources, call = call)
  settings <- cv_settings(call, nfolds, foldid, by, loss, parallel, bound = bound)
  compare_fits_frame(frame, fits, target, family, baselines, settings)
}

#' @rdname compare_paths
#' @export
compare_paths.formula <- function(formula, data, fits = NULL, ..., sources = NULL, weights, subset,
                                  na.action, domain, target = NULL, family = NULL, sparse = FALSE, baselines = NULL,
                                  nfolds = 10, foldid = NULL, by = NULL, loss = NULL, parallel = FALSE, bound = NULL) {
  call <- arguments_check()
  frame <- frame_formula(formula, data, match.call(), na.action, sources = sources, sparse = sparse,
                         env = parent.frame(), call = call)
  settings <- cv_settings(call, nfolds, foldid, by, loss, parallel, bound = bound)
  compare_fits_frame(frame, fits, target, family, baselines, settings)
}

# Fits to all rows first: they say what is held out. Then folds, scores of every rule, loss by fold,
# the table.
compare_fits_frame <- function(frame, fits, target, family, baselines, settings) {
  call <- settings$call
  if (is.matrix(frame$y) && !likelihood_is_used(frame$family)) response_abort_several(frame$y, call)
  compare_fits_check_family(family, fits, call)
  fits <- if (is.null(fits)) compare_fits_default(frame, target, family, settings$loss) else
    compare_fits_check(fits, target, call)
  compare_baselines_check(baselines, call)
  if (sources_need_raw(frame$sources)) frame <- frame_with_source_values(frame, call = call)
  class(frame) <- c("compared_frame", class(frame))
  ours <- !vapply(fits, compare_rules_takes_response, NA)
  if (!is.null(settings$bound)) fits[ours] <- lapply(fits[ours], compare_rules_with_bound, settings$bound)
  told <- character()
  first <- names(fits)[1L]
  paths <- cv_refit_messages_once(Map(function(fit, name) {
    withCallingHandlers(
      compare_rules_if_not_separated(name != first, compare_rules_path(fit, frame, name, call)),
      warning = function(warning) told <<- c(told, cv_refit_warning_kind(warning))
    )
  }, fits[ours], names(fits)[ours]))
  separated <- names(paths)[vapply(paths, is.null, NA)]
  if (length(separated)) {
    tell(paste0("Leaving out ", words_in_quotes(separated), ": the likelihood has no maximum, since the features ",
                "separate the classes of the rows."), class = "transelect_message_separated")
    paths <- paths[setdiff(names(paths), separated)]
    fits <- fits[setdiff(names(fits), separated)]
  }
  compare_fits_refuse_other_scales(paths, call)
  path <- compare_fits_folds(paths, frame$domain, settings, call)
  by <- cv_object_by(path, settings)
  frame <- compare_fits_class_frame(frame, paths)
  loss <- compare_fits_loss(settings$loss, paths, fits, frame, call)
  baselines <- compare_baselines_known(baselines, loss, call)
  foldid <- cv_fold_of_frame(frame, settings, path, by)
  fold <- table_factor(foldid)
  held_out <- split(seq_along(fold), fold)
  fits[names(paths)] <- Map(compare_rules_refit, fits[names(paths)], paths)
  rules <- compare_fits_rules(fits, baselines, frame, loss, if (anyNA(fold)) path$target)
  by_fold <- cv_refit_run(held_out, frame, list(rules = rules, told = told, tells_far = TRUE), settings)
  scores <- cv_refit_scores(by_fold, held_out, frame, dimnames(by_fold[[1L]])[-1L])
  chosen <- vapply(by_fold, function(s) attr(s, "chosen") %||% NA_character_, "")
  fold_loss <- cv_summary_fold_losses(frame, scores, held_out, loss)
  for (k in seq_along(by_fold)) fold_loss[k, attr(by_fold[[k]], "separated")] <- NA
  compare_fits_tell_separated(fold_loss, unique(unlist(lapply(by_fold, attr, "separated"))))
  compare_fits_object(
    fold_loss, cv_frame_fold_weights(frame, fold, by, loss),
    kind = rep(vapply(rules, `[[`, "", "kind"), lengths(lapply(rules, `[[`, "names"))), loss = loss,
    foldid = foldid, chosen = chosen[!is.na(chosen)]
  )
}

# rows x classes x rules: the scores of the held-out rows of a fold.
#' @export
cv_refit_fold_scores.compared_frame <- function(data, fold, plan) {
  kept <- frame_rows(data, setdiff(seq_len(frame_rows_count(data)), fold$held_out))
  held <- frame_rows(data, fold$held_out)
  width <- if (is.factor(data$y) && nlevels(data$y) > 2) nlevels(data$y) else 1L
  parts <- lapply(seq_along(plan$rules), function(k) {
    rule <- plan$rules[[k]]
    value <- cv_user_fit_without_messages(compare_rules_if_not_separated(k > 1L, rule$run(kept, held)))
    size <- c(frame_rows_count(held), width, length(rule$names))
    list(array(as.numeric(value %||% 0), size), attr(value, "chosen"), if (is.null(value)) rule$names)
  })
  names <- unlist(lapply(plan$rules, `[[`, "names"), use.names = FALSE)
  scores <- array(unlist(lapply(parts, `[[`, 1L)), c(frame_rows_count(held), width, length(names)),
                  dimnames = list(NULL, NULL, names))
  attr(scores, "chosen") <- unlist(lapply(parts, `[[`, 2L))
  attr(scores, "separated") <- unlist(lapply(parts, `[[`, 3L))
  scores
}

# Says which rules have no fit without some folds, since the classes are separated there.
compare_fits_tell_separated <- function(fold_loss, rules) {
  for (rule in rules) {
    folds <- rownames(fold_loss)[is.na(fold_loss[, rule])]
    left <- nrow(fold_loss) - length(folds)
    tell(paste0(words_in_quotes(rule), " could not be fitted without ", if (length(folds) > 1L) "folds " else "fold ",
                toString(folds), ": the likelihood has no maximum, since the features separate the classes of the ",
                "other rows. ", if (left) {
                  paste0("Its loss and difference are means over the other ", words_counted(left, "fold"), ".")
                } else "Its loss is NA."), class = "transelect_message_separated")
  }
}

# Means over the folds, and differences to the first rule in the same folds.
compare_fits_object <- function(fold_loss, weight, kind, loss, foldid, chosen) {
  each <- cv_summary_over_folds(fold_loss, weight)
  gap <- cv_summary_over_folds(fold_loss - fold_loss[, 1L], weight)
  names <- colnames(fold_loss)
  table <- data.frame(rule = factor(names, unique(names)), kind = kind, loss = each$mean, se = each$se,
                      difference = gap$mean, difference_se = gap$se,
                      difference_corrected = cv_summary_corrected_se(gap$se, nrow(fold_loss)))
  table_classed(table, "fit_comparison", loss = loss$label, smaller_is_better = loss$smaller_is_better,
                fold_loss = fold_loss, fold_weight = weight, foldid = foldid, chosen = chosen)
}

# The family is that of the default fits.
compare_fits_check_family <- function(family, fits, call) {
  if (is.null(family)) return(invisible())
  if (!is.null(fits)) {
    abort_input("Both {.arg fits} and {.arg family} are given.", "family",
                i = "Give the family in the functions of {.arg fits}:
                     {.code function(x, ...) tlcp(x, family = {deparse(family)}, ...)}.", call = call)
  }
  if (!identical(family, "gaussian") && !identical(family, "binomial")) {
    abort_value(family, "family",
                "Give {.val gaussian} or {.val binomial}. For counts and survival times give {.fn cv_path} objects.",
                call)
  }
}

# The fits that are compared where none are given: of a target with the other domains, without them and with their rows
# as one data set, else the two rules of greedytl(), or its log odds and its calibrated scores.
compare_fits_default <- function(frame, target, family, loss) {
  if (!is.null(target)) {
    fit <- function(x, ...) tlcp(x, target = target, family = family, ...)
    return(list(borrow = fit, alone = function(x, ...) fit(x, borrow = "none", ...),
                aggregate = function(x, ...) fit(x, borrow = "aggregate", ...)))
  }
  if (identical(family, "binomial")) {
    return(list("log odds" = function(x, ...) greedytl(x, family = "binomial", ...),
                "least squares" = function(x, ...) greedytl(x, prob = TRUE, ...)))
  }
  prob <- is.factor(frame$y) && identical(loss, "log_loss")
  list(transfer = if (prob) function(x, ...) greedytl(x, prob = TRUE, ...) else greedytl,
       paper = function(x, ...) greedytl(x, rule = "paper", prob = prob, ...))
}

# Named functions.
compare_fits_check <- function(fits, target, call) {
  if (!is.null(target)) {
    abort_input("Both {.arg fits} and {.arg target} are given.", "target",
                i = "Give the target in the functions of {.arg fits}:
                     {.code function(x, ...) tlcp(x, target = {deparse(target)}, ...)}.", call = call)
  }
  if (is.function(fits)) fits <- list(fit = fits)
  good <- is.list(fits) && length(fits) && all(vapply(fits, is.function, NA))
  if (!good) {
    abort_kind(fits, "fits",
               "Give a named list of functions: methods of this package, or {.code function(x, y)} that returns a model
                with a {.fn predict}.", call)
  }
  check_list_names(fits, "fits", "Name each: {.code list(ours = greedytl, other = function(x, y) ...)}.", call)
  fits
}

# The loss of scores. Squares are comparable only where the scores of all rules are near -1 and 1, and the deviance of
# classes where all fits have probabilities. `paths` has the fits of this package only.
compare_fits_loss <- function(loss, paths, fits, frame, call) {
  logistic <- vapply(paths, function(path) path_object_is_logistic(cv_object_own_path(path)), NA)
  of_classes <- is.factor(frame$y) && is.character(loss)
  if (of_classes && identical(loss, "deviance")) {
    other <- setdiff(names(fits), names(paths)[logistic])
    if (length(other)) {
      abort_input("{.arg loss} is {.val deviance}, and {.val {other}} of {.arg fits} {?is not a logistic
                   model/are not logistic models} of this package.", "loss",
                  i = "Give logistic fits alone, or use {.val class} or {.val auroc}: the deviance needs
                     probabilities.", call = call)
    }
    return(cv_loss_find(loss, response_family_of_frame(frame), call, logistic = TRUE))
  }
  if (of_classes && identical(loss, "log_loss")) {
    # another package's model is asked for its probabilities in each fold
    calibrated <- vapply(paths, is_calibrated, NA)
    other <- names(paths)[!logistic & !calibrated]
    if (length(other)) {
      abort_input("{.arg loss} is {.val log_loss}, and {.val {other}} of {.arg fits} {?has/have} no probabilities.",
                  "loss", i = "Give {.code function(x, ...) greedytl(x, prob = TRUE, ...)}, logistic fits, or another
                               {.arg loss}.", call = call)
    }
    return(cv_loss_find(loss, response_family_of_frame(frame), call, logistic = TRUE))
  }
  squares <- of_classes && loss %in% c("mse", "mae")
  cv_loss_find(loss, response_family_of_frame(frame), call, logistic = squares && any(logistic))
}

# The frame with its response as classes where one of the fits has numbers for their names: scores of
# classes and of numbers have no loss in common.
compare_fits_class_frame <- function(frame, paths) {
  if (is.factor(frame$y)) return(frame)
  classes <- lapply(paths, function(path) cv_object_own_path(path)$classes)
  taken <- lengths(classes) > 0L
  if (!any(taken)) return(frame)
  classes <- classes[taken][[1L]]
  tell(paste0(words_in_quotes(names(paths)[taken]), if (sum(taken) > 1L) " take" else " takes",
              " the numbers of `y` for classes, ", words_in_quotes(classes), ": all rules are given classes."),
       class = "transelect_message_classes")
  frame$y <- factor(frame$y, classes)
  frame
}

compare_fits_refuse_other_scales <- function(paths, call) {
  family <- vapply(paths, function(path) cv_object_own_path(path)$family, "")
  shares <- vapply(paths,
                   function(path) path_object_is_logistic(cv_object_own_path(path)) &&
                   is.null(cv_object_own_path(path)$classes), NA)
  if (any(shares)) {
    abort_input("{.val {names(paths)[shares]}} of {.arg fits} has the family {.val binomial}, and {.arg y} has
                 shares.", "fits",
                i = "Give {.fn cv_path} objects of the fits: from data only fits to numbers or classes are compared.",
                call = call)
  }
  other <- !family %in% c("gaussian", "binomial", "multinomial")
  if (any(other)) {
    abort_input("{.val {names(paths)[other]}} of {.arg fits} has the family {.val {family[other]}}.", "fits",
                i = "Give {.fn cv_path} objects of the fits: from data only fits to numbers or classes are compared.",
                call = call)
  }
}

# The path that decides what is held out, an empty list where there is none. domain: of the rows; a fit that ignores it
# has a target that is none of them.
compare_fits_folds <- function(paths, domain, settings, call) {
  if (!length(paths)) return(list())
  cv_paths <- lapply(paths, cv_object_own_path)
  by <- lapply(cv_paths, cv_object_by, settings = settings)
  said <- vapply(seq_along(cv_paths), function(k) {
    target <- cv_paths[[k]]$target
    if (is.null(target)) by[[k]] %||% "" else if (is.null(domain) || target %in% domain) paste("target", target) else ""
  }, "")
  kinds <- setdiff(unique(said), "")
  if (length(kinds) > 1L) {
    first_of_kind <- names(paths)[match(kinds[1:2], said)]
    abort_input("{.val {first_of_kind[1]}} and {.val {first_of_kind[2]}} of {.arg fits} hold out different rows:
                 those of {.val {kinds[1]}} and of {.val {kinds[2]}}.", "fits",
                i = "Give {.arg by} or {.arg foldid}, or compare fits with the same {.arg target}.",
                call = call)
  }
  cv_paths[[if (length(kinds)) match(kinds, said) else 1L]]
}

# Each rule is list(names, kind, run): run(kept, held) gives the scores of the rows `held`, fitted to
# `kept`, one block after the other where it has several names.
compare_fits_rules <- function(fits, baselines, frame, loss, target) {
  of_fits <- unname(Map(function(fit, name) {
    run <- if (compare_rules_takes_response(fit)) {
      function(kept, held) compare_rules_foreign_scores(fit, kept, held, name, loss)
    } else {
      function(kept, held) compare_rules_path_scores(compare_rules_path(fit, kept, name), held, loss)
    }
    list(names = name, kind = "fit", run = run)
  }, fits, names(fits)))
  # of the log loss only the sources that have probabilities
  single_sources <- if (compare_rules_is_log_loss(loss)) attr(sources_probabilities(frame$sources), "at") else
    seq_len(frame$sources$n_sources %||% 0L)
  more <- compare_baselines_rules(
    baselines, fits,
    labels = if (!is.null(frame$sources)) sources_label(frame$sources),
    classes = levels(frame$y), loss = loss, target = target, sources = single_sources
  )
  rules <- c(of_fits, more)
  rule_names <- lapply(rules, `[[`, "names")
  single <- vapply(rules, `[[`, "", "kind") == "source"
  taken <- unlist(rule_names[!single])
  rule_names[single] <- lapply(rule_names[single], function(labels) {
    ifelse(labels %in% taken, paste("source", labels), labels)
  })
  unique <- split(make.unique(unlist(rule_names)), rep(seq_along(rule_names), lengths(rule_names)))
  Map(function(rule, rule_names) replace(rule, "names", list(rule_names)), rules, unname(unique))
}

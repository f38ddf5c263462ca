# Predictions of sources as log odds, for a model of log odds.

SOURCE_ODDS <- stats::qlogis(MOST_SURE) # the largest
LIMITED_ODDS <- stats::qlogis(.8) # the largest log odds with which a single source enters

# What the predictions of every source are: "odds", "signed" (2p - 1) or "share" (p); of counts "rates" or "log rates";
# of survival times "log rates", their log hazards.
# Classifiers have the scale of the adapters; of others, as given, all together are shares if they are within 0 and 1,
# 2p - 1 if they are within -1 and 1, and log odds if some are outside; with `scale = "link"` they are log odds. Of
# counts they are log rates with `scale = "link"`, else rates.
sources_odds_kinds <- function(sources, family, call = NULL) {
  n <- sources$n_sources
  if (family == "cox") {
    sources_odds_refuse_wide(sources, sources$values, "log hazards", call)
    return(rep("log rates", n))
  }
  link <- identical(sources$scale, "link")
  if (family == "poisson") {
    wrong <- if (!link) which(Matrix::colSums(sources$values <= 0) > 0)
    if (length(wrong)) {
      abort_input("{.val {sources_label(sources, wrong[1])}} of {.arg sources} predicts a rate that is not positive.",
                  "sources", i = "Give rates, or log rates as {.code sources(..., scale = \"link\")}.", call = call)
    }
    logs <- if (link) sources$values else log(pmax(as.matrix(sources$values), 1e-300))
    sources_odds_refuse_wide(sources, logs, if (link) "log rates" else "rates", call)
    return(rep(if (link) "log rates" else "rates", n))
  }
  known <- rep(FALSE, n)
  if (!is.null(sources$models) && is.null(sources$predict) && length(sources$models) <= LONG_LIST) {
    known <- vapply(sources$models, sources_odds_is_classifier, NA)[sources_model_number(sources, seq_len(n))]
  }
  kinds <- rep(if (link) "odds" else "signed", n)
  if (link || all(known)) return(kinds)
  kinds[!known] <- sources$read_as %||% sources_odds_scale(sources$values[, !known])
  attr(kinds, "told") <- which(!known)
  kinds
}

LOGS_APART <- 50 # of log rates and log hazards: their factor, exp(50), is beyond what numbers hold beside each other

# An error where a source is on another scale than log rates or log hazards.
sources_odds_refuse_wide <- function(sources, logs, what, call) {
  logs <- as.matrix(logs)
  if (!length(logs)) return(invisible())
  wide <- which(apply(logs, 2, function(value) isTRUE(diff(range(value)) > LOGS_APART)))
  if (!length(wide)) return(invisible())
  shown <- signif(range(as.matrix(sources$values)[, wide[1]]), 3)
  abort_input("{.val {sources_label(sources, wide[1])}} of {.arg sources} predicts from {shown[1]} to {shown[2]},
               too far apart for {what}.", "sources",
              i = if (what == "log hazards")
                "Give log hazards (linear predictors of {.fn coxph}), not times or ratios." else
                "Give rates, or log rates as {.code sources(..., scale = \"link\")}.", call = call)
}

sources_odds_scale <- function(values) {
  given <- range(values)
  if (given[1] < -1 || given[2] > 1) "odds" else if (given[1] < 0) "signed" else "share"
}

# Sources of which all parts of the rows are read alike: `read_as` is the kind of those that are no classifiers, decided
# on the rows that they have.
sources_odds_read_once <- function(sources) {
  if (is.null(sources$values) || !length(sources$values) || !is.null(sources$read_as)) return(sources)
  kinds <- sources_odds_kinds(sources, "binomial")
  sources$read_as <- kinds[attr(kinds, "told")][1]
  sources
}

# Does an adapter make probabilities of a model's predictions?
sources_odds_is_classifier <- function(model) {
  !is.function(model) && !is.null(source_classes(model)) && !sources_adapter_is_svm_margin(model)
}

# The kinds, with "constant" for sources that predict the same for all rows of the fit: they have no information about
# these rows, and would weaken that of the others in the mean.
sources_odds_with_constant <- function(kinds, values) {
  rows <- as.matrix(values)
  most <- apply(rows, 2, max)
  least <- apply(rows, 2, min)
  replace(as.vector(kinds), most - least <= 1e-12 * pmax.int(abs(most), abs(least)), "constant")
}

# Log odds or log rates, rows x sources, from what the sources that are not constant predict; 0 of the others.
sources_odds_values <- function(values, kinds) {
  varying <- kinds != "constant"
  odds <- matrix(0, nrow(values), length(kinds))
  if (any(varying)) odds[, varying] <- sources_odds_of_varying(unname(as.matrix(values)), kinds[varying])
  odds
}

sources_odds_of_varying <- function(values, kinds) {
  if (kinds[1] == "log rates") return(values)
  if (kinds[1] == "rates") return(log(pmax(values, 1e-10)))
  for (kind in setdiff(unique(kinds), "odds")) {
    of_kind <- which(kinds == kind)
    p <- if (kind == "signed") (values[, of_kind] + 1) / 2 else values[, of_kind]
    values[, of_kind] <- stats::qlogis(pmin(pmax(p, 1 - MOST_SURE), MOST_SURE))
  }
  values[] <- pmin(pmax(values, -SOURCE_ODDS), SOURCE_ODDS)
  values
}

# The columns of a model of log odds: those of every source, limited, and the mean of those that are not constant, not
# limited. Log rates are not.
sources_odds_columns <- function(odds, kinds) {
  most <- if (any(kinds %in% c("rates", "log rates"))) Inf else LIMITED_ODDS
  varying <- which(kinds != "constant")
  limited <- odds
  limited[] <- pmin(pmax(odds, -most), most)
  cbind(limited, if (length(varying)) rowMeans(odds[, varying, drop = FALSE]) else 0)
}

# What users are told of the scale: how predictions as given are read, and how many had a probability of 0 or 1.
sources_odds_tell <- function(sources, kinds) {
  if (kinds[1] %in% c("rates", "log rates")) return(invisible())
  told <- attr(kinds, "told")
  if (length(told)) {
    words <- c(odds = "log odds: some are below -1 or above 1", signed = "2p - 1: all are within -1 and 1",
               share = "probabilities: all are within 0 and 1")[[kinds[told[1]]]]
    which <- if (length(told) == length(kinds)) "the sources" else
      words_in_quotes(labels_shorten(sources_label(sources, told), 20))
    tell(paste0("Taking the predictions of ", which, " as ", words, "."),
         if (kinds[told[1]] == "odds") {
           "If they are log odds, give `sources(..., scale = \"link\")`; else give probabilities."
         } else {
           "Give `sources(..., scale = \"link\")` if they are log odds."
         }, "transelect_message_scale")
  }
  values <- as.matrix(sources$values)
  sure <- vapply(seq_along(kinds), function(j) {
    if (kinds[j] == "odds") sum(is.infinite(values[, j])) else
      sum(values[, j] >= 1 | values[, j] <= if (kinds[j] == "signed") -1 else 0)
  }, 0)
  if (any(sure > 0)) {
    tell(paste0(sum(sure), " of ", length(values), " predictions of the sources ",
                if (sum(sure) > 1) "are probabilities" else "is a probability", " of 0 or 1, taken as ",
                signif(1 - MOST_SURE, 3), " or ", MOST_SURE, "."),
         class = "transelect_message_sure")
  }
}

MEAN_SOURCE <- "(mean of sources)"

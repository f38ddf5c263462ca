#' Second moments by domain and fold, also of data that do not fit into memory
#'
#' Counts, means and centred products of predictors and response, for each domain and each fold of
#' it. Methods for squared loss need nothing else of the rows: [greedytl()], [tgreedy()], [tlcp()],
#' [msplit()] (one response, no more columns than rows), [dissimilarity()] and [selection_frequency()] take the
#' result in place of data, and [cv_path()] takes it with its folds or domains. The rows are read once and may lie in
#' a matrix or data frame, come in chunks from a function, or stay in a
#' database or Arrow dataset.
#'
#' @section Engines:
#' Matrices, data frames, chunk readers and Arrow data are added up in C, chunk by chunk; memory is
#' that of one chunk plus (p + 1)^2 numbers for each cell (domain and fold). For a database there are two ways:
#' * `"sql"`: the database adds up, one `SELECT ... GROUP BY domain, fold` for every 1500 products;
#'   only the sums are transferred. Factors become `CASE WHEN` columns; `log()`, `exp()`, `sqrt()`, `abs()`
#'   and arithmetic inside `I()` or these are translated, and the translation is checked on the
#'   first rows, as is the way in which the database reads a number in double precision and a text.
#' * `"stream"`: the rows are fetched `chunk_rows` at a time. Takes any formula whose terms depend
#'   on one row at a time.
#'
#' `"auto"` is `"sql"` up to 10 columns in SQLite, 25 in PostgreSQL and MySQL and 100 elsewhere
#' (DuckDB, warehouses), if the formula can be translated; else `"stream"`. A row costs p^2/2 products in
#' the database, or p numbers to fetch: with more columns fetching is faster. `bench/moments.R` in the package's
#' repository has the measurements. PostgreSQL's just-in-time compiler is switched off for these queries, since
#' compiling takes longer than the sums.
#' Drivers that hold a whole result in memory (RMySQL, duckdb) make `"stream"` need that memory;
#' from 'RPostgreSQL', which does too, the rows are taken through a cursor.
#'
#' @section Numbers:
#' Nothing is added up as raw squares, which lose all digits when a mean is large: in C each block
#' of rows is centred on its own mean and blocks are joined by the formula of Chan, Golub and
#' LeVeque; in SQL a value of one of the first rows is subtracted from each column, in double
#' precision; columns whose mean in some cell is far from that value are summed again with their
#' cell means subtracted. All ways agree to about 12 digits, relative to the products of the standard deviations.
#'
#' @section Rows left out: A row with a missing value (`NA`, `NaN`, `NULL`) in any column
#' of the model, domain, fold or weights is left out of everything and counted in `dropped`. (`NaN`
#' inside a PostgreSQL column is not `NULL`: with `"sql"` it is an error. A term that a database
#' makes `NULL`, as 1/0 in SQLite, is missing there.) Rows of weight 0 are not
#' counted at all.
#'
#' @param x,object Numeric matrix, sparse matrix or data frame of predictors, n x p; or what `as.data.frame()` made
#'   of moments; an object of class `moments` for the methods.
#' @param y Response: n numbers, or a factor (or characters or logicals) of two classes, coded -1
#'   and 1; in `merge()` a second object of class `moments`.
#' @param formula `response ~ predictors`; `y ~ .` takes all columns but those of domain, fold and
#'   weights. Factors and characters are coded as [lm()] would code them.
#' @param data A data frame; a chunk reader; a connection from `DBI::dbConnect()`, with `table`; a
#'   table of 'dbplyr' (`dplyr::tbl()`); or an Arrow Dataset, Table, query or record batch reader. If a data frame or
#'   table is grouped by one column, that is the domain. A chunk reader is a `function(reset)`: `reset = TRUE` goes
#'   back to the first row, its value is ignored; `reset = FALSE` returns the next rows as a data frame,
#'   `NULL` at the end.
#' @param domain,fold For `x` and `y`: n values each. With a formula: a column of `data`, by its bare
#'   name or as a string; for a data frame also a vector of n values. `NULL`: one domain, called
#'   "all"; no folds.
#' @param weights For `x` and `y`: n numbers, not negative. With a formula: a column, as `domain`.
#' @param method,chunk_rows `"auto"`, `"sql"` or `"stream"`, see below, and the number of rows fetched at a
#'   time (`NULL`: 100,000, fewer for many columns; at most 1e7 numbers, since drivers make room for
#'   as many rows as they are asked for).
#' @param table The name of the table, a string; `DBI::Id()`; or `DBI::SQL("SELECT ...")`.
#' @param levels Named list: the values of columns that are to be factors. Without it, factors have
#'   their levels, and text those found in a pass of its own over the (complete) rows.
#' @param sql_only `TRUE`: return the queries instead of the moments.
#' @param family `NULL`, or `"binomial"`, `"poisson"` or `"cox"`: see below.
#' @param at With a `family`: `NULL`, or named coefficients at which the likelihood is expanded; for several
#'   domains also a list of these by domain.
#' @param offset,strata With a `family`: as in [tlcp()].
#' @param i Domains: names or numbers.
#' @param ... Not used; anything given is an error.
#' @returns `moments()`: an object of class `moments`, a list with
#' \describe{
#'   \item{`cells`}{data frame, one row for each cell: `domain`, `fold` (`NA` without folds), `n`
#'     rows, `weight`, the sum of their weights (`n` without weights), `log_weight`, the sum of the logarithms of the
#'     weights, which [logLik()] needs (`NA` where a database has no logarithm)}
#'   \item{`mean`, `rest`}{cells x (p + 1) matrices, the response last: the means, and what is lost
#'     in rounding them to double precision (`merge()` needs it when means are large)}
#'   \item{`cross`}{list, for each cell the (p + 1) x (p + 1) matrix of (weighted) sums of products
#'     about the cell's own means, the response last}
#'   \item{`columns`, `response`, `classes`}{names of the predictors' columns and of the response;
#'     the two classes coded -1 and 1, or `NULL`}
#'   \item{`blueprint`, `formula`, `intercept`}{how new data become a design; the formula, or
#'     `NULL`; `FALSE` if it says `- 1`}
#'   \item{`dropped`, `lost`}{number of incomplete rows that were left out (`NA` in `m[i]`, as they
#'     are not counted by domain); the domains that had no complete row}
#'   \item{`engine`, `seconds`}{the engine that read the rows, and the seconds it took}
#' }
#' With `sql_only`, a named character vector of queries. `m[i]`: the moments of some domains.
#' `merge()`: the moments of the rows of both objects, cells of the same domain and fold put together. `as.list()`: a
#' list for each cell with `domain`, `fold`, `n`, `weight`, `mean_x`, `mean_y`, and the products
#' `xx`, `xy`, `yy`. `as.data.frame()`: a row for each cell and column, the response last, with `mean` and the
#' products with all columns; `moments()` of that table, or of the tables of several sites bound by row, gives the
#' moments back, so they can be sent as a CSV file. Terms of a formula with
#' functions other than `log()`, `exp()`, `sqrt()` and `abs()`, and factors with contrasts of their own, come back as
#' columns of numbers: [predict()] then takes a matrix with these names.
#' @section Errors: When a database or chunk reader fails, the error has the class
#' `transelect_error_moments` and names the query or chunk. Nothing is kept: open results are
#' cleared, and a transaction that was begun is ended.
#' @references
#' Chan, T. F., Golub, G. H. and LeVeque, R. J. (1983). Algorithms for computing the sample
#' variance: analysis and recommendations. *The American Statistician* 37(3), 242-247.
#' \doi{10.1080/00031305.1983.10483115}
#'
#' Foster, D., Kakade, S. and Salakhutdinov, R. (2012). Domain adaptation: a small sample
#' statistical approach. *AISTATS*, PMLR 22, 960-968: selection from the
#' moments of domains.
#' <https://proceedings.mlr.press/v22/foster12.html>
#' @seealso [greedytl()], [tgreedy()], [tlcp()], [msplit()], [dissimilarity()], [selection_frequency()] and
#'   [cv_path()], which take moments
#' @section With a family: Where the response has a likelihood of its own, the moments of a domain are its
#'   log-likelihood to second order: an object of class `transfer_estimates` (see [estimates()]), which is
#'   given to [tlcp()] as `sources`. It holds what `print()` shows - rows, events, their exposure (trials, or
#'   time by the offset), coefficients, means and
#'   standard deviations of the columns, first levels of factors - and the information matrix of the
#'   coefficients, a few kilobytes; `as.data.frame()` and [estimates()] write and read it as a table, and
#'   `c()` puts sites together. Moments of few rows can disclose data of a single row: below 10 rows there is a warning.
#'
#'   Without `at` the likelihood is expanded where the site's own likelihood is largest: the first round. In a further
#'   round `at` has the site's coefficients in the last fit of the centre (`coef(fit, domain = site)`); `print()` of the
#'   fit writes the call. A few rounds lead to the fit on all rows. They reach it exactly where
#'   [tlcp()] fits one model: with `units = "own"` or `"common"` and `guard = FALSE`. Where it averages over models,
#'   each model has a mode of its own, while the expansion is at one point between them, so the coefficients stay a
#'   little away from those of all rows. The means and standard deviations of the site are known, so its
#'   coefficients may also be compared in its own units (see [tlcp()]).
#' @examples
#' # what a hospital may send instead of its rows
#' site <- moments(case ~ age + parity + spontaneous, data = infert, family = "binomial")
#' site
#'
#' cars <- transform(mtcars, gear = factor(gear))
#' m <- moments(mpg ~ wt + log(hp) + gear, data = cars, domain = cyl)
#' m
#' m["4"]$mean
#'
#' # the same rows in two chunks
#' at <- 0
#' reader <- function(reset) {
#'   at <<- if (reset) 0 else at + 1
#'   if (at %in% 1:2) cars[16 * (at - 1) + 1:16, ]
#' }
#' all.equal(moments(mpg ~ wt + log(hp) + gear, data = reader, domain = cyl)$cross, m$cross)
#'
#' # and in a database
#' if (requireNamespace("RSQLite", quietly = TRUE)) {
#'   con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#'   DBI::dbWriteTable(con, "cars", mtcars)
#'   print(moments(mpg ~ wt + hp, data = con, table = "cars", domain = "cyl", fold = "carb"))
#'   writeLines(moments(mpg ~ wt, data = con, table = "cars", sql_only = TRUE))
#'   DBI::dbDisconnect(con)
#' }
#' @order 1
#' @export
moments <- function(x, ...) UseMethod("moments")

#' @rdname moments
#' @order 2
#' @export
moments.default <- function(x, y, domain = NULL, fold = NULL, weights = NULL, family = NULL, at = NULL,
                            offset = NULL, strata = NULL, ...) {
  call <- check_arguments()
  if (check_family_arguments(family, list(at = at, offset = offset, strata = strata, fold = fold), call)) {
    frame <- frame_default(x, y, weights = weights, domain = domain, family = family, offset = offset,
                           strata = strata, call = call)
    return(family_moments(frame, at, call))
  }
  table <- is.data.frame(x) && all(c("domain", "weight", "response", "term", "mean") %in% names(x))
  if (missing(y) && table) return(moments_of_table(x, call))
  start <- proc.time()[["elapsed"]]
  if (missing(y)) {
    if (is.data.frame(x) && all(c("domain", "term", "gradient") %in% names(x))) {
      abort_input("{.arg x} is a table of moments with a {.arg family}, or of estimates.", "x",
                  i = "Give it to {.fn estimates}, and what that returns to {.fn tlcp} as {.arg sources}.", call = call)
    }
    abort_missing("y", "Give one response for each row of {.arg x}.", call)
  }
  kind <- if (is.data.frame(x)) "data frame" else if (is.matrix(x)) "matrix" else "sparse matrix"
  built <- design_from_data(x, call = call)
  n <- nrow(built$x)
  y <- check_moment_response(y, n, call)
  domain <- check_key(domain, "domain", n, call)
  fold <- check_key(fold, "fold", n, call)
  weights <- check_weight_column(check_key(weights, "weights", n, call), call)
  columns <- all_labels(built$blueprint)
  if (n == 0) abort_no_rows(0, columns, call)
  sums <- add_up(built$x, y$values, domain = domain, fold = fold, weights = weights, columns = columns,
                 response = "y", call = call)
  if (!length(sums$cells)) abort_no_rows(sums$dropped, columns, call)
  refuse_tiny(sums, built$x, columns, call)
  model <- list(columns = columns, response = "y", classes = y$classes,
                blueprint = built$blueprint, intercept = TRUE)
  new_moments(sums, model, kind, start)
}

#' @rdname moments
#' @order 3
#' @export
moments.formula <- function(formula, data, domain = NULL, fold = NULL, weights = NULL,
                            method = c("auto", "sql", "stream"), chunk_rows = NULL, table = NULL,
                            levels = NULL, sql_only = FALSE, family = NULL, at = NULL, offset = NULL,
                            ...) {
  call <- check_arguments()
  matched <- as.list(match.call())
  if (check_family_arguments(family, list(at = at, offset = matched$offset, fold = matched$fold), call)) {
    if (missing(data) || !is.data.frame(data)) {
      abort_input("{.arg data} is no data frame, and {.arg family} is {.val {family}}.", "data",
                  i = "Give a data frame: moments of a likelihood are computed from all rows at once.", call = call)
    }
    frame <- frame_formula(formula, data, matched, stats::na.omit, family = family, env = parent.frame(), call = call)
    return(family_moments(frame, at, call))
  }
  start <- proc.time()[["elapsed"]]
  check_formula(formula, NULL, call)
  if (missing(data)) abort_missing("data", DATA_WANTED, call)
  given <- column_roles(matched[c("domain", "fold", "weights")], data, parent.frame(),
                        call)
  data <- given$data
  if (inherits(data, "AsIs")) class(data) <- setdiff(class(data), "AsIs")
  given$roles["domain"] <- list(domain_of_groups(data, given$roles$domain, call))
  ask <- list(
    formula = formula, levels = check_levels(levels, call), table = table, call = call,
    roles = check_roles(given$roles, call),
    method = check_choice(method, c("auto", "sql", "stream"), "method", call),
    chunk_rows = if (!is.null(chunk_rows)) check_number(chunk_rows, "chunk_rows", 1, call, TRUE),
    sql_only = check_flag(sql_only, "sql_only", call)
  )
  found <- moments_from(ask, data)
  if (ask$sql_only) return(found)
  coder <- found$coder
  model <- list(
    columns = coder$blueprint$columns, response = coder$response, classes = coder$classes,
    blueprint = coder$blueprint, intercept = coder$intercept, formula = light_formula(formula)
  )
  new_moments(found$sums, model, found$engine, start)
}

DATA_WANTED <- paste(
  "Give a data frame, a chunk reader {.code function(reset)}, a database connection with",
  "{.arg table}, a {.pkg dbplyr} table or an Arrow Dataset."
)

# list(sums, coder, engine), or with sql_only the queries.
moments_from <- function(ask, data) {
  if (is_database(data)) return(moments_from_database(ask, data))
  if (ask$sql_only || ask$method == "sql" || !is.null(ask$table)) {
    what <- if (ask$sql_only) "sql_only" else if (is.null(ask$table)) "method" else "table"
    abort_input("{.arg {what}} is given, but {.arg data} is {.obj_type_friendly {data}}.", what,
                i = "Leave {.arg {what}} out: it is for database connections and tables.", call = ask$call)
  }
  if (is.data.frame(data)) return(moments_from_frame(ask, data))
  if (is.function(data)) {
    reader <- function_reader(data, ask$call)
    columns <- NULL
  } else if (is_remote(data)) {
    rlang::check_installed("arrow", "to read Arrow data")
    columns <- model_columns(ask, names(data))
    rows <- chunk_rows(ask, length(columns$all))
    reader <- arrow_reader(data, columns$all, rows, ask$call)
  } else {
    abort_kind(data, "data", DATA_WANTED, ask$call)
  }
  c(stream_moments(ask, reader, columns), engine = reader$label)
}

moments_from_frame <- function(ask, data) {
  refuse_nameless(data, "data", ask$call)
  check_names(names(data), "data", ask$call)
  columns <- model_columns(ask, names(data))
  complete <- complete_rows(data, columns)
  if (!length(complete)) abort_no_rows(nrow(data), columns$all, ask$call)
  seen <- as.data.frame(data)[complete, columns$all, drop = FALSE]
  coder <- make_coder(ask, columns, seen, function(unknown) lapply(seen[unknown], function(v) sort(unique(v))),
                      whole = TRUE)
  reader <- frame_reader(seen, at_once = !columns$wide)
  found <- stream_moments(ask, reader, columns, coder)
  found$sums$dropped <- found$sums$dropped + nrow(data) - length(complete)
  if (!is.null(ask$roles$domain)) {
    found$sums$lost <- union(found$sums$lost, known_cells(data[[ask$roles$domain]]))
  }
  c(found, engine = reader$label)
}

# ---- checks -----------------------------------------------------------------------------------

# The columns for domain, fold and weights, given by their bare name, as a string or as a vector with a value for each
# row, which is added to the data frame as a column: list(roles, data), roles being names of columns.
column_roles <- function(expressions, data, env, call) {
  names(expressions) <- c("domain", "fold", "weights")
  known <- if (is.data.frame(data) || inherits(data, "tbl_lazy")) colnames(data) else
    if (is_remote(data) && !is_database(data)) names(data)
  roles <- list(domain = NULL, fold = NULL, weights = NULL)
  for (name in names(expressions)) {
    value <- plain_number(role_value(expressions[[name]], known, if (is.data.frame(data)) data, env, name, call))
    if (is.data.frame(data) && length(value) > 1 && is.null(dim(value)) &&
          length(value) == nrow(data) && is.atomic(value)) {
      column <- paste0("(", name, ")")
      data[[column]] <- value
      value <- column
    }
    roles[name] <- list(value)
  }
  list(roles = roles, data = data)
}

# The name of one of these columns, or the vector given. known: the names of the columns of the data, NULL where these
# are not known yet.
role_value <- function(expression, known, rows, env, argument, call) {
  if (!is.name(expression)) {
    return(tryCatch(eval(expression, rows, env), error = function(error) {
      message <- conditionMessage(error)
      abort_input("{.arg {argument}} could not be evaluated: {message}", argument,
                  i = "Give the name of a column of {.arg data}.", call = call)
    }))
  }
  name <- as.character(expression)
  if (name %in% known) return(name)
  value <- get0(name, envir = env)
  unknown <- is.null(known) && !is.null(value) && !rlang::is_string(value)
  absent <- is.null(value) && !exists(name, envir = env)
  if (!is.null(known) && (absent || is.function(value))) {
    abort_input("{.arg data} has no column {.val {name}}, given as {.arg {argument}}.", argument,
                i = "Give one of {.val {utils::head(known, 20)}}.", call = call)
  }
  if (unknown || absent) name else value
}

check_roles <- function(roles, call) {
  for (name in names(roles)) {
    value <- roles[[name]]
    if (is.null(value) || rlang::is_string(value)) next
    abort_kind(value, name, "Give the name of a column of {.arg data}, bare or as a string, with a formula.", call)
  }
  given <- unlist(roles)
  if (anyDuplicated(given)) {
    twice <- names(given)[given == given[duplicated(given)][1]]
    abort_input("{.arg {twice}} are the same column.", twice[1],
                i = "Give each a column of its own.", call = call)
  }
  roles
}

check_key <- function(key, argument, n, call) {
  if (is.null(key)) return(NULL)
  key <- one_column(key)
  if (length(key) != n || !is.null(dim(key)) || is.list(key)) {
    abort_rows(key, argument, "Give one value for each of the {n} rows.", call)
  }
  key
}

# The response y of moments(x, y), checked: list(values, classes), classes being NULL for numbers.
check_moment_response <- function(y, n, call) {
  y <- one_column(y)
  refuse_unequal(y, "y", n, "x", call)
  coder <- list(response = "y", call = call)
  coder$classes <- response_classes(y, coder)
  values <- code_response(y, coder)
  finite <- values[is.finite(values)]
  if (length(finite) && min(finite) < max(finite)) check_response_size(range(finite), "", call)
  list(values = values, classes = coder$classes)
}

# ---- of a likelihood -----------------------------------------------------------------------------

# moments(family = ): for a response with a likelihood, the log-likelihood of each domain to second order, as a site of
# estimates.R.

family_moments <- function(frame, at, call) {
  n <- seq_len(frame_nobs(frame))
  rows <- if (is.null(frame$domain)) list(source1 = n) else split(n, used_levels(frame$domain))
  place <- if (is.list(at)) match_names(names(rows), names(at))
  if (is.list(at) && (anyNA(place) || length(at) != length(rows))) {
    abort_input("{.arg at} is a list with {.val {names(at)}}, and the domains are {.val {names(rows)}}.", "at",
                i = "Give coefficients for each domain, by name.", call = call)
  }
  if (is.list(at)) names(at)[place] <- names(rows)
  sites <- Map(function(name, i) {
    own <- frame_rows(frame, i)
    own$domain <- NULL
    site_of_rows(own, name, if (is.list(at)) at[[name]] else at, call)
  }, names(rows), rows)
  few <- names(rows)[lengths(rows) < DISCLOSING]
  if (length(few)) {
    cli::cli_warn(c(
      "Moments of fewer than {DISCLOSING} rows disclose much of them: {.val {few}}.",
      i = "Put domains together, or do not send them."
    ), class = "transelect_warning_disclosure", call = call)
  }
  new_estimates(sites)
}

DISCLOSING <- 10

# The site of a frame: its log-likelihood expanded at the named coefficients `at`, or where it is largest.
site_of_rows <- function(frame, name, at, call) {
  part <- family_part(frame, name)
  if (is_degenerate(part, frame$family)) {
    abort_degenerate(frame$family, if (name == "source1") NO_DOMAIN else name, call)
  }
  sums <- domain_sums(feature_cells(frame, NO_DOMAIN, call), TRUE)
  at_columns <- seq_len(frame$blueprint$p)
  spread <- sums$spread[at_columns, 1]
  mean <- sums$mean[at_columns, 1]
  columns <- column_labels(frame$blueprint$columns, at_columns)
  scale <- ifelse(spread > 0, spread, 1)
  intercept <- frame$intercept && frame$family != "cox"
  Z <- (as.matrix(part$x) - rep(mean, each = part$n)) / rep(scale, each = part$n)
  if (intercept) Z <- cbind(Z, 1)
  domain <- list(name = name, Z = unname(Z), add = part$offset)
  domain <- c(domain, part[setdiff(names(part), c("x", "name"))])
  # theta are the coefficients for standardised columns: slopes times scale, and the level at the means
  to <- diag(c(scale, if (intercept) 1), ncol(Z))
  if (intercept) to[ncol(Z), at_columns] <- mean
  theta <- if (is.null(at)) {
    largest_likelihood(frame$family, domain, call)
  } else {
    drop(to %*% given_coefficients(at, c(columns, if (intercept) "(Intercept)"), call))
  }
  terms <- domain_terms(frame$family, domain, theta)
  J <- crossprod(to, terms$information %*% to)
  g <- drop(crossprod(to, terms$score + drop(terms$information %*% theta)))
  order <- c(if (intercept) ncol(Z), at_columns)
  J <- ((J + t(J)) / 2)[order, order, drop = FALSE]
  exposure <- switch(frame$family, binomial = sum(part$w), poisson = sum(part$w * exp(part$offset)), NA_real_)
  events <- if (frame$family == "cox") part$risk$events else sum(part$w * part$y)
  new_site(c(if (intercept) "(Intercept)", columns), J, g[order],
           list(n = part$n, events = events, exposure = exposure, family = frame$family),
           mean = c(if (intercept) NA, mean), sd = c(if (intercept) NA, spread),
           reference = blueprint_reference(frame$blueprint) %||% terms_reference(frame$blueprint),
           about = paste("moments at", if (is.null(at)) "the largest likelihood" else "given coefficients"))
}

given_coefficients <- function(at, terms, call) {
  lacking <- setdiff(terms, names(at))
  if (!is.numeric(at) || length(lacking) || any(!is.finite(at[terms]))) {
    what <- if (length(lacking)) "{.arg at} has no coefficient of {.val {lacking}}." else
      "{.arg at} is {.obj_type_friendly {at}} with missing values."
    abort_input(what, "at", i = "Give a number for each of the terms, as {.fn coef} of the centre's fit.",
                call = call)
  }
  unname(at[terms])
}

# The coefficients of largest likelihood by Newton's method; 0 for columns that are linear combinations of others.
largest_likelihood <- function(family, domain, call) {
  theta <- numeric(ncol(domain$Z))
  if (family != "cox" && ncol(domain$Z)) theta[ncol(domain$Z)] <- null_level(family, list(domain))
  value <- domain_log_lik(family, domain, theta)
  for (step in seq_len(FAMILY_STEPS)) {
    terms <- domain_terms(family, domain, theta)
    move <- least_squares_by(terms$information, terms$score)$coef
    if (!all(is.finite(move))) break
    share <- 1
    enough <- value - 1e-12 * abs(value)
    while (share > 1e-8 && !isTRUE(domain_log_lik(family, domain, theta + share * move) >= enough)) {
      share <- share / 2
    }
    theta <- theta + share * move
    gain <- -value
    value <- domain_log_lik(family, domain, theta)
    reach <- newton_reach(list(domain), as.matrix(theta), as.matrix(share * move))
    if (reach < ROUNDING / 100) return(theta)
    if (newton_idle(2 * (gain + value), value, domain$w) && reach > MOVING) break
  }
  abort_input("The likelihood has no maximum{in_domain(domain$name)}: the response is separated by the columns.",
              "family", i = "Give {.arg at}, coefficients at which it is expanded, such as those of the centre's fit,
                             or zeros: then it need not have one.", call = call)
}

# Is a likelihood to be expanded? An error where an argument does not suit that. given: the arguments that need a
# family, and `fold`, which must not be given with one.
check_family_arguments <- function(family, given, call) {
  family <- check_family(family, call)
  yes <- by_likelihood(family)
  wrong <- names(given)[!vapply(given, is.null, NA) & (names(given) == "fold") == yes]
  if (length(wrong) && (yes || any(wrong != "fold"))) {
    what <- if (yes) "with a {.arg family}" else "without a {.arg family}"
    abort_input(paste0("{.arg {wrong[1]}} is given ", what, "."), wrong[1],
                i = if (yes) "Leave it out: folds are made where the rows are." else
                  "Leave it out: it is for {.code family = \"binomial\"}, {.val poisson} or {.val cox}.", call = call)
  }
  yes
}

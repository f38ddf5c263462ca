#' Second moments by domain and fold, also of data that do not fit into memory
#'
#' Computes counts, means and centred products of features and response, for each domain and fold: `m <- moments(y ~ .,
#' data = d, domain = hospital)`, then `tgreedy(m)`. Use it if the rows may not leave their site (`merge()` combines the
#' moments of several sites), or if they do not fit into memory: they may be in a database, an Arrow dataset or a file
#' that is read in chunks. For data in memory the fitters take the rows themselves and can do more. Methods for squared
#' loss need nothing but moments: [greedytl()], [tgreedy()], [tlcp()], [msplit()] (one response, no more columns than
#' rows), [dissimilarity()] and [selection_frequency()] take moments in place of data, and [cv_path()] uses their folds
#' or domains. For odds, rates and hazards give a `family`.
#'
#' @section Engines: Matrices, data frames, chunk readers and Arrow data are added up in C, chunk by chunk. The memory
#' needed is that of one chunk plus (p + 1)^2 numbers per cell (domain and fold). For a database there are two ways:
#' * `"sql"`: the database computes the sums, one `SELECT ... GROUP BY domain, fold` per 1500 products, and only the
#'   sums are transferred. Factors become `CASE WHEN` columns. `log()`, `exp()`, `sqrt()`, `abs()` and arithmetic inside
#'   `I()` or inside these functions are translated. The translation is checked on the first rows, and so is how the
#'   database reads text and numbers in double precision.
#' * `"stream"`: the rows are fetched `chunk_rows` at a time, for any formula whose terms depend on one row at a time.
#'
#' `"auto"` is `"sql"` up to 10 columns in SQLite, 25 in PostgreSQL and MySQL and 100 elsewhere (DuckDB, warehouses), if
#' the formula can be translated; else `"stream"`. A row costs p^2/2 products in the database, or p numbers to fetch, so
#' with more columns fetching is faster (`bench/moments.R` in the package's repository). PostgreSQL's just-in-time
#' compiler is switched off for these queries, since compiling takes longer than the sums. Some drivers hold a whole
#' result in memory (RMySQL, duckdb); `"stream"` then needs this memory. From 'RPostgreSQL' the rows are fetched through
#' a cursor to avoid it.
#'
#' @section Numbers: Raw squares lose all digits if a mean is large, so they are never added up. In C each block of rows
#' is centred at its own mean, and blocks are combined by the formula of Chan, Golub and LeVeque. In SQL a value of one
#' of the first rows is subtracted from each column, in double precision; if the mean of a column in some cell is far
#' from this value, the column is summed again with the cell means subtracted. All ways agree to about 12 digits,
#' relative to the products of the standard deviations.
#'
#' @section Rows left out: A row with a missing value (`NA`, `NaN`, `NULL`) in any column of the model, domain, fold or
#' weights is left out and counted in `dropped`. (`NaN` in a PostgreSQL column is not `NULL`: with `"sql"` it is an
#' error. A term that a database evaluates to `NULL`, such as 1/0 in SQLite, is missing.) Rows of weight 0 are not
#' counted at all.
#'
#' @param x,object Numeric matrix, sparse matrix or data frame of features, n x p; or the data frame that
#'   `as.data.frame()` made from moments. For the methods: an object of class `moments`.
#' @param y Response: n numbers, or a factor (or characters or logicals) of two classes, coded -1
#'   and 1; in `merge()` a second object of class `moments`.
#' @param formula `response ~ features`; `y ~ .` takes all columns except domain, fold and weights. Factors and
#'   characters are coded as in [lm()].
#' @param data A data frame; a chunk reader; a connection from `DBI::dbConnect()`, with `table`; a table of 'dbplyr'
#'   (`dplyr::tbl()`); or an Arrow Dataset, Table, query or record batch reader. If a data frame or table is grouped by
#'   one column, this column is the domain. A chunk reader is a `function(reset)`: with `reset = TRUE` it goes back to
#'   the first row (its value is ignored), with `reset = FALSE` it returns the next rows as a data frame, and `NULL` at
#'   the end.
#' @param domain,fold For `x` and `y`: n values each. With a formula: a column of `data`, by its bare
#'   name or as a string; for a data frame also a vector of n values. `NULL`: one domain, called
#'   "all"; no folds.
#' @param weights For `x` and `y`: n numbers, not negative. With a formula: a column, as `domain`.
#' @param method,chunk_rows `"auto"`, `"sql"` or `"stream"`, see below, and the number of rows fetched at a
#'   time (`NULL`: 100,000, fewer for many columns; at most 1e7 numbers, since drivers make room for
#'   as many rows as they are asked for).
#' @param table The name of the table, a string; `DBI::Id()`; or `DBI::SQL("SELECT ...")`.
#' @param levels Named list: the levels of columns that become factors. Without it, factors have their own levels, and
#'   the levels of text columns are found in a separate pass over the (complete) rows.
#' @param sql_only `TRUE`: return the queries instead of the moments.
#' @param family `NULL`, or `"binomial"`, `"poisson"` or `"cox"`: see below.
#' @param at With a `family`: `NULL`, or named coefficients at which the likelihood is expanded; for several
#'   domains also a list of these by domain.
#' @param offset,strata With a `family`: as in [tlcp()].
#' @param i Domains: names or numbers.
#' @param ... Not used; anything given is an error.
#' @returns `moments()`: an object of class `moments`, a list with
#' \describe{
#'   \item{`cells`}{data frame, one row per cell: `domain`, `fold` (`NA` without folds), `n` (rows), `weight` (the sum
#'     of their weights; `n` without weights), `log_weight` (the sum of the logarithms of the weights, which [logLik()]
#'     needs; `NA` if a database has no logarithm)}
#' \item{`mean`, `rest`}{cells x (p + 1) matrices, the response last: the means, and what is lost in rounding them to
#'   double precision (`merge()` needs it if means are large)}
#' \item{`cross`}{list, for each cell the (p + 1) x (p + 1) matrix of (weighted) sums of products about the cell's own
#'   means, the response last}
#' \item{`columns`, `response`, `classes`}{names of the features and of the response; the two classes coded -1 and
#'   1, or `NULL`}
#'   \item{`blueprint`, `formula`, `intercept`}{how new data become a design; the formula, or
#'     `NULL`; `FALSE` if it says `- 1`}
#'   \item{`dropped`, `lost`}{number of incomplete rows that were left out (`NA` in `m[i]`, as they
#'     are not counted by domain); the domains that had no complete row}
#'   \item{`engine`, `seconds`}{the engine that read the rows, and the seconds it took}
#' }
#' With `sql_only`, a named character vector of queries. `m[i]`: the moments of some domains. `merge()`: the moments of
#' the rows of both objects; cells of the same domain and fold are combined. `as.list()`: one list per cell with
#' `domain`, `fold`, `n`, `weight`, `mean_x`, `mean_y`, and the products `xx`, `xy`, `yy`. `as.data.frame()`: one row
#' per cell and column, the response last, with `mean` and the products with all columns. `moments()` of this table, or
#' of the tables of several sites bound by row, gives the moments back, so they can be sent as a CSV file. Terms of a
#' formula with functions other than `log()`, `exp()`, `sqrt()` and `abs()`, and factors with contrasts of their own,
#' come back as columns of numbers: [predict()] then takes a matrix with these names.
#' @section Errors: When a database or chunk reader fails, the error has the class `transelect_error_moments` and names
#' the query or chunk. Open results are cleared, and a transaction that was begun is ended.
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
#' @section With a family: With a `family` the moments of a domain are its log-likelihood to second order: an object of
#'   class `transfer_estimates` (see [estimates()]), which you give to [tlcp()] as `sources`. It holds what `print()`
#'   shows (rows, events, their exposure: trials, or time by the offset; coefficients; means and standard deviations of
#'   the columns; first levels of factors) and the information matrix of the coefficients: a few kilobytes.
#'   `as.data.frame()` and [estimates()] write and read it as a table, and `c()` combines sites. Moments of few rows can
#'   disclose data of a single row: below 10 rows there is a warning.
#'
#' Without `at` the likelihood is expanded at the site's own maximum: the first round. In a further round `at` has the
#' site's coefficients in the last fit of the centre (`coef(fit, domain = site)`); `print()` of the fit writes the call.
#' After a few rounds the fit is the fit to all rows. It is exactly this fit if [tlcp()] uses one model: with `units =
#' "own"` or `"common"` and `guard = FALSE` of [tlcp_control()]. If `tlcp()` averages over models, each model has its
#' own mode, but the expansion is at one point between them, so the coefficients remain slightly different from those of
#' all rows. The means and standard deviations of the site are known, so its coefficients can also be compared
#' in its z-scores.
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
moments <- function(x, ...) {
  if (!is.null(call <- arguments_formula_first())) return(eval(call, parent.frame()))
  UseMethod("moments")
}

#' @rdname moments
#' @order 2
#' @export
moments.default <- function(x, y, domain = NULL, fold = NULL, weights = NULL, family = NULL, at = NULL,
                            offset = NULL, strata = NULL, ...) {
  call <- arguments_check()
  if (moments_family_check_arguments(family, list(at = at, offset = offset, strata = strata, fold = fold), call)) {
    frame <- frame_default(x, y, weights = weights, domain = domain, family = family, offset = offset,
                           strata = strata, call = call)
    return(moments_family(frame, at, call))
  }
  table <- is.data.frame(x) && all(c("domain", "weight", "response", "term", "mean") %in% names(x))
  if (missing(y) && table) return(moments_table_read(x, call))
  start <- proc.time()[["elapsed"]]
  if (missing(y)) {
    if (is.data.frame(x) && all(c("domain", "term", "gradient") %in% names(x))) {
      abort_input("{.arg x} is a table of moments with a {.arg family}, or of estimates.", "x",
                  i = "Read it by {.fn estimates}, and give the result to {.fn tlcp} as {.arg sources}.", call = call)
    }
    abort_missing("y", "Give one response for each row of {.arg x}.", call)
  }
  kind <- if (is.data.frame(x)) "data frame" else if (is.matrix(x)) "matrix" else "sparse matrix"
  built <- frame_design_from_data(x, call = call)
  n <- nrow(built$x)
  y <- moments_check_response(y, n, call)
  domain <- moments_check_key(domain, "domain", n, call)
  fold <- moments_check_key(fold, "fold", n, call)
  weights <- moments_model_check_weights(moments_check_key(weights, "weights", n, call), call)
  columns <- labels_of_all_columns(built$blueprint)
  if (n == 0) moments_stream_abort_no_rows(0, columns, call)
  sums <- moments_rows_add(built$x, y$values, domain = domain, fold = fold, weights = weights, columns = columns,
                           response = "y", call = call)
  if (!length(sums$cells)) moments_stream_abort_no_rows(sums$dropped, columns, call)
  frame_moments_refuse_tiny(sums, built$x, columns, call)
  model <- list(columns = columns, response = "y", classes = y$classes,
                blueprint = built$blueprint, intercept = TRUE)
  moments_object_new(sums, model, kind, start)
}

#' @rdname moments
#' @order 3
#' @export
moments.formula <- function(formula, data, domain = NULL, fold = NULL, weights = NULL,
                            method = c("auto", "sql", "stream"), chunk_rows = NULL, table = NULL,
                            levels = NULL, sql_only = FALSE, family = NULL, at = NULL, offset = NULL,
                            ...) {
  call <- arguments_check()
  matched <- as.list(match.call())
  if (moments_family_check_arguments(family, list(at = at, offset = matched$offset, fold = matched$fold), call)) {
    if (missing(data) || !is.data.frame(data)) {
      abort_input("{.arg data} is not a data frame, and {.arg family} is {.val {family}}.", "data",
                  i = "Give a data frame: moments of a likelihood are computed from all rows at once.", call = call)
    }
    frame <- frame_formula(formula, data, matched, stats::na.omit, family = family, env = parent.frame(), call = call)
    return(moments_family(frame, at, call))
  }
  start <- proc.time()[["elapsed"]]
  frame_formula_check(formula, NULL, call)
  if (missing(data)) abort_missing("data", DATA_WANTED, call)
  given <- moments_column_roles(matched[c("domain", "fold", "weights")], data, parent.frame(),
                                call)
  data <- given$data
  if (inherits(data, "AsIs")) class(data) <- setdiff(class(data), "AsIs")
  given$roles["domain"] <- list(frame_groups_domain(data, given$roles$domain, call))
  ask <- list(
    formula = formula, levels = moments_stream_check_levels(levels, call), table = table, call = call,
    roles = moments_check_roles(given$roles, call),
    method = check_choice(method, c("auto", "sql", "stream"), "method", call),
    chunk_rows = if (!is.null(chunk_rows)) check_number(chunk_rows, "chunk_rows", 1, call, TRUE),
    sql_only = check_flag(sql_only, "sql_only", call)
  )
  found <- moments_from(ask, data)
  if (ask$sql_only) return(found)
  coder <- found$coder
  model <- list(
    columns = coder$blueprint$columns, response = coder$response, classes = coder$classes,
    blueprint = coder$blueprint, intercept = coder$intercept, formula = arguments_methods_light_formula(formula)
  )
  moments_object_new(found$sums, model, found$engine, start)
}

DATA_WANTED <- paste(
  "Give a data frame, a chunk reader {.code function(reset)}, a database connection with",
  "{.arg table}, a {.pkg dbplyr} table or an Arrow Dataset."
)

# list(sums, coder, engine), or with sql_only the queries.
moments_from <- function(ask, data) {
  if (frame_design_is_database(data)) return(moments_query_moments(ask, data))
  if (ask$sql_only || ask$method == "sql" || !is.null(ask$table)) {
    what <- if (ask$sql_only) "sql_only" else if (is.null(ask$table)) "method" else "table"
    abort_input("{.arg {what}} is given, but {.arg data} is {.obj_type_friendly {data}}.", what,
                i = "Leave {.arg {what}} out: it is for database connections and tables.", call = ask$call)
  }
  if (is.data.frame(data)) return(moments_from_frame(ask, data))
  if (is.function(data)) {
    reader <- moments_stream_function_reader(data, ask$call)
    columns <- NULL
  } else if (frame_design_is_remote(data)) {
    rlang::check_installed("arrow", "to read Arrow data")
    columns <- moments_model_columns(ask, names(data))
    rows <- moments_stream_chunk_rows(ask, length(columns$all))
    reader <- moments_stream_arrow_reader(data, columns$all, rows, ask$call)
  } else {
    abort_kind(data, "data", DATA_WANTED, ask$call)
  }
  c(moments_stream_sums(ask, reader, columns), engine = reader$label)
}

moments_from_frame <- function(ask, data) {
  check_has_names(data, "data", ask$call)
  check_names(names(data), "data", ask$call)
  columns <- moments_model_columns(ask, names(data))
  complete <- moments_stream_complete_rows(data, columns)
  if (!length(complete)) moments_stream_abort_no_rows(nrow(data), columns$all, ask$call)
  seen <- as.data.frame(data)[complete, columns$all, drop = FALSE]
  coder <- moments_model_coder(ask, columns, seen, function(unknown) lapply(seen[unknown], function(v) sort(unique(v))),
                               whole = TRUE)
  reader <- moments_stream_frame_reader(seen, at_once = !columns$wide)
  found <- moments_stream_sums(ask, reader, columns, coder)
  found$sums$dropped <- found$sums$dropped + nrow(data) - length(complete)
  if (!is.null(ask$roles$domain)) {
    found$sums$lost <- union(found$sums$lost, moments_rows_known_cells(data[[ask$roles$domain]]))
  }
  c(found, engine = reader$label)
}

# The columns for domain, fold and weights, given by their bare name, as a string or as a vector with a value for each
# row, which is added to the data frame as a column: list(roles, data), roles being names of columns.
moments_column_roles <- function(expressions, data, env, call) {
  names(expressions) <- c("domain", "fold", "weights")
  known <- if (is.data.frame(data) || inherits(data, "tbl_lazy")) colnames(data) else
    if (frame_design_is_remote(data) && !frame_design_is_database(data)) names(data)
  roles <- list(domain = NULL, fold = NULL, weights = NULL)
  for (name in names(expressions)) {
    value <- table_plain_number(moments_role_value(expressions[[name]], known, if (is.data.frame(data)) data, env, name,
                                call))
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
moments_role_value <- function(expression, known, rows, env, argument, call) {
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

moments_check_roles <- function(roles, call) {
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

moments_check_key <- function(key, argument, n, call) {
  if (is.null(key)) return(NULL)
  key <- table_one_column(key)
  if (length(key) != n || !is.null(dim(key)) || is.list(key)) {
    abort_rows(key, argument, "Give one value for each of the {n} rows.", call)
  }
  key
}

# The response y of moments(x, y), checked: list(values, classes), classes being NULL for numbers.
moments_check_response <- function(y, n, call) {
  y <- table_one_column(y)
  check_same_length(y, "y", n, "x", call)
  coder <- list(response = "y", call = call)
  coder$classes <- moments_model_response_classes(y, coder)
  values <- moments_model_code_response(y, coder)
  finite <- values[is.finite(values)]
  if (length(finite) && min(finite) < max(finite)) response_check_size(range(finite), "", call)
  list(values = values, classes = coder$classes)
}

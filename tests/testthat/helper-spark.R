# Connections that quote, type and are called as those of Spark, and answer from SQLite. `asked` collects the
# queries. "Spark SQL" is that of the package odbc; "spark_connection" that of sparklyr, whose doubles are REAL,
# single precision in Spark, and whose texts stand in double quotes.
spark_connection <- function(data, table, class = "Spark SQL") {
  if (!methods::isClass("Spark SQL")) {
    where <- globalenv()
    methods::setClass("Spark SQL", methods::representation(behind = "environment"), where = where,
                      contains = getClass("DBIConnection", where = asNamespace("DBI")))
    methods::setClass("spark_connection", contains = "Spark SQL", where = where)
    on_spark <- function(generic, signature, f) methods::setMethod(generic, signature, f, where = where)
    on_spark(DBI::dbQuoteIdentifier, c("Spark SQL", "character"), function(conn, x, ...) {
      if (is(x, "SQL")) x else DBI::SQL(paste0("`", gsub("`", "``", x, fixed = TRUE), "`"))
    })
    on_spark(DBI::dbQuoteString, c("spark_connection", "character"), function(conn, x, ...) {
      DBI::SQL(paste0("\"", gsub("\"", "\\\\\"", x), "\""))
    })
    on_spark(DBI::dbDataType, "Spark SQL", function(dbObj, obj, ...) if (is.numeric(obj)) "DOUBLE" else "STRING")
    on_spark(DBI::dbDataType, "spark_connection", function(dbObj, obj, ...) if (is.numeric(obj)) "REAL" else "STRING")
    on_spark(DBI::dbSendQuery, c("Spark SQL", "character"), function(conn, statement, ...) {
      behind <- conn@behind
      behind$asked <- c(behind$asked, as.character(statement))
      DBI::dbSendQuery(behind$con, spark_as_sqlite(statement), ...)
    })
  }
  behind <- new.env()
  behind$con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbWriteTable(behind$con, table, data)
  methods::new(class, behind = behind)
}

# Spark reads texts in single or double quotes and backslashes as escapes, and joins texts that follow each
# other. Its REAL has so few digits that none will do here.
spark_as_sqlite <- function(statement) {
  statement <- gsub(" AS REAL)", " AS INTEGER)", statement, fixed = TRUE)
  statement <- gsub(" AS DOUBLE)", " AS REAL)", statement, fixed = TRUE)
  one <- "'([^'\\\\]|\\\\.)*'|\"([^\"\\\\]|\\\\.)*\""
  at <- gregexpr(paste0("`[^`]*`|(", one, ")+"), statement, perl = TRUE)
  regmatches(statement, at) <- lapply(regmatches(statement, at), vapply, function(found) {
    if (startsWith(found, "`")) return(found)
    texts <- regmatches(found, gregexpr(one, found, perl = TRUE))[[1]]
    text <- paste(gsub("\\\\(.)", "\\1", substr(texts, 2, nchar(texts) - 1)), collapse = "")
    paste0("'", gsub("'", "''", text, fixed = TRUE), "'")
  }, "")
  statement
}

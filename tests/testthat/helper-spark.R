# A connection that quotes, types and is called as Spark's, and answers from SQLite, which takes quotes by
# backtick too. `asked` collects the queries.
spark_connection <- function(data, table) {
  if (!methods::isClass("Spark SQL")) {
    where <- globalenv()
    methods::setClass("Spark SQL", methods::representation(behind = "environment"), where = where,
                      contains = getClass("DBIConnection", where = asNamespace("DBI")))
    on_spark <- function(generic, signature, f) methods::setMethod(generic, signature, f, where = where)
    on_spark(DBI::dbQuoteIdentifier, c("Spark SQL", "character"), function(conn, x, ...) {
      if (is(x, "SQL")) x else DBI::SQL(paste0("`", gsub("`", "``", x, fixed = TRUE), "`"))
    })
    on_spark(DBI::dbDataType, "Spark SQL", function(dbObj, obj, ...) if (is.numeric(obj)) "DOUBLE" else "STRING")
    on_spark(DBI::dbSendQuery, c("Spark SQL", "character"), function(conn, statement, ...) {
      behind <- conn@behind
      behind$asked <- c(behind$asked, as.character(statement))
      DBI::dbSendQuery(behind$con, gsub(" AS DOUBLE)", " AS REAL)", statement, fixed = TRUE), ...)
    })
  }
  behind <- new.env()
  behind$con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbWriteTable(behind$con, table, data)
  methods::new("Spark SQL", behind = behind)
}

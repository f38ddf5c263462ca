# Time of the search for the best subset of 40 correlated columns on real data. Only definitions.

real_forties <- function() {
  home <- new.env()
  utils::data("Sonar", "Satellite", package = "mlbench", envir = home)
  bands <- as.matrix(home$Sonar[1:40])
  pixels <- as.matrix(home$Satellite[1:36])
  list(
    `Boston, squares and products, 506 rows` = boston_problem(40),
    `Sonar, bands 1 to 40, 208 rows` =
      list(x = unname(bands), y = ifelse(home$Sonar$Class == "M", 1, -1)),
    `Satellite, 36 pixels and 4 squares, 6435 rows` =
      list(x = unname(cbind(pixels, pixels[, 17:20]^2)),
           y = as.numeric(home$Satellite$classes == "grey soil"))
  )
}

real_row <- function(name, problem, criterion) {
  fit <- NULL
  took <- vapply(1:3, function(i) {
    system.time(fit <<- tlcp(problem$x, problem$y, criterion = criterion, sizes = FALSE))[["elapsed"]]
  }, 0)
  data.frame(data = name, criterion = criterion,
             `largest correlation` = round(max(abs(stats::cor(problem$x)[upper.tri(diag(40))])), 3),
             chosen = length(fit$selected), nodes = fit$certificate$nodes,
             ms = round(1000 * stats::median(took)), complete = yes_no(fit$certificate$complete),
             check.names = FALSE)
}

part_real <- function() {
  problems <- real_forties()
  rows <- lapply(c("Cp", "BIC"), function(criterion) {
    Map(function(name, problem) real_row(name, problem, criterion), names(problems), problems)
  })
  section(
    "tlcp", "real", "The best subset of 40 correlated columns of real data",
    "Time of the R call, median of three.", paste0("(", machine(), ".)"), "",
    markdown_table(do.call(rbind, unlist(rows, recursive = FALSE)))
  )
}

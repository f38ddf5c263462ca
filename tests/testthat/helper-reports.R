# A fit of every method, and a cross-validation.
report_fits <- function() {
  set.seed(1)
  list(
    tlcp = tlcp(mpg ~ wt + hp + qsec, mtcars), greedytl = greedytl(mpg ~ wt + hp + qsec, mtcars),
    tgreedy = tgreedy(mpg ~ wt + hp + qsec, mtcars, domain = cyl),
    msplit = msplit(mpg ~ wt + hp + qsec, mtcars, nu = 5), shareboost = shareboost(Species ~ ., iris, max_steps = 2),
    cv = cv_path(mpg ~ wt + hp + qsec, mtcars, nfolds = 3)
  )
}

library(testthat)
library(transelect)

test_check("transelect")

test_that("systems of positive definite matrices are solved, one or many at a time", {
  for (m in c(1, 2, 7, 8, 9, 33)) {
    A <- crossprod(matrix(cos(seq_len(2 * m * m)^2), 2 * m))
    b <- matrix(sin(seq_len(m * 5)), m)
    expect_equal(.Call(C_spd_solve, A, b), solve(A, b), tolerance = 1e-9)
    expect_equal(.Call(C_spd_solve, A, b[, 2]), solve(A, b[, 2]), tolerance = 1e-9)
    expect_equal(.Call(C_spd_inverse, A), solve(A), tolerance = 1e-9)
    expect_identical(dim(.Call(C_spd_solve, A, b[, 0, drop = FALSE])), c(as.integer(m), 0L))
  }
})

test_that("matrices that are not positive definite are refused", {
  for (A in list(matrix(0, 1, 1), matrix(1, 2, 2), diag(c(1, -1)), matrix(NaN, 2, 2))) {
    expect_error(.Call(C_spd_inverse, A), "not positive definite")
    expect_error(.Call(C_spd_solve, A, rep(1, nrow(A))), "not positive definite")
  }
  expect_error(.Call(C_spd_inverse, matrix(1, 2, 3)), "square")
  expect_error(.Call(C_spd_solve, diag(3), 1:3 + 0.5), NA)
  expect_error(.Call(C_spd_solve, diag(3), c(1, 2)), "'b'")
})

# Naive moments, and the distance of other moments from them.

# For each cell list(n, weight, log_weight, mean, cross), by two passes over the rows. The first row is subtracted
# before means are taken, so that large means keep their digits.
naive_moments <- function(x, y, domain = NULL, fold = NULL, weights = NULL) {
  z <- cbind(as.matrix(x), y = y)
  n <- nrow(z)
  key <- paste(domain %||% rep("all", n), fold %||% rep("", n), sep = "/")
  w <- weights %||% rep(1, n)
  bad <- is.na(rowSums(z)) | is.na(w) | is.na(domain %||% 0) | is.na(fold %||% 0)
  lapply(split(which(!bad & w != 0), key[!bad & w != 0]), function(i) {
    first <- z[i[1], ]
    d <- sweep(z[i, , drop = FALSE], 2, first)
    m <- colSums(w[i] * d) / sum(w[i])
    d <- sweep(d, 2, m)
    list(n = length(i), weight = sum(w[i]), log_weight = sum(log(w[i])), mean = first + m,
         cross = crossprod(d, w[i] * d))
  })
}

# The largest difference of two matrices of products, relative to products of standard deviations.
cross_distance <- function(a, b) {
  s <- sqrt(diag(b))
  s[s == 0] <- 1
  max(abs(unname(a) - unname(b)) / outer(s, s))
}

# The largest cross_distance() over the cells of moments `m` and `expected`, which are moments or a naive list.
moments_distance <- function(m, expected) {
  if (inherits(expected, "moments")) {
    expect_equal(m$cells, expected$cells)
    expect_equal(m$columns, expected$columns)
    expect_lt(max(abs(m$mean - expected$mean) / (1 + abs(expected$mean))), 1e-13)
    return(max(mapply(cross_distance, m$cross, expected$cross)))
  }
  key <- paste(m$cells$domain, ifelse(is.na(m$cells$fold), "", m$cells$fold), sep = "/")
  expect_setequal(key, names(expected))
  max(vapply(seq_along(key), function(i) {
    cell <- expected[[key[i]]]
    expect_equal(m$cells$n[i], cell$n)
    expect_equal(m$cells$weight[i], cell$weight, tolerance = 1e-14)
    expect_equal(m$cells$log_weight[i], cell$log_weight, tolerance = 1e-12)
    expect_equal(unname(m$mean[i, ]), unname(cell$mean), tolerance = 1e-14)
    cross_distance(m$cross[[i]], cell$cross)
  }, 0))
}

# A table with large means, a constant, integers, missing values and classes.
draw_table <- function(seed = 1, n = 600, holes = TRUE) {
  with_seed(seed, {
    d <- data.frame(
      y = rnorm(n, 1e6), a = rnorm(n, 1e6), b = rnorm(n, 1e8), count = rpois(n, 4),
      same = 7.3, kind = sample(c("red", "it's", "blue"), n, TRUE),
      site = sample(c("A", "B", "C"), n, TRUE), f10 = sample(1:4, n, TRUE),
      w = sample(c(0, .5, 1, 2), n, TRUE)
    )
    d$level <- c(A = 1.1, B = -20, C = 1e7)[d$site]
    d$a <- d$a - 1e6 * (d$site == "C")
    if (holes) {
      d$a[c(3, 50, 51)] <- NA
      d$b[c(3, 4, n)] <- NA
      d$kind[c(50, 90)] <- NA
      d$site[100] <- NA
      d$f10[101] <- NA
      d$w[102] <- NA
      d$y[103] <- NA
    }
    d
  })
}

# A chunk reader of a data frame, which counts how often it goes back to the first row.
chunk_reader <- function(d, rows) {
  at <- 0
  rewound <- 0
  list(
    read = function(reset) {
      if (reset) {
        at <<- 0
        rewound <<- rewound + 1
        return(NULL)
      }
      if (at >= nrow(d)) return(NULL)
      i <- (at + 1):min(nrow(d), at + rows)
      at <<- at + rows
      d[i, , drop = FALSE]
    },
    rewound = function() rewound
  )
}

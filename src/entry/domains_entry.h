/* domains_entry.h - domains as second moments, made for R. */
#ifndef TRANSELECT_DOMAINS_ENTRY_H
#define TRANSELECT_DOMAINS_ENTRY_H

#include "args_entry.h"
#include "domain_moments.h"

/* A cell: list(n, weight, mean, cross) of q columns. */
domain_sums entry_cell(SEXP cell, size_t q);

/* A domain as a list, see transelect_domain_moments(). */
SEXP entry_domain(const domain_sums *sums, const domain_units *units, SEXP name);

/* A domain with its own level: list(yy, g, G, fit) of its rows centred about their means. The last coordinate of
 * `domain` is a column of ones. The products of columns that do not vary are 0. */
SEXP entry_own_level(SEXP domain, int intercept);

/* The domain with the products of `count` of its columns (numbers from 1) and the least squares fit to them; its means
 * and scales stay those of all columns. */
SEXP entry_domain_columns(SEXP domain, const int *columns, size_t count, int intercept);

#endif

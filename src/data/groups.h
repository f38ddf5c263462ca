/* groups.h - columns that enter a model together. */
#ifndef TRANSELECT_GROUPS_H
#define TRANSELECT_GROUPS_H

#include <stddef.h>

/* Columns by group: group g has the columns column[start[g]..start[g + 1] - 1], ascending. */
typedef struct {
  size_t n;
  const int *of; /* the group of every column */
  const size_t *start, *column;
} column_groups;

#endif

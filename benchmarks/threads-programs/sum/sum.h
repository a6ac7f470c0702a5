/* Sums of arrays by several threads. */
#ifndef SUM_H
#define SUM_H

#include <stddef.h>

#define SUM_THREADS 2

/* The sum of `count` numbers; each thread adds up a part of its own. */
long sum_by_parts(const int *numbers, size_t count);

/* The same, where threads take the next few numbers when they have time. */
long sum_by_turns(const int *numbers, size_t count, size_t few);

/* Running sums: `sums[i]` becomes the sum of the first `i + 1` numbers. */
void running_sums(const int *numbers, long *sums, size_t count);

#endif

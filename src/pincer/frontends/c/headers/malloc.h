#ifndef _MALLOC_H
#define _MALLOC_H
#include <stdlib.h>
#include <stdio.h>
struct mallinfo {
  int arena;
  int ordblks;
  int smblks;
  int hblks;
  int hblkhd;
  int usmblks;
  int fsmblks;
  int uordblks;
  int fordblks;
  int keepcost;
};
#define M_MMAP_THRESHOLD (-3)
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
void *memalign(size_t, size_t);
void *valloc(size_t);
void *pvalloc(size_t);
size_t malloc_usable_size(void *);
int malloc_trim(size_t);
void malloc_stats(void);
struct mallinfo mallinfo(void);
int mallopt(int, int);
#endif

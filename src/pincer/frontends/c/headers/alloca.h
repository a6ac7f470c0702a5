#ifndef _ALLOCA_H
#define _ALLOCA_H
#include <pincer/types.h>
void *alloca(size_t);
#define alloca(size) __builtin_alloca(size)
#endif

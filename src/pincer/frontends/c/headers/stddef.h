#ifndef _STDDEF_H
#define _STDDEF_H
#include <pincer/types.h>
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct {
  long long __first __attribute__((aligned(8)));
  long double __second __attribute__((aligned(16)));
#if __SIZEOF_POINTER__ == 4
  char __third[16] __attribute__((aligned(16)));
#endif
} max_align_t;
typedef void *nullptr_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

#ifndef _PINCER_WIDE_H
#define _PINCER_WIDE_H
typedef __WINT_TYPE__ wint_t;
typedef struct { int __count; unsigned int __value; } mbstate_t;
#define WEOF (0xffffffffU)
#endif

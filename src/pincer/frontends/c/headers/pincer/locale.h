#ifndef _PINCER_LOCALE_H
#define _PINCER_LOCALE_H
typedef struct __locale_struct *locale_t;
#endif

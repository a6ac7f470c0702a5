#ifndef _PINCER_SIGNALS_H
#define _PINCER_SIGNALS_H
typedef struct { unsigned long __bits[128 / sizeof(long)]; } __sigset_t;
typedef __sigset_t sigset_t;
#endif

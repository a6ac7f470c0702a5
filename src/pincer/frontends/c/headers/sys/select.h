#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H
#include <pincer/types.h>
#include <pincer/signals.h>
#define FD_SETSIZE 1024
#define NFDBITS (8 * (int)sizeof(long))
typedef long fd_mask;
typedef struct { long __bits[FD_SETSIZE / (8 * sizeof(long))]; } fd_set;
#define FD_SET(fd, set) ((void)((set)->__bits[(fd) / NFDBITS] |= (long)(1UL << ((fd) % NFDBITS))))
#define FD_CLR(fd, set) ((void)((set)->__bits[(fd) / NFDBITS] &= ~(long)(1UL << ((fd) % NFDBITS))))
#define FD_ISSET(fd, set) (((set)->__bits[(fd) / NFDBITS] & (long)(1UL << ((fd) % NFDBITS))) != 0)
#define FD_ZERO(set) \
  do { \
    for (unsigned int __i = 0; __i < FD_SETSIZE / (8 * sizeof(long)); __i++) \
      (set)->__bits[__i] = 0; \
  } while (0)
int select(int, fd_set *restrict, fd_set *restrict, fd_set *restrict, struct timeval *restrict);
int pselect(int, fd_set *restrict, fd_set *restrict, fd_set *restrict, const struct timespec *restrict,
            const sigset_t *restrict);
#endif

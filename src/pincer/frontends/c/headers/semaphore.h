#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H
#include <pincer/types.h>
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 2147483647
#if __SIZEOF_POINTER__ == 8
typedef struct { long __value; char __space[24]; } sem_t;
#else
typedef struct { long __value; char __space[12]; } sem_t;
#endif
int sem_init(sem_t *, int, unsigned int);
int sem_destroy(sem_t *);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_timedwait(sem_t *restrict, const struct timespec *restrict);
int sem_post(sem_t *);
int sem_getvalue(sem_t *restrict, int *restrict);
sem_t *sem_open(const char *, int, ...);
int sem_close(sem_t *);
int sem_unlink(const char *);
#endif

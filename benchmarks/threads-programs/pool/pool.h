/* A pool of threads that run tasks in the order of their submission. */
#ifndef POOL_H
#define POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef void (*task_function)(void *argument);

struct task {
    task_function run;
    void *argument;
    struct task *next;
};

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work;      /* there is a task, or no more will come */
    pthread_cond_t idle;      /* nothing is queued and nobody works */
    struct task *first, *last;
    size_t queued;
    size_t running;
    bool closing;
    pthread_t *threads;
    size_t size;
};

/* Begin with so many threads. Returns 0, or -1 if there is no memory. */
int pool_init(struct pool *pool, size_t size);

/* Queue a task. Returns 0, or -1 if the pool is closing or there is no memory. */
int pool_submit(struct pool *pool, task_function run, void *argument);

/* Wait until all tasks that were queued are done. */
void pool_wait(struct pool *pool);

/* Let the threads finish what is queued, and end them. */
void pool_close(struct pool *pool);

#endif

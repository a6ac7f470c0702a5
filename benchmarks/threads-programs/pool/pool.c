#include "pool.h"

#include <stdlib.h>

static struct task *task_new(task_function run, void *argument)
{
    struct task *task = malloc(sizeof *task);

    if (task == NULL)
        return NULL;
    task->run = run;
    task->argument = argument;
    task->next = NULL;
    return task;
}

/* The lock is held. */
static void append(struct pool *pool, struct task *task)
{
    if (pool->last != NULL)
        pool->last->next = task;
    else
        pool->first = task;
    pool->last = task;
    pool->queued++;
}

/* The lock is held, and there is a task. */
static struct task *take(struct pool *pool)
{
    struct task *task = pool->first;

    pool->first = task->next;
    if (pool->first == NULL)
        pool->last = NULL;
    pool->queued--;
    return task;
}

static bool is_idle(const struct pool *pool)
{
    return pool->queued == 0 && pool->running == 0;
}

static void *worker(void *argument)
{
    struct pool *pool = argument;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
#ifdef BROKEN_WAKEUP
        if (pool->first == NULL && !pool->closing)
#else
        while (pool->first == NULL && !pool->closing)
#endif
            pthread_cond_wait(&pool->work, &pool->lock);
#ifdef BROKEN_WAKEUP
        if (pool->closing && pool->first == NULL)
            break;
#else
        if (pool->first == NULL)
            break;
#endif
        struct task *task = take(pool);
        pool->running++;
        pthread_mutex_unlock(&pool->lock);

        task->run(task->argument);
        free(task);

#ifdef BROKEN_COUNT
        pool->running--;
        pthread_mutex_lock(&pool->lock);
#else
        pthread_mutex_lock(&pool->lock);
        pool->running--;
#endif
        if (is_idle(pool))
            pthread_cond_broadcast(&pool->idle);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int pool_init(struct pool *pool, size_t size)
{
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    pool->first = pool->last = NULL;
    pool->queued = pool->running = 0;
    pool->closing = false;
    pool->size = size;
    pool->threads = malloc(size * sizeof *pool->threads);
    if (pool->threads == NULL)
        return -1;
    for (size_t i = 0; i < size; i++)
        pthread_create(&pool->threads[i], NULL, worker, pool);
    return 0;
}

int pool_submit(struct pool *pool, task_function run, void *argument)
{
    struct task *task = task_new(run, argument);
    int status = -1;

    if (task == NULL)
        return -1;
    pthread_mutex_lock(&pool->lock);
    if (!pool->closing) {
        append(pool, task);
        pthread_cond_signal(&pool->work);
        status = 0;
    }
    pthread_mutex_unlock(&pool->lock);
    if (status != 0)
        free(task);
    return status;
}

void pool_wait(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (!is_idle(pool))
        pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void pool_close(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
#ifdef BROKEN_CLOSE
    pthread_cond_signal(&pool->work);
#else
    pthread_cond_broadcast(&pool->work);
#endif
    pthread_mutex_unlock(&pool->lock);
    for (size_t i = 0; i < pool->size; i++)
        pthread_join(pool->threads[i], NULL);
    free(pool->threads);
    pthread_cond_destroy(&pool->idle);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
}

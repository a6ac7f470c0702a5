/* A thread pool: jobs are function pointers with arguments, waited for as a group. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 2
#define JOBS 3

typedef void (*job_function)(void *);

struct job {
    job_function function;
    void *argument;
    struct job *next;
};

struct pool {
    pthread_t threads[WORKERS];
    pthread_mutex_t lock;
    pthread_cond_t work, idle;
    struct job *first, *last;
    int pending;
    int stopping;
};

static void *work(void *argument)
{
    struct pool *pool = argument;

    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (!pool->first && !pool->stopping)
            pthread_cond_wait(&pool->work, &pool->lock);
        if (!pool->first)
            break;
        struct job *job = pool->first;
        pool->first = job->next;
        if (!pool->first)
            pool->last = NULL;
        pthread_mutex_unlock(&pool->lock);
        job->function(job->argument);
        free(job);
        pthread_mutex_lock(&pool->lock);
        if (--pool->pending == 0)
            pthread_cond_broadcast(&pool->idle);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static struct pool *pool_create(void)
{
    struct pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        exit(1);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->idle, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&pool->threads[i], NULL, work, pool);
    return pool;
}

static void pool_submit(struct pool *pool, job_function function, void *argument)
{
    struct job *job = malloc(sizeof *job);
    if (!job)
        exit(1);
    job->function = function;
    job->argument = argument;
    job->next = NULL;
    pthread_mutex_lock(&pool->lock);
    if (pool->last)
        pool->last->next = job;
    else
        pool->first = job;
    pool->last = job;
    pool->pending++;
    pthread_cond_signal(&pool->work);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_wait(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->pending > 0)
        pthread_cond_wait(&pool->idle, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_destroy(struct pool *pool)
{
#ifdef BROKEN
    pool->stopping = 1;
    pthread_cond_broadcast(&pool->work);
#else
    pthread_mutex_lock(&pool->lock);
    pool->stopping = 1;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
#endif
    for (int i = 0; i < WORKERS; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->lock);
    pthread_cond_destroy(&pool->work);
    pthread_cond_destroy(&pool->idle);
    free(pool);
}

static void square(void *argument)
{
    int *number = argument;
    *number = *number * *number;
}

static void negate(void *argument)
{
    int *number = argument;
    *number = -*number;
}

int main(void)
{
    int numbers[JOBS] = {3, 4, 5};
    struct pool *pool = pool_create();

    pool_submit(pool, square, &numbers[0]);
    pool_submit(pool, negate, &numbers[1]);
    pool_submit(pool, square, &numbers[2]);
    pool_wait(pool);
    assert(numbers[0] == 9 && numbers[1] == -4 && numbers[2] == 25);
    pool_destroy(pool);
    return 0;
}

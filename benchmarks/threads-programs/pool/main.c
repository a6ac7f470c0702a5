/* Squares by a pool of two threads. */
#include "pool.h"

#include <assert.h>

#ifndef JOBS
#define JOBS 2
#endif

struct job {
    int number;
    int square;
};

static void square(void *argument)
{
    struct job *job = argument;

    job->square = job->number * job->number;
}

int main(void)
{
    static struct job jobs[JOBS];
    struct pool pool;
    int sum = 0;

    if (pool_init(&pool, 2) != 0)
        return 1;
    for (int i = 0; i < JOBS; i++) {
        jobs[i].number = i + 1;
        if (pool_submit(&pool, square, &jobs[i]) != 0)
            return 1;
    }
    pool_wait(&pool);
    for (int i = 0; i < JOBS; i++)
        sum += jobs[i].square;
    assert(sum == JOBS * (JOBS + 1) * (2 * JOBS + 1) / 6);
    pool_close(&pool);
    return 0;
}

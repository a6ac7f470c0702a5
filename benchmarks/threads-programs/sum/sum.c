#include "sum.h"

#include <pthread.h>
#include <stdatomic.h>

struct part {
    const int *numbers;
    size_t from, till;
    long sum;
};

static void *add_part(void *argument)
{
    struct part *part = argument;
    long sum = 0;

    for (size_t i = part->from; i < part->till; i++)
        sum += part->numbers[i];
    part->sum = sum;
    return NULL;
}

static size_t border(size_t count, size_t part)
{
#ifdef BROKEN_BORDER
    return count * part / SUM_THREADS + (part == SUM_THREADS);
#else
    return count * part / SUM_THREADS;
#endif
}

long sum_by_parts(const int *numbers, size_t count)
{
    struct part parts[SUM_THREADS];
    pthread_t threads[SUM_THREADS];
    long sum = 0;

    for (size_t i = 0; i < SUM_THREADS; i++) {
        parts[i] = (struct part){numbers, border(count, i), border(count, i + 1), 0};
        pthread_create(&threads[i], NULL, add_part, &parts[i]);
    }
#ifdef BROKEN_JOIN
    for (size_t i = 0; i < SUM_THREADS; i++)
        sum += parts[i].sum;
    for (size_t i = 0; i < SUM_THREADS; i++)
        pthread_join(threads[i], NULL);
#else
    for (size_t i = 0; i < SUM_THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += parts[i].sum;
    }
#endif
    return sum;
}

struct turns {
    const int *numbers;
    size_t count, few;
    atomic_size_t next;
#ifdef BROKEN_TOTAL
    long total;
#else
    atomic_long total;
#endif
};

static void *add_turns(void *argument)
{
    struct turns *turns = argument;

    for (;;) {
        size_t from = atomic_fetch_add(&turns->next, turns->few);
        if (from >= turns->count)
            return NULL;
        size_t till = from + turns->few < turns->count ? from + turns->few : turns->count;
        long sum = 0;
        for (size_t i = from; i < till; i++)
            sum += turns->numbers[i];
        turns->total += sum;
    }
}

long sum_by_turns(const int *numbers, size_t count, size_t few)
{
    struct turns turns = {numbers, count, few};
    pthread_t threads[SUM_THREADS];

    atomic_init(&turns.next, 0);
#ifndef BROKEN_TOTAL
    atomic_init(&turns.total, 0);
#endif
    for (size_t i = 0; i < SUM_THREADS; i++)
        pthread_create(&threads[i], NULL, add_turns, &turns);
    for (size_t i = 0; i < SUM_THREADS; i++)
        pthread_join(threads[i], NULL);
    return turns.total;
}

struct running {
    const int *numbers;
    long *sums;
    size_t from, till;
    long *ends;               /* the sums of the parts */
    size_t part;
    pthread_barrier_t *all_added;
};

static void *add_running(void *argument)
{
    struct running *running = argument;
    long before = 0, sum = 0;

    for (size_t i = running->from; i < running->till; i++) {
        sum += running->numbers[i];
        running->sums[i] = sum;
    }
    running->ends[running->part] = sum;
#ifndef BROKEN_BARRIER
    pthread_barrier_wait(running->all_added);
#endif
    for (size_t i = 0; i < running->part; i++)
        before += running->ends[i];
    for (size_t i = running->from; i < running->till; i++)
        running->sums[i] += before;
    return NULL;
}

void running_sums(const int *numbers, long *sums, size_t count)
{
    struct running parts[SUM_THREADS];
    long ends[SUM_THREADS] = {0};
    pthread_t threads[SUM_THREADS];
    pthread_barrier_t barrier;

    pthread_barrier_init(&barrier, NULL, SUM_THREADS);
    for (size_t i = 0; i < SUM_THREADS; i++) {
        parts[i] = (struct running){numbers, sums, border(count, i), border(count, i + 1), ends, i, &barrier};
        pthread_create(&threads[i], NULL, add_running, &parts[i]);
    }
    for (size_t i = 0; i < SUM_THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
}

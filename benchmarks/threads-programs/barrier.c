/* Phases between barriers: each thread smooths its part of a row from the row before. */
#include <assert.h>
#include <pthread.h>

#define THREADS 2
#define CELLS 4
#define PHASES 2

static int rows[2][CELLS];
static pthread_barrier_t barrier;

struct part {
    int first, last;
};

static void *smooth(void *argument)
{
    const struct part *part = argument;

    for (int phase = 0; phase < PHASES; phase++) {
        const int *from = rows[phase % 2];
        int *to = rows[(phase + 1) % 2];
        for (int i = part->first; i < part->last; i++) {
            int left = i > 0 ? from[i - 1] : from[i];
            int right = i < CELLS - 1 ? from[i + 1] : from[i];
            to[i] = left > right ? left : right;
        }
#ifndef BROKEN
        pthread_barrier_wait(&barrier);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    struct part parts[THREADS];

    rows[0][3] = 7;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        parts[i].first = i * CELLS / THREADS;
        parts[i].last = (i + 1) * CELLS / THREADS;
        pthread_create(&threads[i], NULL, smooth, &parts[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    assert(rows[0][1] == 7);
    return 0;
}

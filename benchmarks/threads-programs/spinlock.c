/* A spin lock of atomic_flag around a small statistic, workers without end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct spinlock {
    atomic_flag flag;
};

static struct spinlock lock = {ATOMIC_FLAG_INIT};
static unsigned smallest = 100, largest = 100;

extern unsigned __VERIFIER_nondet_uint(void);

static void spin_lock(struct spinlock *l)
{
    while (atomic_flag_test_and_set_explicit(&l->flag, memory_order_acquire))
        ;
}

static void spin_unlock(struct spinlock *l)
{
    atomic_flag_clear_explicit(&l->flag, memory_order_release);
}

static void record(unsigned sample)
{
    spin_lock(&lock);
    if (sample < smallest)
        smallest = sample;
    if (sample > largest)
        largest = sample;
    spin_unlock(&lock);
}

static void *sampler(void *unused)
{
    (void)unused;
    for (;;)
        record(__VERIFIER_nondet_uint());
    return NULL;
}

static void *watcher(void *unused)
{
    (void)unused;
    for (;;) {
        unsigned low, high;
#ifndef BROKEN
        spin_lock(&lock);
#endif
        low = smallest;
        high = largest;
#ifndef BROKEN
        spin_unlock(&lock);
#endif
        assert(low <= high);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];

    pthread_create(&threads[0], NULL, sampler, NULL);
    pthread_create(&threads[1], NULL, sampler, NULL);
    pthread_create(&threads[2], NULL, watcher, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

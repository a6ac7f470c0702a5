/* Philosophers who put the first fork back when the second is taken. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

#define SEATS 3

struct philosopher {
    int seat;
    int meals;
};

static pthread_mutex_t forks[SEATS];
static bool in_use[SEATS];

static void eat(struct philosopher *p, int left, int right)
{
    assert(!in_use[left] && !in_use[right]);
    in_use[left] = in_use[right] = true;
    p->meals++;
    in_use[left] = in_use[right] = false;
}

static void *dine(void *argument)
{
    struct philosopher *p = argument;
    int left = p->seat, right = (p->seat + 1) % SEATS;

    while (p->meals == 0) {
        pthread_mutex_lock(&forks[left]);
#ifdef BROKEN
        pthread_mutex_lock(&forks[right]);
#else
        if (pthread_mutex_trylock(&forks[right]) != 0) {
            pthread_mutex_unlock(&forks[left]);
            sched_yield();
            continue;
        }
#endif
        eat(p, left, right);
        pthread_mutex_unlock(&forks[right]);
        pthread_mutex_unlock(&forks[left]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[SEATS];
    struct philosopher philosophers[SEATS];

    for (int i = 0; i < SEATS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (int i = 0; i < SEATS; i++) {
        philosophers[i].seat = i;
        philosophers[i].meals = 0;
        pthread_create(&threads[i], NULL, dine, &philosophers[i]);
    }
    for (int i = 0; i < SEATS; i++) {
        pthread_join(threads[i], NULL);
        assert(philosophers[i].meals == 1);
    }
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_destroy(&forks[i]);
    return 0;
}

/* Two deques, a lock for each: who has nothing left steals from the other. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define TASKS 2

struct deque {
    pthread_mutex_t lock;
    int tasks[TASKS];
    int bottom, top;
};

struct worker {
    struct deque own;
    struct worker *other;
    int done;
};

static struct worker workers[2];

static bool take(struct deque *deque, int *task)
{
    bool taken = false;
    pthread_mutex_lock(&deque->lock);
    if (deque->bottom < deque->top) {
        *task = deque->tasks[--deque->top];
        taken = true;
    }
    pthread_mutex_unlock(&deque->lock);
    return taken;
}

static bool steal(struct deque *deque, int *task)
{
    bool taken = false;
#ifndef BROKEN
    pthread_mutex_lock(&deque->lock);
#endif
    if (deque->bottom < deque->top) {
        *task = deque->tasks[deque->bottom++];
        taken = true;
    }
#ifndef BROKEN
    pthread_mutex_unlock(&deque->lock);
#endif
    return taken;
}

static void *run(void *argument)
{
    struct worker *me = argument;
    int task;

    while (take(&me->own, &task) || steal(&me->other->own, &task))
        me->done += task;
    return NULL;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++) {
        pthread_mutex_init(&workers[i].own.lock, NULL);
        workers[i].other = &workers[1 - i];
    }
    for (int i = 0; i < TASKS; i++)
        workers[0].own.tasks[workers[0].own.top++] = i + 1;
    workers[1].own.tasks[workers[1].own.top++] = 10;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, &workers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(workers[0].done + workers[1].done == 13);
    return 0;
}

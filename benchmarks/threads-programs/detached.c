/* Detached workers; main waits until a counter says that all are done. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define WORKERS 2

struct group {
    pthread_mutex_t lock;
    pthread_cond_t done;
    int running;
    int total;
};

struct task {
    struct group *group;
    int amount;
};

static void *work(void *argument)
{
    struct task *task = argument;
    struct group *group = task->group;
    int amount = task->amount;

    free(task);
    pthread_mutex_lock(&group->lock);
    group->total += amount;
    group->running--;
#ifdef BROKEN
    pthread_mutex_unlock(&group->lock);
    pthread_cond_signal(&group->done);
#else
    if (group->running == 0)
        pthread_cond_signal(&group->done);
    pthread_mutex_unlock(&group->lock);
#endif
    return NULL;
}

static int start(struct group *group, int amount)
{
    pthread_t thread;
    pthread_attr_t attributes;
    struct task *task = malloc(sizeof *task);

    if (!task)
        return -1;
    task->group = group;
    task->amount = amount;
    pthread_mutex_lock(&group->lock);
    group->running++;
    pthread_mutex_unlock(&group->lock);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (pthread_create(&thread, &attributes, work, task) != 0)
        abort();
    pthread_attr_destroy(&attributes);
    return 0;
}

int main(void)
{
    struct group *group = calloc(1, sizeof *group);
    int expected = 0, total;

    if (!group)
        return 1;
    pthread_mutex_init(&group->lock, NULL);
    pthread_cond_init(&group->done, NULL);
    for (int i = 1; i <= WORKERS; i++)
        if (start(group, i) == 0)
            expected += i;
    pthread_mutex_lock(&group->lock);
    while (group->running > 0)
        pthread_cond_wait(&group->done, &group->lock);
    total = group->total;
    pthread_mutex_unlock(&group->lock);
    assert(total == expected);
#ifdef BROKEN
    pthread_cond_destroy(&group->done);
    pthread_mutex_destroy(&group->lock);
    free(group);
#endif
    return 0;
}

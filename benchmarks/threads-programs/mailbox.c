/* Readers and writers wait on one condition: a signal may wake the wrong one. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool full;
    int letter;
};

static struct mailbox box = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};

static void notify(struct mailbox *b)
{
#ifdef BROKEN
    pthread_cond_signal(&b->changed);
#else
    pthread_cond_broadcast(&b->changed);
#endif
}

static void deliver(struct mailbox *b, int letter)
{
    pthread_mutex_lock(&b->lock);
    while (b->full)
        pthread_cond_wait(&b->changed, &b->lock);
    b->letter = letter;
    b->full = true;
    notify(b);
    pthread_mutex_unlock(&b->lock);
}

static int collect(struct mailbox *b)
{
    int letter;

    pthread_mutex_lock(&b->lock);
    while (!b->full)
        pthread_cond_wait(&b->changed, &b->lock);
    letter = b->letter;
    b->full = false;
    notify(b);
    pthread_mutex_unlock(&b->lock);
    return letter;
}

static void *writer(void *argument)
{
    deliver(&box, *(int *)argument);
    return NULL;
}

static void *reader(void *argument)
{
    *(int *)argument = collect(&box);
    return NULL;
}

int main(void)
{
    pthread_t writers[2], readers[2];
    int sent[2] = {4, 7}, got[2] = {0, 0};

    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], NULL, reader, &got[i]);
    for (int i = 0; i < 2; i++)
        pthread_create(&writers[i], NULL, writer, &sent[i]);
    for (int i = 0; i < 2; i++) {
        pthread_join(writers[i], NULL);
        pthread_join(readers[i], NULL);
    }
    assert(got[0] + got[1] == 11);
    return 0;
}

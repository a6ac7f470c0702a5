/* Caches of each thread's own before a shared free list. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define BLOCKS 3
#define BATCH 1

struct block {
    struct block *next;
    int owner;
};

static struct block blocks[BLOCKS];
static struct block *shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct block *cache;

static struct block *allocate(int owner)
{
    struct block *block = cache;

    if (block) {
        cache = block->next;
    } else {
#ifndef BROKEN
        pthread_mutex_lock(&lock);
#endif
        block = shared;
        if (block)
            shared = block->next;
#ifndef BROKEN
        pthread_mutex_unlock(&lock);
#endif
    }
    if (block)
        block->owner = owner;
    return block;
}

static void release(struct block *block)
{
    block->owner = 0;
    if (cache == NULL) {
        block->next = NULL;
        cache = block;
    } else {
        pthread_mutex_lock(&lock);
        block->next = shared;
        shared = block;
        pthread_mutex_unlock(&lock);
    }
}

static void flush(void)
{
    pthread_mutex_lock(&lock);
    while (cache) {
        struct block *block = cache;
        cache = block->next;
        block->next = shared;
        shared = block;
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *argument)
{
    int me = *(int *)argument;

    struct block *first = allocate(me);
    struct block *second = allocate(me);
    assert(!first || first->owner == me);
    assert(!second || second->owner == me);
    if (first)
        release(first);
    if (second)
        release(second);
    first = allocate(me);
    if (first) {
        assert(first->owner == me);
        release(first);
    }
    flush();
    pthread_exit(NULL);
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2}, count = 0;

    for (int i = 0; i < BLOCKS; i++) {
        blocks[i].next = shared;
        shared = &blocks[i];
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (struct block *block = shared; block; block = block->next)
        count++;
    assert(count == BLOCKS);
    return 0;
}

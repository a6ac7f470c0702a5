#include "queue.h"

#include <stdlib.h>

int queue_init(struct queue *queue, size_t capacity)
{
    queue->slots = calloc(capacity, sizeof *queue->slots);
    if (queue->slots == NULL)
        return -1;
    queue->capacity = capacity;
    queue->head = 0;
    queue->count = 0;
    queue->closed = false;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->not_full, NULL);
    pthread_cond_init(&queue->not_empty, NULL);
    return 0;
}

void queue_destroy(struct queue *queue)
{
    pthread_cond_destroy(&queue->not_empty);
    pthread_cond_destroy(&queue->not_full);
    pthread_mutex_destroy(&queue->lock);
    free(queue->slots);
    queue->slots = NULL;
}

static bool is_full(const struct queue *queue)
{
    return queue->count == queue->capacity;
}

/* The lock is held, and there is room. */
static void store(struct queue *queue, void *item)
{
    size_t tail = queue->head + queue->count;

#ifdef BROKEN_WRAP
    if (tail > queue->capacity)
#else
    if (tail >= queue->capacity)
#endif
        tail -= queue->capacity;
    queue->slots[tail] = item;
    queue->count++;
    pthread_cond_signal(&queue->not_empty);
}

bool queue_put(struct queue *queue, void *item)
{
    bool stored = false;

    pthread_mutex_lock(&queue->lock);
    while (is_full(queue) && !queue->closed)
        pthread_cond_wait(&queue->not_full, &queue->lock);
    if (!queue->closed) {
        store(queue, item);
        stored = true;
    }
    pthread_mutex_unlock(&queue->lock);
    return stored;
}

bool queue_try_put(struct queue *queue, void *item)
{
    bool stored = false;

    pthread_mutex_lock(&queue->lock);
    if (!queue->closed && !is_full(queue)) {
        store(queue, item);
        stored = true;
    }
    pthread_mutex_unlock(&queue->lock);
    return stored;
}

void *queue_take(struct queue *queue)
{
    void *item = NULL;

    pthread_mutex_lock(&queue->lock);
    while (queue->count == 0 && !queue->closed)
        pthread_cond_wait(&queue->not_empty, &queue->lock);
    if (queue->count > 0) {
        item = queue->slots[queue->head];
        queue->slots[queue->head] = NULL;
        queue->head = (queue->head + 1) % queue->capacity;
        queue->count--;
#ifndef BROKEN_SIGNAL
        pthread_cond_signal(&queue->not_full);
#endif
    }
    pthread_mutex_unlock(&queue->lock);
    return item;
}

void queue_close(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_cond_broadcast(&queue->not_full);
    pthread_cond_broadcast(&queue->not_empty);
    pthread_mutex_unlock(&queue->lock);
}

size_t queue_count(struct queue *queue)
{
#ifdef BROKEN_COUNT
    return queue->count;
#else
    pthread_mutex_lock(&queue->lock);
    size_t count = queue->count;
    pthread_mutex_unlock(&queue->lock);
    return count;
#endif
}

/* A queue of pointers with a bound, between any number of producers and consumers. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct queue {
    void **slots;
    size_t capacity;
    size_t head;              /* the next one to be taken */
    size_t count;
    bool closed;
    pthread_mutex_t lock;
    pthread_cond_t not_full;
    pthread_cond_t not_empty;
};

int queue_init(struct queue *queue, size_t capacity);
void queue_destroy(struct queue *queue);

/* Put an item, and wait for room. Returns false if the queue is closed. */
bool queue_put(struct queue *queue, void *item);

/* Put an item if there is room. */
bool queue_try_put(struct queue *queue, void *item);

/* Take an item, and wait for one. Returns NULL when the queue is closed and empty. */
void *queue_take(struct queue *queue);

/* No more items will come; those who wait are woken. */
void queue_close(struct queue *queue);

size_t queue_count(struct queue *queue);

#endif

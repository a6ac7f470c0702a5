/* A producer, a consumer, and a queue that is smaller than what passes through it. */
#include "queue.h"

#include <assert.h>
#include <stdlib.h>

#ifndef ITEMS
#define ITEMS 3
#endif

struct item {
    int number;
};

static struct queue queue;
static int total;
static int received;

static void *produce(void *unused)
{
    for (int i = 1; i <= ITEMS; i++) {
        struct item *item = malloc(sizeof *item);
        if (item == NULL)
            break;
        item->number = i;
        if (!queue_put(&queue, item))
            free(item);
    }
    queue_close(&queue);
    return NULL;
}

static void *consume(void *unused)
{
    struct item *item;

    while ((item = queue_take(&queue)) != NULL) {
        received++;
        assert(item->number == received);
        total += item->number;
        free(item);
    }
    return NULL;
}

int main(void)
{
    pthread_t producer, consumer;

    if (queue_init(&queue, 2) != 0)
        return 1;
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    assert(queue_count(&queue) <= 2);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    assert(received == ITEMS && total == ITEMS * (ITEMS + 1) / 2);
    queue_destroy(&queue);
    return 0;
}

/* A bounded queue of heap nodes between two producers and one consumer. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define LIMIT 2
#define PER_PRODUCER 2

struct node {
    int value;
    struct node *next;
};

struct queue {
    struct node *head, *tail;
    unsigned length;
    pthread_mutex_t lock;
    pthread_cond_t not_empty, not_full;
};

static struct queue queue;

static void queue_init(struct queue *q)
{
    q->head = q->tail = NULL;
    q->length = 0;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    pthread_cond_init(&q->not_full, NULL);
}

static void queue_push(struct queue *q, int value)
{
    struct node *node = malloc(sizeof *node);
    if (!node)
        abort();
    node->value = value;
    node->next = NULL;
    pthread_mutex_lock(&q->lock);
#ifdef BROKEN
    if (q->length == LIMIT)
#else
    while (q->length == LIMIT)
#endif
        pthread_cond_wait(&q->not_full, &q->lock);
    if (q->tail)
        q->tail->next = node;
    else
        q->head = node;
    q->tail = node;
    q->length++;
    assert(q->length <= LIMIT);
    pthread_cond_signal(&q->not_empty);
    pthread_mutex_unlock(&q->lock);
}

static int queue_pop(struct queue *q)
{
    struct node *node;
    int value;

    pthread_mutex_lock(&q->lock);
    while (q->length == 0)
        pthread_cond_wait(&q->not_empty, &q->lock);
    node = q->head;
    q->head = node->next;
    if (!q->head)
        q->tail = NULL;
    q->length--;
    pthread_cond_signal(&q->not_full);
    pthread_mutex_unlock(&q->lock);
    value = node->value;
    free(node);
    return value;
}

static void *producer(void *argument)
{
    int start = *(int *)argument;
    for (int i = 0; i < PER_PRODUCER; i++)
        queue_push(&queue, start + i);
    return NULL;
}

static void *consumer(void *result)
{
    int sum = 0;
    for (int i = 0; i < 2 * PER_PRODUCER; i++)
        sum += queue_pop(&queue);
    *(int *)result = sum;
    return NULL;
}

int main(void)
{
    pthread_t producers[2], reader;
    int starts[2] = {10, 20}, sum = 0;

    queue_init(&queue);
    for (int i = 0; i < 2; i++)
        pthread_create(&producers[i], NULL, producer, &starts[i]);
    pthread_create(&reader, NULL, consumer, &sum);
    for (int i = 0; i < 2; i++)
        pthread_join(producers[i], NULL);
    pthread_join(reader, NULL);
    assert(sum == 10 + 11 + 20 + 21);
    assert(queue.head == NULL && queue.length == 0);
    pthread_mutex_destroy(&queue.lock);
    pthread_cond_destroy(&queue.not_empty);
    pthread_cond_destroy(&queue.not_full);
    return 0;
}

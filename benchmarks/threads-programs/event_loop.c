/* An event loop with handlers in a table, which stops itself by an event. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum kind { ADD, DOUBLE, STOP, KINDS };

struct event {
    enum kind kind;
    int value;
    struct event *next;
};

struct loop {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct event *first, **last;
    bool running;
    int state;
};

typedef void handler(struct loop *, int);

static void on_add(struct loop *loop, int value) { loop->state += value; }
static void on_double(struct loop *loop, int value)
{
    (void)value;
    loop->state *= 2;
}
static void on_stop(struct loop *loop, int value)
{
    (void)value;
    loop->running = false;
}

static handler *const handlers[KINDS] = {[ADD] = on_add, [DOUBLE] = on_double, [STOP] = on_stop};

static void post(struct loop *loop, enum kind kind, int value)
{
    struct event *event = malloc(sizeof *event);
    if (!event)
        abort();
    event->kind = kind;
    event->value = value;
    event->next = NULL;
    pthread_mutex_lock(&loop->lock);
    *loop->last = event;
    loop->last = &event->next;
    pthread_cond_signal(&loop->arrived);
    pthread_mutex_unlock(&loop->lock);
}

static void *dispatch(void *argument)
{
    struct loop *loop = argument;

    while (loop->running) {
        struct event *event;
        pthread_mutex_lock(&loop->lock);
        while (!loop->first)
            pthread_cond_wait(&loop->arrived, &loop->lock);
        event = loop->first;
        loop->first = event->next;
#ifndef BROKEN
        if (!loop->first)
            loop->last = &loop->first;
#endif
        pthread_mutex_unlock(&loop->lock);
        handlers[event->kind](loop, event->value);
        free(event);
    }
    return NULL;
}

int main(void)
{
    struct loop loop = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, NULL, true, 0};
    pthread_t thread;

    loop.last = &loop.first;
    pthread_create(&thread, NULL, dispatch, &loop);
    post(&loop, ADD, 3);
    post(&loop, DOUBLE, 0);
    post(&loop, STOP, 0);
    pthread_join(thread, NULL);
    assert(loop.state == 6);
    assert(loop.first == NULL);
    return 0;
}

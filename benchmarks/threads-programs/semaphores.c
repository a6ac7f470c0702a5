/* Two producers and a consumer with counting semaphores and a mutex. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define SLOTS 2
#define EACH 2

static int slots[SLOTS];
static unsigned in, out;
static sem_t room, items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int value)
{
#ifndef BROKEN
    sem_wait(&room);
#endif
    pthread_mutex_lock(&lock);
    slots[in % SLOTS] = value;
    in++;
    assert(in - out <= SLOTS);
    pthread_mutex_unlock(&lock);
    sem_post(&items);
}

static int get(void)
{
    int value;

    sem_wait(&items);
    pthread_mutex_lock(&lock);
    value = slots[out % SLOTS];
    out++;
    pthread_mutex_unlock(&lock);
    sem_post(&room);
    return value;
}

static void *produce(void *argument)
{
    int number = *(const int *)argument;
    for (int i = 0; i < EACH; i++)
        put(number);
    return NULL;
}

static void *consume(void *argument)
{
    int *sum = argument;
    for (int i = 0; i < 2 * EACH; i++)
        *sum += get();
    return NULL;
}

int main(void)
{
    pthread_t p[2], c;
    int numbers[2] = {3, 5}, sum = 0;

    sem_init(&room, 0, SLOTS);
    sem_init(&items, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&p[i], NULL, produce, &numbers[i]);
    pthread_create(&c, NULL, consume, &sum);
    for (int i = 0; i < 2; i++)
        pthread_join(p[i], NULL);
    pthread_join(c, NULL);
    assert(sum == EACH * (3 + 5));
    sem_destroy(&room);
    sem_destroy(&items);
    return 0;
}

/*
 * Two accounts, a lock for each, and transfers in both directions at once: each thread holds the lock it took first and
 * waits for the other's. A lost update is impossible, an end is not certain.
 *
 *   pincer check examples/10-transfer.c --property deadlock
 *   pincer check examples/10-transfer.c --property race --property assertions
 */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account first = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account second = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *forth(void *unused)
{
    transfer(&first, &second, 30);
    return 0;
}

static void *back(void *unused)
{
    transfer(&second, &first, 10);
    return 0;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, 0, forth, 0);
    pthread_create(&other, 0, back, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(first.balance + second.balance == 200);
    return 0;
}

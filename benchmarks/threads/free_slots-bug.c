// Slots that are free or used, taken and given back by any number of threads.
// Wrong here: slots are given back that were never taken.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned spare = 8, used;

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        if (spare > 0) {
            spare = spare - 1;
            used = used + 1;
        }
        assert(spare + used == 8);
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        if (used > 0)
            used = used - 1;
        spare = spare + 1;
        assert(used <= 8);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

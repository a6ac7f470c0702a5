// A counter that is always even where the lock is free.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned count;

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        assert(count % 2 == 0);
        count = count + 1;
        count = count + 1;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

// Two locks that all threads take in the same order, for ever.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&outer);
        x = 1;
        pthread_mutex_lock(&inner);
        y = 1;
        assert(x == y);
        y = 0;
        pthread_mutex_unlock(&inner);
        x = 0;
        pthread_mutex_unlock(&outer);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

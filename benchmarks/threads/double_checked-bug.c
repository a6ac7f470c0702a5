// A value that is made once, looked for before and behind the lock.
// Wrong here: it is said to be ready before it is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready;
int value;

void *worker(void *unused) {
    while (1) {
        if (ready == 0) {
            pthread_mutex_lock(&m);
            if (ready == 0) {
                ready = 1;
                value = 7;
            }
            pthread_mutex_unlock(&m);
        }
        assert(value == 7);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

// Whoever gets the lock works, others do something else.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int owner_in;

void *worker(void *unused) {
    while (1) {
        if (pthread_mutex_trylock(&m) == 0) {
            owner_in = owner_in + 1;
            assert(owner_in == 1);
            owner_in = 0;
            pthread_mutex_unlock(&m);
        }
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

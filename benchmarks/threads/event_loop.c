// A loop that works until it is told to stop, and then does nothing any more.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int stop, busy;

void *first(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        if (stop == 1) {
            busy = 0;
            pthread_mutex_unlock(&m);
            break;
        }
        busy = 1;
        assert(stop == 0);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

void *second(void *unused) {
    pthread_mutex_lock(&m);
    stop = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(busy == 0);
}

// Seconds and minutes behind a mutex, any number of threads that move on the clock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned seconds, minutes;

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        seconds = seconds + 1;
        if (seconds == 60) {
            seconds = 0;
            minutes = minutes + 1;
        }
        assert(seconds < 60);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

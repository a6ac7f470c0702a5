// Two flags of which one is set, any number of threads that change them.
// Wrong here: night does not end.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int day = 1, night;

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        if (day == 1) {
            day = 0;
            night = 1;
        } else {
            day = 1;
        }
        assert(day + night == 1);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

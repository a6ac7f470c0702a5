// A value that is made by whoever comes first.
#include <assert.h>
#include <pthread.h>

pthread_once_t control = PTHREAD_ONCE_INIT;
int value;

void make(void) { value = 7; }

void *worker(void *unused) {
    while (1) {
        pthread_once(&control, make);
        assert(value == 7);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

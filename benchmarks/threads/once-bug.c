// A value that is made by whoever comes first.
// Wrong here: the value is expected to be the old one.
#include <assert.h>
#include <pthread.h>

pthread_once_t control = PTHREAD_ONCE_INIT;
int value;

void make(void) { value = 7; }

void *worker(void *unused) {
    while (1) {
        assert(value == 7 || value == 0);
        pthread_once(&control, make);
        assert(value == 0);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

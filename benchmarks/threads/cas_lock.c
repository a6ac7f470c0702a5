// A lock by compare-and-exchange, for ever, with any number of threads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int l;
int in;

void *worker(void *unused) {
    while (1) {
        int expected = 0;
        while (!atomic_compare_exchange_strong(&l, &expected, 1))
            expected = 0;
        in = 1;
        assert(in == 1);
        in = 0;
        atomic_store(&l, 0);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

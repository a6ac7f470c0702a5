// A lock by compare-and-swap, for ever, with any number of threads.
#include <assert.h>
#include <pthread.h>

int l, in;

void *worker(void *unused) {
    while (1) {
        while (!__sync_bool_compare_and_swap(&l, 0, 1))
            ;
        in = 1;
        assert(in == 1);
        in = 0;
        __atomic_store_n(&l, 0, __ATOMIC_SEQ_CST);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

// A spin lock by atomic exchange, for ever, with any number of threads.
// Wrong here: the lock is looked at and taken in two steps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int l;
int in, c;

void *worker(void *unused) {
    while (1) {
        while (atomic_load(&l))
            ;
        atomic_store(&l, 1);
        in = in + 1;
        assert(in == 1);
        c = c + 1;
        in = in - 1;
        atomic_store(&l, 0);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

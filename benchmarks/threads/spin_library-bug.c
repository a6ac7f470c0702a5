// The spin lock of the library, any number of threads.
// Wrong here: one leaves too late.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t l;
int inside;

void *worker(void *unused) {
    while (1) {
        pthread_spin_lock(&l);
        inside = inside + 1;
        assert(inside == 1);
        pthread_spin_unlock(&l);
        inside = inside - 1;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_spin_init(&l, 0);
    while (1)
        pthread_create(&t, 0, worker, 0);
}

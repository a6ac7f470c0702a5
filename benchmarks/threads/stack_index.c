// The index of a bounded stack, pushed and popped by any number of threads.
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned top;
unsigned cells[16];

void *worker(void *unused) {
    while (1) {
        unsigned value = __VERIFIER_nondet_uint();
        pthread_mutex_lock(&m);
        if (value % 2 == 0 && top < 16) {
            assert(top < 16);
            cells[top] = value;
            top = top + 1;
        } else if (top > 0) {
            top = top - 1;
            assert(top < 16);
            value = cells[top];
        }
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

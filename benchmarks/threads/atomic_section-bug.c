// Two variables changed in one atomic section.
// Wrong here: there are two sections.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

unsigned x, y;

void *worker(void *unused) {
    while (1) {
        __VERIFIER_atomic_begin();
        x = x + 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        y = y + 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        assert(x == y);
        __VERIFIER_atomic_end();
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

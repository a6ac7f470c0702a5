// Peterson's algorithm: both threads enter, whoever is faster.
// expect: termination holds
#include <pthread.h>

int wants[2], turn, inside;

static void enter(int me) {
    __atomic_store_n(&wants[me], 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&turn, 1 - me, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&wants[1 - me], __ATOMIC_SEQ_CST) && __atomic_load_n(&turn, __ATOMIC_SEQ_CST) != me)
        ;
    inside++;
    inside--;
    __atomic_store_n(&wants[me], 0, __ATOMIC_SEQ_CST);
}

void *other(void *unused) {
    enter(1);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    enter(0);
    pthread_join(thread, 0);
    return 0;
}

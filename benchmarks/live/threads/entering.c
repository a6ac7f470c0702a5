// Peterson's protocol, without an end: whoever wants to get in gets in, and never both are there.
// holds: []({want[0] == 1} -> <>{at(INSIDE, first)})
// holds: [](!{at(INSIDE, first)} || !{at(ALSO, second)})
#include <pthread.h>

int want[2], turn;

void *first(void *unused) {
    for (;;) {
        __atomic_store_n(&want[0], 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&want[1], __ATOMIC_SEQ_CST) && __atomic_load_n(&turn, __ATOMIC_SEQ_CST) == 1)
            ;
    INSIDE:
        __atomic_store_n(&want[0], 0, __ATOMIC_SEQ_CST);
    }
    return 0;
}

void *second(void *unused) {
    for (;;) {
        __atomic_store_n(&want[1], 1, __ATOMIC_SEQ_CST);
        __atomic_store_n(&turn, 0, __ATOMIC_SEQ_CST);
        while (__atomic_load_n(&want[0], __ATOMIC_SEQ_CST) && __atomic_load_n(&turn, __ATOMIC_SEQ_CST) == 0)
            ;
    ALSO:
        __atomic_store_n(&want[1], 0, __ATOMIC_SEQ_CST);
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}

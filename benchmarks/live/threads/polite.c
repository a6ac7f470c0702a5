// Two threads that step back for each other, and may do so for ever.
// expect: termination violated
#include <pthread.h>

int first, second;

void *other(void *unused) {
    __atomic_store_n(&second, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&first, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&second, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&second, 1, __ATOMIC_SEQ_CST);
    }
    __atomic_store_n(&second, 0, __ATOMIC_SEQ_CST);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    __atomic_store_n(&first, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&second, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&first, 0, __ATOMIC_SEQ_CST);
        __atomic_store_n(&first, 1, __ATOMIC_SEQ_CST);
    }
    __atomic_store_n(&first, 0, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    return 0;
}

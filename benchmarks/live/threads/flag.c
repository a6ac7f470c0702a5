// One thread spins until the other has set a flag.
// expect: termination holds
#include <pthread.h>

int flag;

void *wait(void *unused) {
    while (!__atomic_load_n(&flag, __ATOMIC_SEQ_CST))
        ;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST);
    pthread_join(thread, 0);
    return 0;
}

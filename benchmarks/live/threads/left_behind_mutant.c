// The first thread waits for one that never ends.
// expect: termination violated
#include <pthread.h>

void *forever(void *unused) {
    for (;;)
        ;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, forever, 0);
    pthread_join(thread, 0);
    return 0;
}

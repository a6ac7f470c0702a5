// The program ends with its first thread, whatever the other does.
// expect: termination holds
#include <pthread.h>

void *forever(void *unused) {
    for (;;)
        ;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, forever, 0);
    return 0;
}

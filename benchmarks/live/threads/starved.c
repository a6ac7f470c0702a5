// A thread that polls under a lock may keep the other from ever getting it: the lock is free again and again, not always.
// expect: termination violated
#include <pthread.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int done;

void *poll(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        int seen = done;
        pthread_mutex_unlock(&mutex);
        if (seen)
            return 0;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, poll, 0);
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}

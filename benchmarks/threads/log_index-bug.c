// Any number of threads write to a ring of eight entries, for ever: the index stays inside.
// Wrong here: the index wraps one entry too late.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned at;
int entries[8];

void *worker(void *unused) {
    while (1) {
        pthread_mutex_lock(&m);
        assert(at < 8);
        entries[at] = 1;
        at = at + 1;
        if (at == 9)
            at = 0;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}

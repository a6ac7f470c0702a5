// Two threads, whose results are put together when they have been joined.
// Wrong here: the second thread is not joined.
#include <assert.h>
#include <pthread.h>

int first, second;

void *one(void *unused) {
    first = 1;
    return 0;
}

void *two(void *unused) {
    second = 2;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    assert(first + second == 3);
    return 0;
}

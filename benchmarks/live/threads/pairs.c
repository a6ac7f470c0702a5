// Two pairs of threads, each with a counter and a lock of its own.
// expect: termination holds
#include <pthread.h>

pthread_mutex_t of_apples = PTHREAD_MUTEX_INITIALIZER, of_pears = PTHREAD_MUTEX_INITIALIZER;
int apples, pears;

void *pick_apples(void *unused) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&of_apples);
        apples++;
        pthread_mutex_unlock(&of_apples);
    }
    return 0;
}

void *pick_pears(void *unused) {
    for (int i = 0; i < 6; i++) {
        pthread_mutex_lock(&of_pears);
        pears++;
        pthread_mutex_unlock(&of_pears);
    }
    return 0;
}

int main(void) {
    pthread_t a, b, c, d;
    pthread_create(&a, 0, pick_apples, 0);
    pthread_create(&b, 0, pick_apples, 0);
    pthread_create(&c, 0, pick_pears, 0);
    pthread_create(&d, 0, pick_pears, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    pthread_join(d, 0);
    return 0;
}

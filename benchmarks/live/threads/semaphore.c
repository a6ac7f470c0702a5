// As many posts as waits.
// expect: termination holds
#include <pthread.h>
#include <semaphore.h>

sem_t free_places;

void *work(void *unused) {
    sem_wait(&free_places);
    return 0;
}

int main(void) {
    pthread_t one, other;
    sem_init(&free_places, 0, 0);
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    sem_post(&free_places);
    sem_post(&free_places);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}

/* A logger with two buffers: threads fill one while another thread drains the other. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define CAPACITY 4

struct buffer {
    char text[CAPACITY];
    unsigned used;
};

static struct buffer buffers[2];
static struct buffer *front = &buffers[0];
static struct buffer *back = &buffers[1];
static bool done;
static unsigned drained, dropped;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void log_write(const char *text, unsigned length)
{
    pthread_mutex_lock(&lock);
#ifdef BROKEN
    if (front->used <= CAPACITY) {
#else
    if (front->used + length <= CAPACITY) {
#endif
        memcpy(front->text + front->used, text, length);
        front->used += length;
        pthread_cond_signal(&filled);
    } else {
        dropped += length;
    }
    pthread_mutex_unlock(&lock);
}

static void *drain(void *unused)
{
    (void)unused;
    for (;;) {
        struct buffer *full;

        pthread_mutex_lock(&lock);
        while (front->used == 0 && !done)
            pthread_cond_wait(&filled, &lock);
        if (front->used == 0) {
            pthread_mutex_unlock(&lock);
            return NULL;
        }
        full = front;
        front = back;
        back = full;
        pthread_mutex_unlock(&lock);
        for (unsigned i = 0; i < full->used; i++)
            assert(full->text[i] == 'a' || full->text[i] == 'b');
        drained += full->used;
        full->used = 0;
    }
}

static void *talk(void *text)
{
    log_write(text, 3);
    return NULL;
}

int main(void)
{
    pthread_t drainer, first, second;

    pthread_create(&drainer, NULL, drain, NULL);
    pthread_create(&first, NULL, talk, "aaa");
    pthread_create(&second, NULL, talk, "bbb");
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_mutex_lock(&lock);
    done = true;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    pthread_join(drainer, NULL);
    assert(drained + dropped == 6);
    return 0;
}

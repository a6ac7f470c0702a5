/* A singleton made by double-checked locking with an atomic pointer. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct table {
    int size;
    int *cells;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifdef BROKEN
static struct table *instance;
#define LOAD(p) (p)
#define STORE(p, v) ((p) = (v))
#else
static _Atomic(struct table *) instance;
#define LOAD(p) atomic_load_explicit(&(p), memory_order_acquire)
#define STORE(p, v) atomic_store_explicit(&(p), (v), memory_order_release)
#endif
static int made;

static struct table *make(void)
{
    struct table *table = malloc(sizeof *table);
    if (!table)
        abort();
    table->size = 4;
    table->cells = calloc(4, sizeof *table->cells);
    if (!table->cells)
        abort();
    for (int i = 0; i < table->size; i++)
        table->cells[i] = i * i;
    made++;
    return table;
}

static struct table *get(void)
{
    struct table *table = LOAD(instance);
    if (!table) {
        pthread_mutex_lock(&lock);
        table = LOAD(instance);
        if (!table) {
            table = make();
            STORE(instance, table);
        }
        pthread_mutex_unlock(&lock);
    }
    return table;
}

static void *worker(void *argument)
{
    int index = *(int *)argument;
    struct table *table = get();

    assert(index < table->size);
    assert(table->cells[index] == index * index);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    int indices[3] = {1, 2, 3};
    struct table *table;

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, &indices[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(made == 1);
    table = get();
    free(table->cells);
    free(table);
    return 0;
}

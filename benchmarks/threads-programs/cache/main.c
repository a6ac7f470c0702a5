/* Two readers and a writer that changes, adds and removes. */
#include "cache.h"

#include <assert.h>
#include <stddef.h>

static struct cache cache;

static void *reader(void *unused)
{
    int value = 0;

    if (cache_get(&cache, 1, &value))
        assert(value == 10 || value == 11);
    return NULL;
}

static void *writer(void *unused)
{
    cache_put(&cache, 1, 11);
    cache_put(&cache, 3, 30);
    cache_remove(&cache, 1);
    return NULL;
}

int main(void)
{
    pthread_t readers[2], writing;
    int value;

    cache_init(&cache);
    if (!cache_put(&cache, 1, 10))
        return 1;
    for (int i = 0; i < 2; i++)
        pthread_create(&readers[i], NULL, reader, NULL);
    pthread_create(&writing, NULL, writer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(readers[i], NULL);
    pthread_join(writing, NULL);
    assert(cache_lookups(&cache) == 2);
    assert(!cache_get(&cache, 1, &value));
    assert(cache_get(&cache, 3, &value) && value == 30);
    assert(cache.size == 1);
    cache_destroy(&cache);
    return 0;
}

/* A cache with a reader-writer lock: readers look up, a writer inserts and evicts. */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define BUCKETS 4

struct entry {
    unsigned key;
    unsigned value;
    struct entry *next;
};

static struct entry *buckets[BUCKETS];
static unsigned entries;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static struct entry *find(unsigned key)
{
    struct entry *entry = buckets[key % BUCKETS];
    while (entry && entry->key != key)
        entry = entry->next;
    return entry;
}

static bool cache_get(unsigned key, unsigned *value)
{
    struct entry *entry;
    bool found = false;

    pthread_rwlock_rdlock(&lock);
    entry = find(key);
    if (entry) {
        *value = entry->value;
        found = true;
    }
    pthread_rwlock_unlock(&lock);
    return found;
}

static void cache_put(unsigned key, unsigned value)
{
    struct entry *entry;

    pthread_rwlock_wrlock(&lock);
    entry = find(key);
    if (!entry) {
        entry = malloc(sizeof *entry);
        if (entry) {
            entry->key = key;
            entry->next = buckets[key % BUCKETS];
            buckets[key % BUCKETS] = entry;
            entries++;
        }
    }
    if (entry)
        entry->value = value;
    pthread_rwlock_unlock(&lock);
}

static void cache_remove(unsigned key)
{
    struct entry **link, *gone;

#ifdef BROKEN
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    for (link = &buckets[key % BUCKETS]; *link && (*link)->key != key; link = &(*link)->next)
        ;
    gone = *link;
    if (gone) {
        *link = gone->next;
        entries--;
        free(gone);
    }
    pthread_rwlock_unlock(&lock);
}

static void *reader(void *unused)
{
    unsigned value;
    (void)unused;
    if (cache_get(1, &value))
        assert(value == 10);
    if (cache_get(5, &value))
        assert(value == 50 || value == 51);
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    cache_put(5, 50);
    cache_put(5, 51);
    cache_remove(1);
    return NULL;
}

int main(void)
{
    pthread_t readers[2], other;

    cache_put(1, 10);
    pthread_create(&readers[0], NULL, reader, NULL);
    pthread_create(&readers[1], NULL, reader, NULL);
    pthread_create(&other, NULL, writer, NULL);
    pthread_join(readers[0], NULL);
    pthread_join(readers[1], NULL);
    pthread_join(other, NULL);
    assert(entries == 1);
    cache_remove(5);
    assert(entries == 0);
    return 0;
}

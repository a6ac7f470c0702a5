#include "cache.h"

#include <stdlib.h>

void cache_init(struct cache *cache)
{
    pthread_rwlock_init(&cache->lock, NULL);
    pthread_mutex_init(&cache->counters, NULL);
    for (unsigned i = 0; i < CACHE_BUCKETS; i++)
        cache->buckets[i] = NULL;
    cache->size = 0;
    cache->hits = cache->misses = 0;
}

void cache_destroy(struct cache *cache)
{
    for (unsigned i = 0; i < CACHE_BUCKETS; i++) {
        struct entry *entry = cache->buckets[i];
        while (entry != NULL) {
            struct entry *next = entry->next;
            free(entry);
            entry = next;
        }
        cache->buckets[i] = NULL;
    }
    pthread_mutex_destroy(&cache->counters);
    pthread_rwlock_destroy(&cache->lock);
}

/* The place where the pointer to an entry is, or where a new one goes. */
static struct entry **find(struct cache *cache, unsigned key)
{
    struct entry **place = &cache->buckets[key % CACHE_BUCKETS];

    while (*place != NULL && (*place)->key != key)
        place = &(*place)->next;
    return place;
}

static void count(struct cache *cache, bool found)
{
#ifndef BROKEN_COUNTERS
    pthread_mutex_lock(&cache->counters);
#endif
    if (found)
        cache->hits++;
    else
        cache->misses++;
#ifndef BROKEN_COUNTERS
    pthread_mutex_unlock(&cache->counters);
#endif
}

bool cache_get(struct cache *cache, unsigned key, int *value)
{
    pthread_rwlock_rdlock(&cache->lock);
    struct entry *entry = *find(cache, key);
#ifdef BROKEN_USE
    pthread_rwlock_unlock(&cache->lock);
    if (entry != NULL)
        *value = entry->value;
#else
    if (entry != NULL)
        *value = entry->value;
    pthread_rwlock_unlock(&cache->lock);
#endif
    count(cache, entry != NULL);
    return entry != NULL;
}

bool cache_put(struct cache *cache, unsigned key, int value)
{
#ifdef BROKEN_WRITER
    pthread_rwlock_rdlock(&cache->lock);
#else
    pthread_rwlock_wrlock(&cache->lock);
#endif
    struct entry **place = find(cache, key), *entry = *place;
    if (entry == NULL) {
        entry = malloc(sizeof *entry);
        if (entry == NULL) {
            pthread_rwlock_unlock(&cache->lock);
            return false;
        }
        entry->key = key;
        entry->next = NULL;
        *place = entry;
        cache->size++;
    }
    entry->value = value;
    pthread_rwlock_unlock(&cache->lock);
    return true;
}

bool cache_remove(struct cache *cache, unsigned key)
{
    pthread_rwlock_wrlock(&cache->lock);
    struct entry **place = find(cache, key), *entry = *place;
    if (entry != NULL) {
        *place = entry->next;
        cache->size--;
    }
    pthread_rwlock_unlock(&cache->lock);
    free(entry);
    return entry != NULL;
}

unsigned cache_lookups(struct cache *cache)
{
    pthread_mutex_lock(&cache->counters);
    unsigned lookups = cache->hits + cache->misses;
    pthread_mutex_unlock(&cache->counters);
    return lookups;
}

/* A table of numbers by keys that many read and few write. */
#ifndef CACHE_H
#define CACHE_H

#include <pthread.h>
#include <stdbool.h>

#define CACHE_BUCKETS 2

struct entry {
    unsigned key;
    int value;
    struct entry *next;
};

struct cache {
    pthread_rwlock_t lock;
    struct entry *buckets[CACHE_BUCKETS];
    unsigned size;
    pthread_mutex_t counters;
    unsigned hits, misses;
};

void cache_init(struct cache *cache);
void cache_destroy(struct cache *cache);

/* Look a key up; what is found is stored at `value`. */
bool cache_get(struct cache *cache, unsigned key, int *value);

/* Set the value of a key. Returns false if there is no memory. */
bool cache_put(struct cache *cache, unsigned key, int value);

/* Forget a key. Returns whether it was there. */
bool cache_remove(struct cache *cache, unsigned key);

unsigned cache_lookups(struct cache *cache);

#endif

/* A growable vector of numbers with a lock of its own. A thread may call its functions while it holds the lock.
   Functions with two vectors hold the lock of the first while they call functions of the second. */
#include <pthread.h>
#include <stdlib.h>

struct vector {
  pthread_mutex_t lock;
  int count;
  int room;
  int *items;
};

extern void reach_error(void);

static void vector_init(struct vector *v) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&v->lock, &kind);
  v->count = 0;
  v->room = 2;
  v->items = malloc(2 * sizeof(int));
  if (!v->items)
    abort();
}

static void vector_grow(struct vector *v, int needed) {
  if (needed <= v->room)
    return;
  int *larger = malloc(2 * needed * sizeof(int));
  if (!larger)
    abort();
  for (int i = 0; i < v->count; i++)
    larger[i] = v->items[i];
  free(v->items);
  v->items = larger;
  v->room = 2 * needed;
}

static int vector_size(struct vector *v) {
  pthread_mutex_lock(&v->lock);
  int size = v->count;
  pthread_mutex_unlock(&v->lock);
  return size;
}

static void vector_add(struct vector *v, int item) {
  pthread_mutex_lock(&v->lock);
  vector_grow(v, v->count + 1);
  v->items[v->count] = item;
  v->count++;
  pthread_mutex_unlock(&v->lock);
}

/* The item at a place; asking for one that is not there is an error. */
static int vector_get(struct vector *v, int at) {
  pthread_mutex_lock(&v->lock);
  if (at < 0 || at >= v->count)
    reach_error();
  int item = v->items[at];
  pthread_mutex_unlock(&v->lock);
  return item;
}

/* A copy of all items, with their number in `count`. */
static int *vector_to_array(struct vector *v, int *count) {
  pthread_mutex_lock(&v->lock);
  int *copy = malloc((v->count + 1) * sizeof(int));
  if (!copy)
    abort();
  for (int i = 0; i < v->count; i++)
    copy[i] = v->items[i];
  *count = v->count;
  pthread_mutex_unlock(&v->lock);
  return copy;
}

static void vector_add_all(struct vector *v, struct vector *other) {
  pthread_mutex_lock(&v->lock);
  int count;
  int *added = vector_to_array(other, &count);
  vector_grow(v, v->count + count);
  for (int i = 0; i < count; i++)
    v->items[v->count + i] = added[i];
  v->count += count;
  free(added);
  pthread_mutex_unlock(&v->lock);
}

static int vector_equals(struct vector *v, struct vector *other) {
  pthread_mutex_lock(&v->lock);
  int same = 1;
  for (int i = 0; i < v->count && same; i++)
    same = vector_get(other, i) == v->items[i];
  pthread_mutex_unlock(&v->lock);
  return same;
}

static void vector_remove_all_elements(struct vector *v) {
  pthread_mutex_lock(&v->lock);
  v->count = 0;
  pthread_mutex_unlock(&v->lock);
}

/* The last place up to `from` with an item; a place that is not there is an error. */
static int vector_last_index_from(struct vector *v, int item, int from) {
  pthread_mutex_lock(&v->lock);
  if (from >= v->count)
    reach_error();
  while (from >= 0 && v->items[from] != item)
    from--;
  pthread_mutex_unlock(&v->lock);
  return from;
}

/* As in the library this one follows, the size is read before the lock is taken. */
static int vector_last_index_of(struct vector *v, int item) {
  int last = v->count - 1;
  return vector_last_index_from(v, item, last);
}

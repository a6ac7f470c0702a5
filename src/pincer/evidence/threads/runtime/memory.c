/* Accesses to memory: what the compiler calls when it is asked to sanitize threads, with this in place of its library.
   When the failure is one of memory, objects from the heap are watched: they have guards and are never used again. */

extern void *__real_malloc(__SIZE_TYPE__), *__real_realloc(void *, __SIZE_TYPE__);
extern void __real_free(void *);
extern void *__real_memcpy(void *, const void *, __SIZE_TYPE__), *__real_memmove(void *, const void *, __SIZE_TYPE__);
extern void *__real_memset(void *, int, __SIZE_TYPE__);

enum { PINCER_GUARD = 64, PINCER_STACK = 65536 };
struct __pincer_block { char *start; unsigned long size; int freed; struct __pincer_block *earlier; };
static struct __pincer_block *__pincer_blocks;

static void __pincer_report_memory(const char *what, const struct __pincer_site *site) {
    __pincer_say("\npincer: memory: ");
    __pincer_say(what);
    __pincer_say(" by ");
    __pincer_say_place(__pincer_self, site ? site->line : 0);
    __pincer_say("\n");
    __pincer_stop(PINCER_MEMORY_STATUS);
}

static struct __pincer_block *__pincer_block_around(const char *address, unsigned long size) {
    for (struct __pincer_block *block = __pincer_blocks; block; block = block->earlier)
        if (address + size > block->start - PINCER_GUARD && address < block->start + block->size + PINCER_GUARD)
            return block;
    return 0;
}

/* Whether an address is in the stack of a thread that is over, and no other thread has got that memory. The monitor is
   held. */
static int __pincer_is_of_the_dead(const char *address) {
    int found = 0;
    for (int i = 1; i < __pincer_created; i++) {
        const char *stack = __pincer_threads[i].stack;
        if (!stack || address >= stack || address < stack - PINCER_STACK) continue;
        if (!__pincer_threads[i].ended) return 0;
        found = 1;
    }
    return found;
}

static void __pincer_check(const char *address, unsigned long size, const struct __pincer_site *site) {
    if (PINCER_KIND != PINCER_MEMORY) return;
    __pincer_enter();
    struct __pincer_block *block = __pincer_block_around(address, size);
    int is_of_the_dead = __pincer_is_of_the_dead(address);
    __pincer_leave();
    if (is_of_the_dead) __pincer_report_memory("use of an object of a thread that has ended", site);
    if (block && block->freed) __pincer_report_memory("use of memory that was freed", site);
    if (block && (address < block->start || address + size > block->start + block->size))
        __pincer_report_memory("access beyond an object", site);
    if ((unsigned long)address < 4096) __pincer_report_memory("access through a null pointer", site);
}

static void __pincer_touch(int action, const void *address, unsigned long size, int atomic, void *from) {
    const struct __pincer_site *site = __pincer_find_site(from);
    if (!site) return;
    __pincer_gate(action, "", address, size, atomic, site);
    __pincer_check(address, size, site);
}

#define PINCER_HOOK(name, action, size) \
    void name(void *address) { __pincer_touch(action, address, size, 0, __builtin_return_address(0)); }
#define PINCER_HOOKS(size) \
    PINCER_HOOK(__tsan_read##size, PINCER_READ, size) \
    PINCER_HOOK(__tsan_write##size, PINCER_WRITE, size) \
    PINCER_HOOK(__tsan_unaligned_read##size, PINCER_READ, size) \
    PINCER_HOOK(__tsan_unaligned_write##size, PINCER_WRITE, size) \
    PINCER_HOOK(__tsan_volatile_read##size, PINCER_READ, size) \
    PINCER_HOOK(__tsan_volatile_write##size, PINCER_WRITE, size)
PINCER_HOOKS(1)
PINCER_HOOKS(2)
PINCER_HOOKS(4)
PINCER_HOOKS(8)
PINCER_HOOKS(16)

void __tsan_read_range(void *address, unsigned long size) {
    __pincer_touch(PINCER_READ, address, size, 0, __builtin_return_address(0));
}
void __tsan_write_range(void *address, unsigned long size) {
    __pincer_touch(PINCER_WRITE, address, size, 0, __builtin_return_address(0));
}
/* What the compiler calls where an index is beyond the bounds that it knows. */
struct __pincer_index { const char *file; unsigned line, column; };
void __ubsan_handle_out_of_bounds(struct __pincer_index *place, unsigned long index) {
    struct __pincer_site site = {0, place->line, place->file, 0};
    if (PINCER_KIND == PINCER_MEMORY) __pincer_report_memory("access beyond an array", &site);
}
void __tsan_init(void) { }
void __tsan_func_entry(void *from) { }
void __tsan_func_exit(void) { }
void __tsan_atomic_thread_fence(int order) { __atomic_thread_fence(5); }
void __tsan_atomic_signal_fence(int order) { }

/* Compilers write `x *= 2` for an atomic x as a loop: a load, and an exchange if nothing has changed. The exchange is
   the step then; when it fails, the thread tries again before others go on. */
static void __pincer_touch_atomic(int action, const volatile void *address, unsigned long size, int load, void *from) {
    const struct __pincer_site *site = load ? __pincer_find_site(from) : 0;
    if (site && __pincer_is_operator(site)) return;
    __pincer_touch(action, (const void *)address, size, 1, from);
}
static int __pincer_tried(int succeeded, void *from) {
    const struct __pincer_site *site = __pincer_find_site(from);
    __pincer_tries_again = !succeeded && site && __pincer_is_operator(site);
    return succeeded;
}

#define PINCER_STEP(action, load) \
    __pincer_touch_atomic(action, object, sizeof *object, load, __builtin_return_address(0))
#define PINCER_TRIED(expected) \
    __pincer_tried(__atomic_compare_exchange_n(object, expected, value, 0, 5, 5), __builtin_return_address(0))
#define PINCER_FETCH(bits, type, operation) \
    type __tsan_atomic##bits##_fetch_##operation(volatile type *object, type value, int order) { \
        PINCER_STEP(PINCER_WRITE, 0); \
        return __atomic_fetch_##operation(object, value, 5); \
    }
#define PINCER_ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *object, int order) { \
        PINCER_STEP(PINCER_READ, 1); \
        return __atomic_load_n(object, 5); \
    } \
    void __tsan_atomic##bits##_store(volatile type *object, type value, int order) { \
        PINCER_STEP(PINCER_WRITE, 0); \
        __atomic_store_n(object, value, 5); \
    } \
    type __tsan_atomic##bits##_exchange(volatile type *object, type value, int order) { \
        PINCER_STEP(PINCER_WRITE, 0); \
        return __atomic_exchange_n(object, value, 5); \
    } \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *object, type *expected, type value, \
                                                             int order, int failing) { \
        PINCER_STEP(PINCER_WRITE, 0); \
        return PINCER_TRIED(expected); \
    } \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *object, type *expected, type value, \
                                                           int order, int failing) { \
        PINCER_STEP(PINCER_WRITE, 0); \
        return PINCER_TRIED(expected); \
    } \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *object, type expected, type value, \
                                                           int order, int failing) { \
        PINCER_STEP(PINCER_WRITE, 0); \
        PINCER_TRIED(&expected); \
        return expected; \
    } \
    PINCER_FETCH(bits, type, add) \
    PINCER_FETCH(bits, type, sub) \
    PINCER_FETCH(bits, type, and) \
    PINCER_FETCH(bits, type, or) \
    PINCER_FETCH(bits, type, xor) \
    PINCER_FETCH(bits, type, nand)
PINCER_ATOMIC(8, unsigned char)
PINCER_ATOMIC(16, unsigned short)
PINCER_ATOMIC(32, unsigned int)
PINCER_ATOMIC(64, unsigned long long)

/* A copy of a number of bytes that is not constant is a loop to the model, and each byte a step; so it is here where
   the schedule passes through it. */
extern void *__pincer_bytes_memcpy(void *, const void *, __SIZE_TYPE__) __attribute__((weak));
extern void *__pincer_bytes_memmove(void *, const void *, __SIZE_TYPE__) __attribute__((weak));
extern void *__pincer_bytes_memset(void *, int, __SIZE_TYPE__) __attribute__((weak));

static int __pincer_goes_bytewise(void) {
    __pincer_enter();
    const struct __pincer_point *next = __pincer_next_point(__pincer_self);
    __pincer_leave();
    return next && next->action != PINCER_CALL && __pincer_same(next->file, "<library>");
}

#define PINCER_COPY(name) \
    void *__wrap_##name(void *target, const void *source, __SIZE_TYPE__ size) { \
        if (__pincer_bytes_##name && __pincer_goes_bytewise()) return __pincer_bytes_##name(target, source, size); \
        __pincer_touch(PINCER_READ, source, size, 0, __builtin_return_address(0)); \
        __pincer_touch(PINCER_WRITE, target, size, 0, __builtin_return_address(0)); \
        return __real_##name(target, source, size); \
    }
PINCER_COPY(memcpy)
PINCER_COPY(memmove)
void *__wrap_memset(void *target, int byte, __SIZE_TYPE__ size) {
    if (__pincer_bytes_memset && __pincer_goes_bytewise()) return __pincer_bytes_memset(target, byte, size);
    __pincer_touch(PINCER_WRITE, target, size, 0, __builtin_return_address(0));
    return __real_memset(target, byte, size);
}

void *__wrap_malloc(__SIZE_TYPE__ size) {
    if (PINCER_KIND != PINCER_MEMORY) return __real_malloc(size);
    struct __pincer_block *block = __real_malloc(sizeof *block);
    char *start = __real_malloc(size + 2 * PINCER_GUARD);
    if (!block || !start) return 0;
    struct __pincer_block made = {start + PINCER_GUARD, size, 0, 0};
    __pincer_enter();
    made.earlier = __pincer_blocks;
    *block = made;
    __pincer_blocks = block;
    __pincer_leave();
    return made.start;
}
void *__wrap_calloc(__SIZE_TYPE__ count, __SIZE_TYPE__ size) {
    if (size && count > (__SIZE_TYPE__)-1 / 2 / size) return 0;
    void *made = __wrap_malloc(count * size);
    return made ? __real_memset(made, 0, count * size) : made;
}
static struct __pincer_block *__pincer_block_at(const void *start) {
    __pincer_enter();
    struct __pincer_block *block = __pincer_blocks;
    while (block && block->start != start) block = block->earlier;
    __pincer_leave();
    return block;
}
static void __pincer_give_back(void *object, const struct __pincer_site *site) {
    struct __pincer_block *block = __pincer_block_at(object);
    if (block && block->freed) __pincer_report_memory("memory is freed a second time", site);
    if (block) block->freed = 1;
    else if (PINCER_KIND == PINCER_MEMORY && __pincer_block_around(object, 1))
        __pincer_report_memory("free of a pointer into an object", site);
    else __real_free(object);
}
void __wrap_free(void *object) {
    const struct __pincer_site *site = __pincer_find_site(__builtin_return_address(0));
    if (object) __pincer_gate(PINCER_WRITE, "", object, 1, 0, site);
    if (object) __pincer_give_back(object, site);
}
void *__wrap_realloc(void *object, __SIZE_TYPE__ size) {
    struct __pincer_block *block = object ? __pincer_block_at(object) : 0;
    if (object && !block) return __real_realloc(object, size);
    void *made = __wrap_malloc(size);
    if (!made || !object) return made;
    __real_memcpy(made, object, size < block->size ? size : block->size);
    __pincer_give_back(object, 0);
    return made;
}

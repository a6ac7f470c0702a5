/* Accesses to memory: what the compiler calls when it is asked to sanitize threads, with this in place of its library.
   When the failure is one of memory, objects from the heap are watched: they have guards and are never used again. */

extern void *__real_malloc(__SIZE_TYPE__), *__real_realloc(void *, __SIZE_TYPE__);
extern void __real_free(void *);
extern void *__real_memcpy(void *, const void *, __SIZE_TYPE__), *__real_memmove(void *, const void *, __SIZE_TYPE__);
extern void *__real_memset(void *, int, __SIZE_TYPE__);

enum { PINCER_GUARD = 64 };
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

static void __pincer_check(const char *address, unsigned long size, const struct __pincer_site *site) {
    if (PINCER_KIND != PINCER_MEMORY) return;
    __pincer_enter();
    struct __pincer_block *block = __pincer_block_around(address, size);
    __pincer_leave();
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
void __tsan_init(void) { }
void __tsan_func_entry(void *from) { }
void __tsan_func_exit(void) { }
void __tsan_atomic_thread_fence(int order) { __atomic_thread_fence(5); }
void __tsan_atomic_signal_fence(int order) { }

/* An exchange right after a load of the same object is how compilers write `x += 1` for an atomic x: one step. */
static void __pincer_touch_atomic(int action, const volatile void *address, unsigned long size, int load,
                                         int exchange, void *from) {
    int second = exchange && __pincer_loaded && __pincer_loaded_from == (const void *)address;
    if (!second) __pincer_touch(action, (const void *)address, size, 1, from);
    __pincer_loaded = load;
    __pincer_loaded_from = (const void *)address;
}

#define PINCER_STEP(action, load, exchange) \
    __pincer_touch_atomic(action, object, sizeof *object, load, exchange, __builtin_return_address(0))
#define PINCER_FETCH(bits, type, operation) \
    type __tsan_atomic##bits##_fetch_##operation(volatile type *object, type value, int order) { \
        PINCER_STEP(PINCER_WRITE, 0, 0); \
        return __atomic_fetch_##operation(object, value, 5); \
    }
#define PINCER_ATOMIC(bits, type) \
    type __tsan_atomic##bits##_load(const volatile type *object, int order) { \
        PINCER_STEP(PINCER_READ, 1, 0); \
        return __atomic_load_n(object, 5); \
    } \
    void __tsan_atomic##bits##_store(volatile type *object, type value, int order) { \
        PINCER_STEP(PINCER_WRITE, 0, 0); \
        __atomic_store_n(object, value, 5); \
    } \
    type __tsan_atomic##bits##_exchange(volatile type *object, type value, int order) { \
        PINCER_STEP(PINCER_WRITE, 0, 0); \
        return __atomic_exchange_n(object, value, 5); \
    } \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *object, type *expected, type value, \
                                                             int order, int failing) { \
        PINCER_STEP(PINCER_WRITE, 0, 1); \
        return __atomic_compare_exchange_n(object, expected, value, 0, 5, 5); \
    } \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type *object, type *expected, type value, \
                                                           int order, int failing) { \
        PINCER_STEP(PINCER_WRITE, 0, 1); \
        return __atomic_compare_exchange_n(object, expected, value, 0, 5, 5); \
    } \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type *object, type expected, type value, \
                                                           int order, int failing) { \
        PINCER_STEP(PINCER_WRITE, 0, 1); \
        __atomic_compare_exchange_n(object, &expected, value, 0, 5, 5); \
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

void *__wrap_memcpy(void *target, const void *source, __SIZE_TYPE__ size) {
    __pincer_touch(PINCER_READ, source, size, 0, __builtin_return_address(0));
    __pincer_touch(PINCER_WRITE, target, size, 0, __builtin_return_address(0));
    return __real_memcpy(target, source, size);
}
void *__wrap_memmove(void *target, const void *source, __SIZE_TYPE__ size) {
    __pincer_touch(PINCER_READ, source, size, 0, __builtin_return_address(0));
    __pincer_touch(PINCER_WRITE, target, size, 0, __builtin_return_address(0));
    return __real_memmove(target, source, size);
}
void *__wrap_memset(void *target, int byte, __SIZE_TYPE__ size) {
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

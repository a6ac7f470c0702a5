/* Without a schedule, for the compiler's own thread sanitizer: only the numbers of threads and atomic sections. */

extern int __real_pthread_create(void *, const void *, void *(*)(void *), void *);
extern void *__pincer_new(__SIZE_TYPE__) __asm__("malloc");
extern int __pincer_lock(void *) __asm__("pthread_mutex_lock");
extern int __pincer_unlock(void *) __asm__("pthread_mutex_unlock");

struct __pincer_start { void *(*routine)(void *); void *argument; int number; };
static int __pincer_created = 1;
static long __pincer_section[16];
static __thread int __pincer_depth;

static void *__pincer_run_thread(void *given) {
    struct __pincer_start start = *(struct __pincer_start *)given;
    __pincer_self = start.number;
    return start.routine(start.argument);
}
int __wrap_pthread_create(void *target, const void *attributes, void *(*routine)(void *), void *argument) {
    struct __pincer_start *start = __pincer_new(sizeof *start);
    start->routine = routine;
    start->argument = argument;
    start->number = __atomic_fetch_add(&__pincer_created, 1, 5);
    return __real_pthread_create(target, attributes, __pincer_run_thread, start);
}
int __pincer_section_begin(void) {
    if (!__pincer_depth) __pincer_lock(__pincer_section);
    return __pincer_depth++;
}
void __pincer_section_end(int *depth) {
    if (!--__pincer_depth) __pincer_unlock(__pincer_section);
}
void __wrap___VERIFIER_atomic_begin(void) { __pincer_section_begin(); }
void __wrap___VERIFIER_atomic_end(void) { __pincer_section_end(0); }

/* Sees when threads can never go on, and that the schedule itself holds nobody up for ever. */

enum { PINCER_POLL = 5000, PINCER_PATIENCE = 300, PINCER_GRACE = 100, PINCER_SPINS = 60, PINCER_LONGEST = 12000 };

static unsigned char __pincer_dead[PINCER_MOST_THREADS];
static const char *const __pincer_kinds[] = {"", "the mutex", "the spin lock", "the read-write lock", "the semaphore",
                                             "a signal of", "more threads at the barrier", "the end of thread",
                                             "the end of a once routine"};

static int __pincer_never(int thread) { return __pincer_threads[thread].ended || __pincer_dead[thread]; }

/* Whether all who could end the wait of a thread are over or wait themselves. */
static int __pincer_is_hopeless(int number) {
    struct __pincer_thread *thread = &__pincer_threads[number];
    int value = 0;
    if (thread->waiting == PINCER_NOT_WAITING || thread->ended) return 0;
    if (thread->waiting == PINCER_JOIN) return __pincer_dead[thread->awaited];
    if (thread->waiting <= PINCER_RWLOCK || thread->waiting == PINCER_ONCE) {
        struct __pincer_lock *lock = __pincer_lock_at(thread->object);
        if (lock->owner >= 0 && __pincer_never(lock->owner)) return 1;
        for (int i = 0; i < __pincer_created; i++)
            if (lock->readers[i] && __pincer_never(i)) return 1;
        return 0;
    }
    if (thread->waiting == PINCER_CONDITION && (thread->signalled || thread->timed)) return 0;
    if (thread->waiting == PINCER_BARRIER && __pincer_is_past(thread)) return 0;
    if (thread->waiting == PINCER_SEMAPHORE && (__real_sem_getvalue((void *)thread->object, &value) || value > 0))
        return 0;
    for (int i = 0; i < __pincer_created; i++)
        if (!__pincer_never(i)) return 0;
    return 1;
}

/* The largest set of threads that can only be helped by threads of the set. */
static int __pincer_find_dead(void) {
    int count = 0, changed = 1;
    for (int i = 0; i < __pincer_created; i++)
        __pincer_dead[i] = __pincer_threads[i].waiting != PINCER_NOT_WAITING && !__pincer_threads[i].ended;
    while (changed) {
        changed = 0;
        for (int i = 0; i < __pincer_created; i++)
            if (__pincer_dead[i] && !__pincer_is_hopeless(i)) __pincer_dead[i] = 0, changed = 1;
    }
    for (int i = 0; i < __pincer_created; i++) count += __pincer_dead[i];
    return count;
}

static void __pincer_say_wait(int number) {
    struct __pincer_thread *thread = &__pincer_threads[number];
    const char *name = __pincer_name_of(thread->object);
    for (int i = 0; !name && i < PINCER_STOPS; i++)
        if (__pincer_stops[i].thread == number && __pincer_stops[i].object[0]) name = __pincer_stops[i].object;
    __pincer_say("pincer: ");
    __pincer_say_place(number, thread->line);
    __pincer_say(" waits for ");
    __pincer_say(__pincer_kinds[thread->waiting]);
    __pincer_say(" ");
    if (thread->waiting == PINCER_JOIN) __pincer_say_number(thread->awaited);
    else __pincer_say(name ? name : "(unnamed)");
    if (thread->waiting <= PINCER_RWLOCK) {
        struct __pincer_lock *lock = __pincer_lock_at(thread->object);
        for (int i = 0; i < __pincer_created; i++)
            if (lock->owner == i || lock->readers[i]) {
                __pincer_say(", held by thread ");
                __pincer_say_number(i);
            }
    }
    __pincer_say("\n");
}

static void __pincer_report_deadlock(void) {
    __pincer_say("\npincer: deadlock\n");
    for (int i = 0; i < __pincer_created; i++)
        if (__pincer_dead[i]) __pincer_say_wait(i);
    __pincer_stop(PINCER_DEADLOCK_STATUS);
}

/* Whether all threads but perhaps one have ended. */
static int __pincer_are_over(int but) {
    for (int i = 0; i < __pincer_created; i++)
        if (i != but && !__pincer_threads[i].ended) return 0;
    return 1;
}

static void *__pincer_watch(void *unused) {
    unsigned long seen = 0;
    int idle = 0, turn;
    __pincer_self = -1;
    for (int polls = 0;; polls++) {
        __pincer_sleep(PINCER_POLL);
        __pincer_enter();
        if (polls > PINCER_LONGEST) {
            __pincer_say("\npincer: diverged: the program does not end within a minute\n");
            __pincer_stop(99);
        }
        idle = seen == __pincer_progress ? idle + 1 : 0;
        seen = __pincer_progress;
        turn = __pincer_turn();
        if (PINCER_KIND == PINCER_ENDLESS && !__pincer_is_free && __pincer_done && idle > PINCER_SPINS) {
            /* The thread has taken its step, and never comes to another that others could notice. */
            __pincer_done = idle = 0;
            __pincer_advance();
            __pincer_tell();
        }
        if (PINCER_KIND == PINCER_ENDLESS && !PINCER_LOOP && !__pincer_is_free && idle > PINCER_PATIENCE &&
            __pincer_clock + __pincer_done >= PINCER_POINTS && !__pincer_threads[turn].ended &&
            __pincer_threads[turn].waiting == PINCER_NOT_WAITING)
            __pincer_report_endless();
        if (!__pincer_is_free && (idle > PINCER_PATIENCE || (turn >= 0 && __pincer_threads[turn].ended)))
            __pincer_leave_schedule();
        if (__pincer_is_free && __pincer_find_dead()) __pincer_report_deadlock();
        if (__pincer_are_over(-1)) __pincer_stop(0);
        __pincer_leave();
    }
    return 0;
}

__attribute__((constructor)) static void __pincer_prepare(void) {
    extern char *__pincer_variable(const char *) __asm__("getenv");
    static unsigned long watcher;
    __pincer_is_late = __pincer_variable("PINCER_LATE") != 0;
    __pincer_skips = __pincer_variable("PINCER_SKIP") != 0;
    __pincer_sort_sites();
    __pincer_threads[0].created = 1;
    __pincer_is_free = PINCER_POINTS == 0 && PINCER_KIND == PINCER_DEADLOCK;
    __real_pthread_create(&watcher, 0, __pincer_watch, 0);
}

/* The first thread returns, or somebody calls exit: others may have to go first. */
__attribute__((destructor)) static void __pincer_close(void) {
    int me = __pincer_self;
    if (me < 0) return;
    __pincer_enter();
    __pincer_pass(me);
    while (!__pincer_is_free && __pincer_turn() != me) __pincer_await();
    __pincer_leave_schedule();
    unsigned long seen = __pincer_progress;
    for (int i = 0; PINCER_KIND == PINCER_DEADLOCK && i < PINCER_GRACE && !__pincer_are_over(me); i++) {
        __pincer_leave();
        __pincer_sleep(PINCER_POLL);
        __pincer_enter();
        if (seen != __pincer_progress) i = 0;
        seen = __pincer_progress;
    }
    __pincer_leave();
}

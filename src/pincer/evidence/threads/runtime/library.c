/* The threads library: each call is a step for the gate, then the system's own function does the work. Condition
   variables, barriers and one-time initialisation are made here from scratch, since there the schedule, and not the
   system, has to choose who goes on. Who holds and who waits for what is written down for the watchdog. */

enum { PINCER_EPERM = 1, PINCER_EBUSY = 16, PINCER_EINVAL = 22, PINCER_ETIMEDOUT = 110 };
enum { PINCER_NOT_WAITING, PINCER_MUTEX, PINCER_SPIN, PINCER_RWLOCK, PINCER_SEMAPHORE, PINCER_CONDITION,
       PINCER_BARRIER, PINCER_JOIN, PINCER_ONCE };

struct __pincer_lock {
    const void *address;
    int owner, count;
    unsigned char readers[PINCER_MOST_THREADS];
    int needed, arrived, queue[PINCER_MOST_THREADS];
    unsigned char serials[PINCER_MOST_THREADS];
    unsigned long round;
    int done;
    int is_made;             /* by a call, not by an initialiser */
};
static struct __pincer_lock __pincer_locks[512];
static int __pincer_lock_count;
static unsigned long __pincer_tickets;

static struct __pincer_lock *__pincer_lock_at(const void *address) {
    for (int i = 0; i < __pincer_lock_count; i++)
        if (__pincer_locks[i].address == address) return &__pincer_locks[i];
    if (__pincer_lock_count == 512) {
        __pincer_say("\npincer: diverged: more than 512 locks\n");
        __pincer_stop(99);
    }
    struct __pincer_lock *made = &__pincer_locks[__pincer_lock_count++];
    made->address = address;
    made->owner = -1;
    return made;
}

#define PINCER_SITE __pincer_find_site(__builtin_return_address(0))
#define PINCER_CALLS(name, object) __pincer_about(name, object, PINCER_SITE)

/* A call about an object, which must be there. */
static const struct __pincer_point *__pincer_about(const char *name, const void *object,
                                                  const struct __pincer_site *site) {
    const struct __pincer_point *point = __pincer_gate(PINCER_CALL, name, object, 1, 0, site);
    if (object && site) __pincer_check(object, 1, site);
    return point;
}

static void __pincer_wait_begin(int kind, const void *object, const struct __pincer_site *site) {
    struct __pincer_thread *me = &__pincer_threads[__pincer_self];
    __pincer_enter();
    me->waiting = kind;
    me->object = object;
    me->line = site ? site->line : 0;
    if (!__pincer_is_free && __pincer_turn() == __pincer_self) __pincer_leave_schedule();
    __pincer_tell();
    __pincer_leave();
}

static void __pincer_wait_end(void) {
    __pincer_enter();
    __pincer_threads[__pincer_self].waiting = PINCER_NOT_WAITING;
    __pincer_tell();
    __pincer_leave();
}

static int __pincer_owner(const void *object) {
    __pincer_enter();
    int owner = __pincer_lock_at(object)->owner;
    __pincer_leave();
    return owner;
}

static void __pincer_own(const void *object, int change) {
    __pincer_enter();
    struct __pincer_lock *lock = __pincer_lock_at(object);
    lock->count += change;
    lock->owner = lock->count ? __pincer_self : -1;
    __pincer_tell();
    __pincer_leave();
}

static void __pincer_misuse(const char *what, const struct __pincer_site *site) {
    if (PINCER_KIND == PINCER_MEMORY) __pincer_report_memory(what, site);
}

/* A misuse that only counts where the recorded failure is. */
static void __pincer_misuse_here(const char *what, const struct __pincer_site *site) {
    const struct __pincer_point *stop = &__pincer_stops[0];
    if (!site || __pincer_self != stop->thread || (int)site->line < stop->first || (int)site->line > stop->last) return;
    __pincer_misuse(what, site);
}

static void __pincer_make(const void *object, int is_made) {
    __pincer_enter();
    __pincer_lock_at(object)->is_made = is_made;
    __pincer_leave();
}

static int __pincer_was_made(const void *object) {
    __pincer_enter();
    int is_made = __pincer_lock_at(object)->is_made;
    __pincer_leave();
    return is_made;
}

/* Threads: create, join, exit. */

extern int __real_pthread_create(void *, const void *, void *(*)(void *), void *);
extern int __real_pthread_join(unsigned long, void **), __real_pthread_detach(unsigned long);
extern int __real_pthread_tryjoin_np(unsigned long, void **) __attribute__((weak));
extern void __real_pthread_exit(void *) __attribute__((noreturn));

struct __pincer_start { void *(*routine)(void *); void *argument; int number; };

static void __pincer_finish_thread(void) {
    __pincer_enter();
    __pincer_threads[__pincer_self].ended = 1;
    __pincer_pass(__pincer_self);
    __pincer_tell();
    __pincer_leave();
}

static void *__pincer_run_thread(void *given) {
    struct __pincer_start start = *(struct __pincer_start *)given;
    __real_free(given);
    __pincer_self = start.number;
    __pincer_enter();
    __pincer_threads[start.number].stack = (const char *)__builtin_frame_address(0);
    while (!__pincer_is_free && __pincer_turn() != start.number) __pincer_await();
    __pincer_leave();
    void *result = start.routine(start.argument);
    __pincer_gate(PINCER_END, "", 0, 0, 0, 0);
    __pincer_finish_thread();
    return result;
}

static int __pincer_create(const char *name, void *target, const void *attributes, void *(*routine)(void *),
                           void *argument, const struct __pincer_site *site) {
    extern int pthread_attr_getdetachstate(const void *, int *);
    int is_detached = 0;
    __pincer_result = target;
    __pincer_gate(PINCER_CALL, name, target, 1, 0, site);
    __pincer_result = 0;
    if (!routine) __pincer_misuse_here("the creation of a thread without a function", site);
    if (attributes) pthread_attr_getdetachstate(attributes, &is_detached);
    struct __pincer_start *start = __real_malloc(sizeof *start);
    start->routine = routine;
    start->argument = argument;
    __pincer_enter();
    start->number = __pincer_created++;
    if (__pincer_created > PINCER_MOST_THREADS) {
        __pincer_say("\npincer: diverged: too many threads\n");
        __pincer_stop(99);
    }
    __pincer_threads[start->number].created = 1;
    __pincer_threads[start->number].given_up = is_detached;
    int result = __real_pthread_create(target, attributes, __pincer_run_thread, start);
    if (result) __pincer_threads[start->number].ended = 1;
    else __pincer_threads[start->number].identity = *(unsigned long *)target;
    __pincer_tell();
    __pincer_leave();
    return result;
}
int __wrap_pthread_create(void *target, const void *attributes, void *(*routine)(void *), void *argument) {
    return __pincer_create("pthread_create", target, attributes, routine, argument, PINCER_SITE);
}

/* The thread with an identity, the latest if the system has given it again; -1 if there is none. */
static int __pincer_number_of(unsigned long identity) {
    extern unsigned long pthread_self(void);
    int number = __pincer_self == 0 && pthread_self() == identity ? 0 : -1;
    __pincer_enter();
    for (int i = 1; i < __pincer_created; i++)
        if (__pincer_threads[i].identity == identity) number = i;
    __pincer_leave();
    return number;
}

/* Nobody may wait for a thread, or let it go, twice. */
static void __pincer_give_up(int number, const struct __pincer_site *site) {
    if (number < 0) {
        __pincer_misuse_here("a join or detachment of something that is no thread", site);
        return;
    }
    if (__pincer_threads[number].given_up)
        __pincer_misuse_here("a join or detachment of a thread that was joined or detached before", site);
    __pincer_threads[number].given_up = 1;
}

static int __pincer_join_thread(const char *name, unsigned long identity, void **result,
                                const struct __pincer_site *site) {
    __pincer_result = result;
    __pincer_gate(PINCER_CALL, name, 0, 1, 0, site);
    __pincer_result = 0;
    int number = __pincer_number_of(identity);
    if (number == __pincer_self) __pincer_misuse("a join of the thread itself", site);
    __pincer_give_up(number, site);
    __pincer_threads[__pincer_self].awaited = number;
    int ended = number <= 0 || __pincer_threads[number].ended;
    if (!ended) __pincer_wait_begin(PINCER_JOIN, 0, site);
    int status = __real_pthread_join(identity, result);
    if (!ended) __pincer_wait_end();
    return status;
}
int __wrap_pthread_join(unsigned long identity, void **result) {
    return __pincer_join_thread("pthread_join", identity, result, PINCER_SITE);
}

int __wrap_pthread_tryjoin_np(unsigned long identity, void **result) {
    PINCER_CALLS("pthread_tryjoin_np", 0);
    return __real_pthread_tryjoin_np(identity, result);
}
int __wrap_pthread_detach(unsigned long identity) {
    PINCER_CALLS("pthread_detach", 0);
    __pincer_give_up(__pincer_number_of(identity), PINCER_SITE);
    return __real_pthread_detach(identity);
}
void __wrap_pthread_exit(void *result) {
    PINCER_CALLS("pthread_exit", 0);
    __pincer_finish_thread();
    __real_pthread_exit(result);
}

/* Mutexes. */

extern int __real_pthread_mutex_trylock(void *), __real_pthread_mutex_timedlock(void *, const void *);
extern int __real_pthread_mutex_init(void *, const void *), __real_pthread_mutex_destroy(void *);

static int __pincer_take_mutex(void *mutex, const struct __pincer_site *site) {
    static const long past[2];
    int result = __real_pthread_mutex_trylock(mutex);
    if (result == PINCER_EBUSY && __pincer_owner(mutex) == __pincer_self) {
        result = __real_pthread_mutex_timedlock(mutex, past);
        if (result == PINCER_ETIMEDOUT) result = PINCER_EBUSY;
    }
    if (result == PINCER_EBUSY) {
        __pincer_wait_begin(PINCER_MUTEX, mutex, site);
        result = __real_pthread_mutex_lock(mutex);
        __pincer_own(mutex, 1);
        __pincer_wait_end();
    } else if (!result) __pincer_own(mutex, 1);
    return result;
}

/* The system itself tells that a mutex is none: it was destroyed, or never initialised. */
static int __pincer_valid(int result, const struct __pincer_site *site) {
    if (result == PINCER_EINVAL) __pincer_misuse_here("the use of a mutex that was destroyed or is none", site);
    return result;
}

int __wrap_pthread_mutex_lock(void *mutex) {
    PINCER_CALLS("pthread_mutex_lock", mutex);
    return __pincer_valid(__pincer_take_mutex(mutex, PINCER_SITE), PINCER_SITE);
}
static int __pincer_try_mutex(void *mutex, int refusal, const struct __pincer_site *site) {
    int result = __pincer_valid(__real_pthread_mutex_trylock(mutex), site);
    if (!result) __pincer_own(mutex, 1);
    return result == PINCER_EBUSY ? refusal : result;
}
int __wrap_pthread_mutex_trylock(void *mutex) {
    PINCER_CALLS("pthread_mutex_trylock", mutex);
    return __pincer_try_mutex(mutex, PINCER_EBUSY, PINCER_SITE);
}
int __wrap_pthread_mutex_timedlock(void *mutex, const void *time) {
    PINCER_CALLS("pthread_mutex_timedlock", mutex);
    return __pincer_try_mutex(mutex, PINCER_ETIMEDOUT, PINCER_SITE);
}
static int __pincer_give_mutex(const char *name, void *mutex, const struct __pincer_site *site) {
    __pincer_about(name, mutex, site);
    int mine = __pincer_owner(mutex) == __pincer_self;
    if (mine) __pincer_own(mutex, -1);
    int result = __pincer_valid(__real_pthread_mutex_unlock(mutex), site);
    if (!mine && !result) __pincer_misuse("an unlock of a mutex that it does not hold", site);
    return result;
}
int __wrap_pthread_mutex_unlock(void *mutex) { return __pincer_give_mutex("pthread_mutex_unlock", mutex, PINCER_SITE); }
int __wrap_pthread_mutex_init(void *mutex, const void *attributes) {
    PINCER_CALLS("pthread_mutex_init", mutex);
    return __real_pthread_mutex_init(mutex, attributes);
}
int __wrap_pthread_mutex_destroy(void *mutex) {
    PINCER_CALLS("pthread_mutex_destroy", mutex);
    if (__pincer_owner(mutex) >= 0) __pincer_misuse("the destruction of a mutex that is held", PINCER_SITE);
    return __real_pthread_mutex_destroy(mutex);
}

/* Condition variables: a list of sleepers in the order of their coming. */

static int __pincer_is_point(const char *name) {
    return __pincer_clock < PINCER_POINTS && __pincer_points[__pincer_clock].action == PINCER_CALL &&
           __pincer_same(__pincer_points[__pincer_clock].name, name);
}

/* Sleep until the schedule or, when that is over, `ready` says so. The monitor is held. */
static void __pincer_sleep_at(const char *name, int (*ready)(struct __pincer_thread *)) {
    int number = __pincer_self;
    struct __pincer_thread *me = &__pincer_threads[number];
    __pincer_pass(number);
    __pincer_tell();
    for (;;) {
        if (__pincer_is_free) {
            if (ready(me)) break;
        } else if (__pincer_turn() == number) {
            if (__pincer_is_point(name)) {
                __pincer_done = 1;
                break;
            }
            if (__pincer_clock >= PINCER_POINTS && ready(me)) break;
            __pincer_leave_schedule();
            continue;
        }
        __pincer_await();
    }
}

static int __pincer_is_woken(struct __pincer_thread *me) { return me->signalled || me->timed; }
static int __pincer_is_away(struct __pincer_thread *me) { return !me->queue; }

/* All who wait for a condition have to give up the same mutex. The monitor is held. */
static int __pincer_is_bound_elsewhere(const void *condition, const void *mutex) {
    for (int i = 0; i < __pincer_created; i++) {
        struct __pincer_thread *thread = &__pincer_threads[i];
        if (thread->queue == condition && !thread->signalled && thread->mutex != mutex) return 1;
    }
    return 0;
}

static int __pincer_wait_for(const char *name, void *condition, void *mutex, int timed,
                                    const struct __pincer_site *site) {
    struct __pincer_thread *me = &__pincer_threads[__pincer_self];
    __pincer_about(name, condition, site);
    if (__pincer_owner(mutex) != __pincer_self)
        __pincer_misuse("a wait with a mutex that it does not hold", site);
    __pincer_enter();
    int is_bound = __pincer_is_bound_elsewhere(condition, mutex);
    __pincer_leave();
    if (is_bound) __pincer_misuse("a wait for a condition with another mutex than those who wait already", site);
    __pincer_enter();
    struct __pincer_lock *lock = __pincer_lock_at(mutex);
    int count = lock->count;
    lock->count = 0;
    lock->owner = -1;
    for (int i = 0; i < count; i++) __real_pthread_mutex_unlock(mutex);
    me->queue = condition;
    me->mutex = mutex;
    me->ticket = ++__pincer_tickets;
    me->signalled = 0;
    me->timed = timed;
    me->waiting = PINCER_CONDITION;
    me->object = condition;
    me->line = site ? site->line : 0;
    __pincer_sleep_at(name, __pincer_is_woken);
    me->waiting = PINCER_NOT_WAITING;
    me->queue = 0;
    int result = timed && !me->signalled ? PINCER_ETIMEDOUT : 0;
    if (!me->signalled) {        /* leaving without a signal is a step, and taking the mutex another one */
        if (!__pincer_is_free && __pincer_is_point(name) && __pincer_points[__pincer_clock].pick) result = 0;
        __pincer_sleep_at(name, __pincer_is_away);
    }
    __pincer_leave();
    for (int i = 0; i < count; i++) __pincer_take_mutex(mutex, site);
    return result;
}

int __wrap_pthread_cond_wait(void *condition, void *mutex) {
    return __pincer_wait_for("pthread_cond_wait", condition, mutex, 0, PINCER_SITE);
}
int __wrap_pthread_cond_timedwait(void *condition, void *mutex, const void *time) {
    return __pincer_wait_for("pthread_cond_timedwait", condition, mutex, 1, PINCER_SITE);
}

static struct __pincer_thread *__pincer_sleeper(const void *condition, int pick) {
    unsigned long after = 0;
    for (;;) {
        struct __pincer_thread *next = 0;
        for (int i = 0; i < __pincer_created; i++) {
            struct __pincer_thread *thread = &__pincer_threads[i];
            if (thread->queue == condition && !thread->signalled && thread->ticket > after &&
                (!next || thread->ticket < next->ticket))
                next = thread;
        }
        if (!next || !pick--) return next;
        after = next->ticket;
    }
}

/* Nobody sleeps at an object that ends. */
static void __pincer_check_unused(const void *object, const char *what, const struct __pincer_site *site) {
    __pincer_enter();
    struct __pincer_thread *sleeper = __pincer_sleeper(object, 0);
    __pincer_leave();
    if (sleeper) __pincer_misuse_here(what, site);
}

static int __pincer_signal(const char *name, void *condition, const struct __pincer_site *site) {
    const struct __pincer_point *point = __pincer_about(name, condition, site);
    __pincer_enter();
    struct __pincer_thread *woken = __pincer_sleeper(condition, point ? point->pick : 0);
    if (woken) woken->signalled = 1;
    __pincer_tell();
    __pincer_leave();
    return 0;
}
static int __pincer_signal_all(const char *name, void *condition, const struct __pincer_site *site) {
    __pincer_about(name, condition, site);
    __pincer_enter();
    for (struct __pincer_thread *woken; (woken = __pincer_sleeper(condition, 0));) woken->signalled = 1;
    __pincer_tell();
    __pincer_leave();
    return 0;
}
int __wrap_pthread_cond_signal(void *condition) {
    return __pincer_signal("pthread_cond_signal", condition, PINCER_SITE);
}
int __wrap_pthread_cond_broadcast(void *condition) {
    return __pincer_signal_all("pthread_cond_broadcast", condition, PINCER_SITE);
}
int __wrap_pthread_cond_init(void *condition, const void *attributes) {
    extern int __real_pthread_cond_init(void *, const void *);
    PINCER_CALLS("pthread_cond_init", condition);
    return __real_pthread_cond_init(condition, attributes);
}
int __wrap_pthread_cond_destroy(void *condition) {
    PINCER_CALLS("pthread_cond_destroy", condition);
    __pincer_check_unused(condition, "the destruction of a condition variable that threads wait for", PINCER_SITE);
    return 0;
}

/* Barriers. */

int __wrap_pthread_barrier_init(void *barrier, const void *attributes, unsigned count) {
    extern int __real_pthread_barrier_init(void *, const void *, unsigned);
    PINCER_CALLS("pthread_barrier_init", barrier);
    __pincer_enter();
    struct __pincer_lock *made = __pincer_lock_at(barrier);
    made->needed = (int)count;
    made->arrived = 0;
    __pincer_leave();
    return __real_pthread_barrier_init(barrier, attributes, count);
}
static void __pincer_check_barrier(const void *barrier, const struct __pincer_site *site) {
    __pincer_enter();
    int needed = __pincer_lock_at(barrier)->needed;
    __pincer_leave();
    if (!needed) __pincer_misuse_here("the use of a barrier that is not initialised", site);
}
int __wrap_pthread_barrier_destroy(void *barrier) {
    PINCER_CALLS("pthread_barrier_destroy", barrier);
    __pincer_check_barrier(barrier, PINCER_SITE);
    __pincer_enter();
    int arrived = __pincer_lock_at(barrier)->arrived;
    __pincer_lock_at(barrier)->needed = 0;
    __pincer_leave();
    if (arrived) __pincer_misuse_here("the destruction of a barrier at which threads wait", PINCER_SITE);
    return 0;
}

static int __pincer_is_past(struct __pincer_thread *me) {
    return __pincer_lock_at(me->queue)->round != me->round;
}

int __wrap_pthread_barrier_wait(void *barrier) {
    const struct __pincer_site *site = PINCER_SITE;
    const struct __pincer_point *point = PINCER_CALLS("pthread_barrier_wait", barrier);
    __pincer_check_barrier(barrier, site);
    struct __pincer_thread *me = &__pincer_threads[__pincer_self];
    __pincer_enter();
    struct __pincer_lock *found = __pincer_lock_at(barrier);
    unsigned long round = found->round;
    found->queue[found->arrived++] = __pincer_self;
    if (found->arrived >= found->needed) {
        found->serials[found->queue[point && point->pick < found->arrived ? point->pick : 0]] = 1;
        found->arrived = 0;
        found->round++;
        __pincer_tell();
    } else {
        me->queue = barrier;
        me->round = round;
        me->signalled = 1;
        me->waiting = PINCER_BARRIER;
        me->object = barrier;
        me->line = site ? site->line : 0;
        __pincer_sleep_at("pthread_barrier_wait", __pincer_is_past);
        me->waiting = PINCER_NOT_WAITING;
        me->queue = 0;
    }
    int serial = found->serials[__pincer_self];
    found->serials[__pincer_self] = 0;
    __pincer_leave();
    return serial ? -1 : 0;
}

/* One-time initialisation. */

static int __pincer_is_initialised(struct __pincer_thread *me) {
    return __pincer_lock_at(me->object)->done;
}

static int __pincer_run_once(const char *name, const char *done, void *control, void (*routine)(void),
                             const struct __pincer_site *site) {
    struct __pincer_thread *me = &__pincer_threads[__pincer_self];
    __pincer_about(name, control, site);
    __pincer_enter();
    struct __pincer_lock *found = __pincer_lock_at(control);
    int first = !found->done && found->owner < 0;
    if (first) found->owner = __pincer_self;
    else if (!found->done) {
        me->waiting = PINCER_ONCE;
        me->object = control;
        me->line = site ? site->line : 0;
        if (!__pincer_is_free && __pincer_turn() == __pincer_self) __pincer_leave_schedule();
        while (!__pincer_is_initialised(me)) __pincer_await();
        me->waiting = PINCER_NOT_WAITING;
    }
    __pincer_leave();
    if (!first) return 0;
    routine();
    __pincer_about(done, control, site);
    __pincer_enter();
    found->done = 1;
    found->owner = -1;
    __pincer_tell();
    __pincer_leave();
    return 0;
}
int __wrap_pthread_once(void *control, void (*routine)(void)) {
    return __pincer_run_once("pthread_once", "pthread_once_done", control, routine, PINCER_SITE);
}

/* Semaphores, spin locks and read-write locks. */

extern int __real_sem_wait(void *), __real_sem_trywait(void *), __real_sem_getvalue(void *, int *);
extern int *__pincer_errno(void) __asm__("__errno_location");

static void __pincer_check_semaphore(const void *semaphore, const struct __pincer_site *site) {
    if (!__pincer_was_made(semaphore)) __pincer_misuse_here("the use of a semaphore that is not initialised", site);
}

int __wrap_sem_wait(void *semaphore) {
    PINCER_CALLS("sem_wait", semaphore);
    __pincer_check_semaphore(semaphore, PINCER_SITE);
    if (!__real_sem_trywait(semaphore)) return 0;
    __pincer_wait_begin(PINCER_SEMAPHORE, semaphore, PINCER_SITE);
    int result = __real_sem_wait(semaphore);
    __pincer_wait_end();
    return result;
}
int __wrap_sem_trywait(void *semaphore) {
    PINCER_CALLS("sem_trywait", semaphore);
    __pincer_check_semaphore(semaphore, PINCER_SITE);
    return __real_sem_trywait(semaphore);
}
int __wrap_sem_timedwait(void *semaphore, const void *time) {
    PINCER_CALLS("sem_timedwait", semaphore);
    __pincer_check_semaphore(semaphore, PINCER_SITE);
    int result = __real_sem_trywait(semaphore);
    if (result) *__pincer_errno() = PINCER_ETIMEDOUT;
    return result;
}
int __wrap_sem_getvalue(void *semaphore, int *value) {
    __pincer_result = value;
    PINCER_CALLS("sem_getvalue", semaphore);
    __pincer_result = 0;
    return __real_sem_getvalue(semaphore, value);
}
int __wrap_sem_init(void *semaphore, int shared, unsigned value) {
    extern int __real_sem_init(void *, int, unsigned);
    PINCER_CALLS("sem_init", semaphore);
    __pincer_make(semaphore, 1);
    return __real_sem_init(semaphore, shared, value);
}

int __wrap_sem_post(void *semaphore) {
    extern int __real_sem_post(void *);
    PINCER_CALLS("sem_post", semaphore);
    __pincer_check_semaphore(semaphore, PINCER_SITE);
    return __real_sem_post(semaphore);
}
int __wrap_sem_destroy(void *semaphore) {
    extern int __real_sem_destroy(void *);
    PINCER_CALLS("sem_destroy", semaphore);
    __pincer_check_semaphore(semaphore, PINCER_SITE);
    __pincer_make(semaphore, 0);
    return __real_sem_destroy(semaphore);
}
int __wrap_pthread_spin_destroy(void *lock) {
    extern int __real_pthread_spin_destroy(void *);
    PINCER_CALLS("pthread_spin_destroy", lock);
    if (__pincer_owner(lock) >= 0) __pincer_misuse_here("the destruction of a spin lock that is held", PINCER_SITE);
    return __real_pthread_spin_destroy(lock);
}
int __wrap_pthread_rwlock_destroy(void *lock) {
    extern int __real_pthread_rwlock_destroy(void *);
    PINCER_CALLS("pthread_rwlock_destroy", lock);
    __pincer_enter();
    int held = __pincer_lock_at(lock)->owner >= 0;
    for (int i = 0; i < __pincer_created; i++) held |= __pincer_lock_at(lock)->readers[i];
    __pincer_leave();
    if (held) __pincer_misuse_here("the destruction of a read-write lock that is held", PINCER_SITE);
    return __real_pthread_rwlock_destroy(lock);
}

extern int __real_pthread_spin_lock(void *), __real_pthread_spin_trylock(void *), __real_pthread_spin_unlock(void *);

int __wrap_pthread_spin_init(void *lock, int shared) {
    extern int __real_pthread_spin_init(void *, int);
    PINCER_CALLS("pthread_spin_init", lock);
    return __real_pthread_spin_init(lock, shared);
}
int __wrap_pthread_spin_lock(void *lock) {
    PINCER_CALLS("pthread_spin_lock", lock);
    int busy = __real_pthread_spin_trylock(lock);
    if (busy) {
        __pincer_wait_begin(PINCER_SPIN, lock, PINCER_SITE);
        while (__real_pthread_spin_trylock(lock)) __pincer_sleep(1000);
    }
    __pincer_own(lock, 1);
    if (busy) __pincer_wait_end();
    return 0;
}
int __wrap_pthread_spin_trylock(void *lock) {
    PINCER_CALLS("pthread_spin_trylock", lock);
    int result = __real_pthread_spin_trylock(lock);
    if (!result) __pincer_own(lock, 1);
    return result;
}
int __wrap_pthread_spin_unlock(void *lock) {
    PINCER_CALLS("pthread_spin_unlock", lock);
    if (__pincer_owner(lock) != __pincer_self)
        __pincer_misuse("an unlock of a spin lock that it does not hold", PINCER_SITE);
    else __pincer_own(lock, -1);
    return __real_pthread_spin_unlock(lock);
}

extern int __real_pthread_rwlock_rdlock(void *), __real_pthread_rwlock_tryrdlock(void *);
extern int __real_pthread_rwlock_wrlock(void *), __real_pthread_rwlock_trywrlock(void *);

static void __pincer_read_own(const void *lock, int change) {
    __pincer_enter();
    __pincer_lock_at(lock)->readers[__pincer_self] += change;
    __pincer_tell();
    __pincer_leave();
}

static int __pincer_take_rwlock(void *lock, int (*try)(void *), int (*take)(void *), int writes, int refusal,
                                       const struct __pincer_site *site) {
    int result = try(lock);
    int waits = result == PINCER_EBUSY && !refusal && __pincer_owner(lock) != __pincer_self;
    if (result == PINCER_EBUSY && refusal) return refusal;
    if (waits) __pincer_wait_begin(PINCER_RWLOCK, lock, site);
    if (result == PINCER_EBUSY) result = take(lock);
    if (!result && writes) __pincer_own(lock, 1);
    else if (!result) __pincer_read_own(lock, 1);
    if (waits) __pincer_wait_end();
    return result;
}

#define PINCER_RWLOCK_CALL(name, parameters, mode, writes, refusal) \
    int __wrap_pthread_rwlock_##name parameters { \
        PINCER_CALLS("pthread_rwlock_" #name, lock); \
        return __pincer_take_rwlock(lock, __real_pthread_rwlock_try##mode, __real_pthread_rwlock_##mode, writes, \
                                    refusal, PINCER_SITE); \
    }
PINCER_RWLOCK_CALL(rdlock, (void *lock), rdlock, 0, 0)
PINCER_RWLOCK_CALL(wrlock, (void *lock), wrlock, 1, 0)
PINCER_RWLOCK_CALL(tryrdlock, (void *lock), rdlock, 0, PINCER_EBUSY)
PINCER_RWLOCK_CALL(trywrlock, (void *lock), wrlock, 1, PINCER_EBUSY)
PINCER_RWLOCK_CALL(timedrdlock, (void *lock, const void *time), rdlock, 0, PINCER_ETIMEDOUT)
PINCER_RWLOCK_CALL(timedwrlock, (void *lock, const void *time), wrlock, 1, PINCER_ETIMEDOUT)

int __wrap_pthread_rwlock_init(void *lock, const void *attributes) {
    extern int __real_pthread_rwlock_init(void *, const void *);
    PINCER_CALLS("pthread_rwlock_init", lock);
    return __real_pthread_rwlock_init(lock, attributes);
}
int __wrap_pthread_rwlock_unlock(void *lock) {
    extern int __real_pthread_rwlock_unlock(void *);
    PINCER_CALLS("pthread_rwlock_unlock", lock);
    __pincer_enter();
    int reads = __pincer_lock_at(lock)->readers[__pincer_self], writes = __pincer_lock_at(lock)->owner == __pincer_self;
    __pincer_leave();
    if (writes) __pincer_own(lock, -1);
    else if (reads) __pincer_read_own(lock, -1);
    else __pincer_misuse("an unlock of a read-write lock that it does not hold", PINCER_SITE);
    return __real_pthread_rwlock_unlock(lock);
}

/* Atomic sections: nobody else runs meanwhile. */

int __pincer_section_begin(void) {
    if (!__pincer_depth) {
        __pincer_gate(PINCER_CALL, "__VERIFIER_atomic_begin", 0, 0, 0, PINCER_SITE);
        __pincer_enter();
        while (__pincer_is_free && __pincer_section >= 0) __pincer_await();
        __pincer_section = __pincer_self;
        __pincer_leave();
    }
    return __pincer_depth++;
}
void __pincer_section_end(int *depth) {
    __pincer_depth--;
    if (__pincer_depth) return;
    __pincer_enter();
    __pincer_section = -1;
    __pincer_tell();
    __pincer_leave();
}
void __wrap___VERIFIER_atomic_begin(void) { __pincer_section_begin(); }
void __wrap___VERIFIER_atomic_end(void) { __pincer_section_end(0); }

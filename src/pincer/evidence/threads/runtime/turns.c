/* Enforces a schedule: one thread runs at a time, up to its next step that others may notice, in the recorded order.

   Every access to memory and every call of the threads library comes through __pincer_gate. A thread whose turn it is
   passes by until it meets its recorded step, takes it, and gives the turn away when it comes to the gate again. When
   all points are used up, or the run leaves the schedule, threads run freely or alone, as the kind of failure asks.
   Nothing here includes a header, so that it compiles for any system's C library. */

static struct __pincer_thread __pincer_threads[PINCER_MOST_THREADS];
static int __pincer_created = 1;
static int __pincer_clock, __pincer_done, __pincer_is_free, __pincer_section = -1;
static unsigned long __pincer_progress;
static struct __pincer_access __pincer_racing[2];
static int __pincer_arrived;
static __thread int __pincer_depth;
static __thread int __pincer_tries_again;  /* an operator of the program that is a loop around an exchange */

static struct { const void *address; const char *name; } __pincer_names[256];
static int __pincer_named;

/* Compilers may evaluate the parts of a statement in another order than the schedule has them. Points that were taken
   before their turn are `taken`; with PINCER_LATE they are put off instead, and `owed`. They may leave accesses out
   whose values do not matter (`u * 0`): with PINCER_SKIP those are passed over when the thread comes to a later one. */
static unsigned char __pincer_taken[PINCER_POINTS + 1], __pincer_owed[PINCER_POINTS + 1];
static int __pincer_is_late, __pincer_skips, __pincer_is_inexact;
extern void *__pincer_object(int) __attribute__((weak));
extern unsigned long __pincer_object_size(int) __attribute__((weak));

static long __pincer_monitor[16], __pincer_news[16];
extern int __real_pthread_mutex_lock(void *), __real_pthread_mutex_unlock(void *);
extern int __real_pthread_cond_wait(void *, void *), __real_pthread_cond_broadcast(void *);
extern int __pincer_sleep(unsigned) __asm__("usleep");

static void __pincer_enter(void) { __real_pthread_mutex_lock(__pincer_monitor); }
static void __pincer_leave(void) { __real_pthread_mutex_unlock(__pincer_monitor); }
static void __pincer_tell(void) { __pincer_progress++; __real_pthread_cond_broadcast(__pincer_news); }
static void __pincer_await(void) { __real_pthread_cond_wait(__pincer_news, __pincer_monitor); }

static int __pincer_same(const char *one, const char *other) {
    while (*one && *one == *other) one++, other++;
    return *one == *other;
}

/* Where the program calls from: the table of call sites that the build script collects from the assembly. */
extern struct __pincer_site __start_pincer_sites[] __attribute__((weak));
extern struct __pincer_site __stop_pincer_sites[] __attribute__((weak));

static void __pincer_sort_sites(void) {
    for (struct __pincer_site *at = __start_pincer_sites; at && at < __stop_pincer_sites; at++) {
        struct __pincer_site site = *at, *to = at;
        for (; to > __start_pincer_sites && to[-1].address > site.address; to--) *to = to[-1];
        *to = site;
    }
}

static const struct __pincer_site *__pincer_find_site(void *address) {
    struct __pincer_site *low = __start_pincer_sites, *high = __stop_pincer_sites;
    while (low && low < high) {
        struct __pincer_site *middle = low + (high - low) / 2;
        if (middle->address == (unsigned long)address) return middle;
        if (middle->address < (unsigned long)address) low = middle + 1;
        else high = middle;
    }
    return 0;
}

static const char *__pincer_name_of(const void *address) {
    for (int i = 0; i < __pincer_named; i++)
        if (__pincer_names[i].address == address) return __pincer_names[i].name;
    return 0;
}

static void __pincer_learn(const void *address, const char *name) {
    if (!address || !name[0] || __pincer_name_of(address) || __pincer_named == 256) return;
    __pincer_names[__pincer_named].address = address;
    __pincer_names[__pincer_named++].name = name;
}

/* Whether the program itself exchanges there if equal; otherwise that is how compilers write `x *= 2`. */
static int __pincer_is_operator(const struct __pincer_site *site) {
    int found = 0;
    for (struct __pincer_site *at = __start_pincer_sites; at && at < __stop_pincer_sites; at++)
        found |= at->exchanges && at->line == site->line && __pincer_same(at->file, site->file);
    for (int i = 0; found && __pincer_exchanges[i].file; i++)
        if ((int)site->line >= __pincer_exchanges[i].first && (int)site->line <= __pincer_exchanges[i].last &&
            __pincer_same(site->file, __pincer_exchanges[i].file))
            return 0;
    return found;
}

/* The thread that may run: that of the next point, then one thread at a time on its way to where it stops. */
static int __pincer_turn(void) {
    if (__pincer_clock < PINCER_POINTS) return __pincer_points[__pincer_clock].thread;
    if (PINCER_KIND == PINCER_RACE) return __pincer_arrived < 2 ? __pincer_stops[__pincer_arrived].thread : -1;
    return __pincer_stops[0].thread;
}

static void __pincer_say_place(int thread, unsigned long line) {
    __pincer_say("thread ");
    __pincer_say_number(thread);
    if (!line) return;
    __pincer_say(" at line ");
    __pincer_say_number(line);
}

static void __pincer_leave_schedule(void) {
    if (__pincer_is_free) return;
    if (__pincer_clock < PINCER_POINTS) {
        __pincer_say("\npincer: left the schedule at step ");
        __pincer_say_number(__pincer_clock + 1);
        __pincer_say(", ");
        __pincer_say_place(__pincer_points[__pincer_clock].thread, __pincer_points[__pincer_clock].line);
        __pincer_say("\n");
    }
    __pincer_is_free = 1;
    __pincer_tell();
}

static int __pincer_live(void) {
    int live = 0;
    for (int i = 0; i < __pincer_created; i++) live += !__pincer_threads[i].ended;
    return live;
}

static void __pincer_advance(void) {
    do __pincer_clock++;
    while (__pincer_clock < PINCER_POINTS && __pincer_taken[__pincer_clock]);
}

/* The next point of a thread, after the one that it takes now, or null. */
static const struct __pincer_point *__pincer_next_point(int me) {
    for (int i = __pincer_clock; i < PINCER_POINTS; i++) {
        if (__pincer_points[i].thread != me || __pincer_taken[i] || (i == __pincer_clock && __pincer_done)) continue;
        return &__pincer_points[i];
    }
    for (int i = 0; PINCER_KIND == PINCER_RACE && i < PINCER_STOPS; i++)
        if (__pincer_stops[i].thread == me) return &__pincer_stops[i];
    return 0;
}

/* The step that a thread was allowed to take is over. */
static void __pincer_pass(int me) {
    if (__pincer_is_free || !__pincer_done || __pincer_turn() != me) return;
    __pincer_done = 0;
    __pincer_advance();
    if (__pincer_clock == PINCER_POINTS && PINCER_KIND == PINCER_DEADLOCK) __pincer_is_free = 1;
    __pincer_tell();
}

/* The global variable around an address, of those that the schedule names; -1 if it is none of them. */
static int __pincer_known(const void *address) {
    for (int i = 0; i < PINCER_OBJECTS; i++) {
        const char *object = __pincer_object(i);
        if ((const char *)address >= object && (const char *)address < object + __pincer_object_size(i)) return i;
    }
    return -1;
}

static int __pincer_is_access(int action) { return action == PINCER_READ || action == PINCER_WRITE; }

/* Whether what is about to happen is this point: the same call, or an access to the same data in the same statement. */
static int __pincer_matches(const struct __pincer_point *point, int action, const char *name, const void *address,
                            unsigned long size, int atomic, const struct __pincer_site *site) {
    int section = point->action == PINCER_CALL && __pincer_same(point->name, "__VERIFIER_atomic_begin");
    if (!__pincer_is_access(action))
        return point->action == action && (action == PINCER_END || __pincer_same(point->name, name));
    if (atomic ? !section && point->action == PINCER_CALL : point->action != action) return 0;
    if (!site || (int)site->line < point->first || (int)site->line > point->last ||
        !__pincer_same(site->file, point->file))
        return 0;
    if (section) return 1;
    if (point->known < 0) return __pincer_known(address) < 0;
    const char *start = (const char *)__pincer_object(point->known) + point->offset;
    return start >= (const char *)address && start < (const char *)address + size;
}

static int __pincer_same_statement(const struct __pincer_point *one, const struct __pincer_point *other) {
    return __pincer_is_access(one->action) && __pincer_is_access(other->action) && one->first == other->first &&
           one->last == other->last && __pincer_same(one->file, other->file);
}

/* A later point of the same statement of the same thread that is about to happen first, or -1. */
static int __pincer_find_later(int action, const char *name, const void *address, unsigned long size, int atomic,
                               const struct __pincer_site *site) {
    const struct __pincer_point *now = &__pincer_points[__pincer_clock];
    for (int i = __pincer_clock + 1; i < PINCER_POINTS; i++) {
        const struct __pincer_point *later = &__pincer_points[i];
        if (later->thread != now->thread || __pincer_taken[i]) continue;
        if (!__pincer_same_statement(now, later)) return -1;
        if (__pincer_matches(later, action, name, address, size, atomic, site)) return i;
    }
    return -1;
}

/* Whether an access that was put off is about to happen; it belongs to the step before. */
static int __pincer_pays(int me, int action, const char *name, const void *address, unsigned long size, int atomic,
                         const struct __pincer_site *site) {
    for (int i = 0; i < __pincer_clock; i++)
        if (__pincer_owed[i] && __pincer_points[i].thread == me &&
            __pincer_matches(&__pincer_points[i], action, name, address, size, atomic, site)) {
            __pincer_owed[i] = 0;
            return 1;
        }
    return 0;
}

static void __pincer_note_inexact(void) {
    if (!__pincer_is_inexact) __pincer_say("\npincer: inexact\n");
    __pincer_is_inexact = 1;
}

/* Pass over the accesses of the thread before its first point that is what is about to happen, if there is one. */
static int __pincer_skip(int action, const char *name, const void *address, unsigned long size, int atomic,
                         const struct __pincer_site *site) {
    int me = __pincer_points[__pincer_clock].thread, found = -1;
    for (int i = __pincer_clock; i < PINCER_POINTS && found < 0; i++) {
        const struct __pincer_point *point = &__pincer_points[i];
        if (point->thread != me || __pincer_taken[i]) continue;
        if (__pincer_matches(point, action, name, address, size, atomic, site)) found = i;
        else if (!__pincer_is_access(point->action)) return 0;
    }
    if (found < 0) return 0;
    for (int i = __pincer_clock; i < found; i++)
        if (__pincer_points[i].thread == me) __pincer_taken[i] = 1;
    __pincer_advance();
    __pincer_tell();
    return 1;
}

/* What is about to happen is not the next point: one of the same statement, or something that no point tells of.
   Returns whether the thread has to wait for its turn again. */
static int __pincer_reorder(int action, const char *name, const void *address, unsigned long size, int atomic,
                            const struct __pincer_site *site) {
    int later = __pincer_find_later(action, name, address, size, atomic, site);
    if (later < 0) {
        if (__pincer_skips && __pincer_skip(action, name, address, size, atomic, site)) return 1;
        if (__pincer_is_access(action) && __pincer_known(address) >= 0 && __pincer_live() > 1) __pincer_note_inexact();
        return 0;
    }
    __pincer_note_inexact();
    if (!__pincer_is_late) {
        __pincer_taken[later] = 1;
        return 0;
    }
    __pincer_owed[__pincer_clock] = 1;
    __pincer_advance();
    __pincer_tell();
    return 1;
}

/* Both threads stand before their accesses, and nobody else has run since: either could go first. */
static void __pincer_judge_race(void) {
    struct __pincer_access *one = &__pincer_racing[0], *other = &__pincer_racing[1];
    const char *from = one->address, *till = other->address;
    int overlap = from < till + other->size && till < from + one->size;
    int writes = one->action == PINCER_WRITE || other->action == PINCER_WRITE;
    if (!overlap || !writes || (one->atomic && other->atomic)) {
        __pincer_say("\npincer: diverged: the two accesses do not race\n");
        __pincer_stop(99);
    }
    __pincer_say("\npincer: race: ");
    __pincer_say_place(one->thread, one->line);
    __pincer_say(one->action == PINCER_WRITE ? " is about to write what " : " is about to read what ");
    __pincer_say_place(other->thread, other->line);
    __pincer_say(other->action == PINCER_WRITE ? " is about to write\n" : " is about to read\n");
    __pincer_stop(PINCER_RACE_STATUS);
}

/* Where the call that a thread is about to make stores something, or null. */
static __thread const void *__pincer_result;

/* A call is an access, too: a plain one to where it stores something, an atomic one to the object it is about. */
static int __pincer_stops_here(int me, int action, const void *address, unsigned long size, int atomic,
                                      const char *name, const struct __pincer_site *site) {
    if (PINCER_KIND != PINCER_RACE) return 0;
    const struct __pincer_point *stop = &__pincer_stops[__pincer_arrived];
    if (action == PINCER_CALL) {
        action = PINCER_WRITE;
        size = sizeof(int);
        atomic = !__pincer_result || !__pincer_matches(stop, action, name, __pincer_result, size, 0, site);
        if (!atomic) address = __pincer_result;
    }
    if (!__pincer_matches(stop, action, name, address, size, atomic, site)) return 0;
    struct __pincer_access access = {address, size, site ? site->line : 0, me, action, atomic};
    __pincer_racing[__pincer_arrived++] = access;
    if (__pincer_arrived == 2) __pincer_judge_race();
    __pincer_tell();
    return 1;
}

static void __pincer_report_endless(void) {
    __pincer_say("\npincer: endless: ");
    if (PINCER_LOOP) {
        __pincer_say_number((PINCER_POINTS - PINCER_STEM) / PINCER_LOOP);
        __pincer_say(" rounds of the schedule, each from the same values of shared variables\n");
    } else {
        __pincer_say_place(__pincer_stops[0].thread, __pincer_stops[0].line);
        __pincer_say(" goes on and does nothing that others could notice\n");
    }
    __pincer_stop(PINCER_ENDLESS_STATUS);
}

/* A point of rounds that never end: each begins with the same values, and the last one has been seen. */
static void __pincer_go_round(void) {
    static unsigned long first, known;
    unsigned long values = 5381;
    int at = __pincer_clock - PINCER_STEM;
    if (PINCER_KIND != PINCER_ENDLESS || at < 0) return;
    if (__pincer_clock == PINCER_POINTS - 1) __pincer_report_endless();
    if (at % (PINCER_LOOP ? PINCER_LOOP : 1)) return;
    for (int i = 0; i < PINCER_OBJECTS; i++) {
        const volatile unsigned char *bytes = __pincer_object(i);
        for (unsigned long j = 0; j < __pincer_object_size(i); j++) values = values * 33 + bytes[j];
    }
    if (known++ && values != first) {
        __pincer_say("\npincer: diverged: a round begins with other values than the one before\n");
        __pincer_stop(99);
    }
    first = values;
}

/* Every step that others may notice comes here first. Returns the point it is, if it is one. */
static const struct __pincer_point *__pincer_gate(int action, const char *name, const void *address,
                                                         unsigned long size, int atomic,
                                                         const struct __pincer_site *site) {
    int me = __pincer_self;
    const struct __pincer_point *point = 0;
    if (me < 0 || __pincer_depth || __pincer_tries_again || __pincer_threads[me].ended) return 0;
    __pincer_enter();
    if (__pincer_pays(me, action, name, address, size, atomic, site)) {
        __pincer_leave();
        return 0;
    }
    __pincer_pass(me);
    for (;;) {
        if (__pincer_is_free) {
            if (__pincer_section < 0 || __pincer_section == me) break;
        } else if (__pincer_turn() == me) {
            if (__pincer_clock >= PINCER_POINTS) {
                if (__pincer_stops_here(me, action, address, size, atomic, name, site)) continue;
            } else if (__pincer_matches(&__pincer_points[__pincer_clock], action, name, address, size, atomic, site)) {
                point = &__pincer_points[__pincer_clock];
                __pincer_learn(address, point->object);
                __pincer_done = 1;
                __pincer_go_round();
            } else if (__pincer_reorder(action, name, address, size, atomic, site)) continue;
            break;
        }
        __pincer_await();
    }
    __pincer_progress++;
    __pincer_leave();
    return point;
}

/* Threads of C11: the same objects as those of POSIX, other names and other words for what went wrong. */

static int __pincer_in_c11(int result) {
    return result == 0 ? 0 : result == PINCER_EBUSY ? 1 : result == PINCER_ETIMEDOUT ? 4 : 2;
}

int __wrap_thrd_create(void *target, int (*routine)(void *), void *argument) {
    return __pincer_in_c11(
        __pincer_create("thrd_create", target, 0, (void *(*)(void *))routine, argument, PINCER_SITE));
}
int __wrap_thrd_join(unsigned long identity, int *result) {
    void *value = 0;
    int status = __pincer_in_c11(__pincer_join_thread("thrd_join", identity, &value, PINCER_SITE));
    if (result && !status) __pincer_touch(PINCER_WRITE, result, sizeof *result, 0, __builtin_return_address(0));
    if (result && !status) *result = (int)(long)value;
    return status;
}
int __wrap_thrd_detach(unsigned long identity) {
    PINCER_CALLS("thrd_detach", 0);
    __pincer_give_up(__pincer_number_of(identity), PINCER_SITE);
    return __pincer_in_c11(__real_pthread_detach(identity));
}
void __wrap_thrd_exit(int result) {
    PINCER_CALLS("thrd_exit", 0);
    __pincer_finish_thread();
    __real_pthread_exit((void *)(long)result);
}
int __wrap_mtx_init(void *mutex, int kind) {
    PINCER_CALLS("mtx_init", mutex);
    return __pincer_in_c11(__real_pthread_mutex_init(mutex, 0));
}
void __wrap_mtx_destroy(void *mutex) {
    PINCER_CALLS("mtx_destroy", mutex);
    if (__pincer_owner(mutex) >= 0) __pincer_misuse("the destruction of a mutex that is held", PINCER_SITE);
    __real_pthread_mutex_destroy(mutex);
}
int __wrap_mtx_lock(void *mutex) {
    PINCER_CALLS("mtx_lock", mutex);
    return __pincer_in_c11(__pincer_valid(__pincer_take_mutex(mutex, PINCER_SITE), PINCER_SITE));
}
int __wrap_mtx_trylock(void *mutex) {
    PINCER_CALLS("mtx_trylock", mutex);
    return __pincer_in_c11(__pincer_try_mutex(mutex, PINCER_EBUSY, PINCER_SITE));
}
int __wrap_mtx_timedlock(void *mutex, const void *time) {
    PINCER_CALLS("mtx_timedlock", mutex);
    return __pincer_in_c11(__pincer_try_mutex(mutex, PINCER_ETIMEDOUT, PINCER_SITE));
}
int __wrap_mtx_unlock(void *mutex) {
    return __pincer_in_c11(__pincer_give_mutex("mtx_unlock", mutex, PINCER_SITE));
}
int __wrap_cnd_init(void *condition) {
    extern int __real_pthread_cond_init(void *, const void *);
    PINCER_CALLS("cnd_init", condition);
    return __pincer_in_c11(__real_pthread_cond_init(condition, 0));
}
void __wrap_cnd_destroy(void *condition) {
    PINCER_CALLS("cnd_destroy", condition);
    __pincer_check_unused(condition, "the destruction of a condition variable that threads wait for", PINCER_SITE);
}
int __wrap_cnd_wait(void *condition, void *mutex) {
    return __pincer_in_c11(__pincer_wait_for("cnd_wait", condition, mutex, 0, PINCER_SITE));
}
int __wrap_cnd_timedwait(void *condition, void *mutex, const void *time) {
    return __pincer_in_c11(__pincer_wait_for("cnd_timedwait", condition, mutex, 1, PINCER_SITE));
}
int __wrap_cnd_signal(void *condition) { return __pincer_signal("cnd_signal", condition, PINCER_SITE); }
int __wrap_cnd_broadcast(void *condition) { return __pincer_signal_all("cnd_broadcast", condition, PINCER_SITE); }
void __wrap_call_once(void *control, void (*routine)(void)) {
    __pincer_run_once("call_once", "call_once_done", control, routine, PINCER_SITE);
}

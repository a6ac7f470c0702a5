/* Procedures that lock and unlock a global in pairs, one of them recursive. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static int locked;

static void lock(void)
{
    if (locked)
        reach_error();
    locked = 1;
}

static void unlock(void)
{
    if (!locked)
        reach_error();
    locked = 0;
}

static void work(int rounds)
{
    lock();
    if (rounds > 0 && __VERIFIER_nondet_bool()) {
        unlock();
        work(rounds - 1);
        lock();
    }
    unlock();
}

int main(void)
{
    work(__VERIFIER_nondet_int());
    if (locked)
        reach_error();
    return 0;
}

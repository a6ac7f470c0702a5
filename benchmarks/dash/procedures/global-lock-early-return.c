/* One early return leaves the global lock locked. */
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

static int take(int amount, int *stock)
{
    lock();
    if (amount > *stock)
        return -1;
    *stock -= amount;
    unlock();
    return amount;
}

int main(void)
{
    int stock = 100;
    for (int i = 0; i < 5; i++)
        take(__VERIFIER_nondet_bool() ? 20 : 30, &stock);
    return 0;
}

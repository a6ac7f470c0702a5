/* On the third attempt the lock is not released. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    int locked = 0, attempts = 0;
    unsigned version = __VERIFIER_nondet_int(), seen;
    do {
        if (locked)
            reach_error();
        locked = 1;
        seen = version;
        attempts++;
        if (__VERIFIER_nondet_bool()) {
            if (attempts != 3)
                locked = 0;
            version++;
        }
    } while (seen != version);
    return 0;
}

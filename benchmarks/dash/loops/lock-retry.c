/* A lock is released only if the data moved on, and the loop goes round only then. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    int locked = 0;
    unsigned version = __VERIFIER_nondet_int(), seen;
    do {
        if (locked)
            reach_error();
        locked = 1;
        seen = version;
        if (__VERIFIER_nondet_bool()) {
            locked = 0;
            version++;
        }
    } while (seen != version);
    if (!locked)
        reach_error();
    return 0;
}

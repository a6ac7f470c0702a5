/* A running maximum is at least the number that came last. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    int last = __VERIFIER_nondet_int();
    int maximum = last;
    while (__VERIFIER_nondet_bool()) {
        last = __VERIFIER_nondet_int();
        if (last > maximum)
            maximum = last;
    }
    if (maximum < last)
        reach_error();
    return 0;
}

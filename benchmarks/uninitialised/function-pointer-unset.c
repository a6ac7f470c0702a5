/* What is called was not set for all numbers. */
extern int __VERIFIER_nondet_int(void);
static int one(void) { return 1; }

int main(void)
{
    int (*f)(void);
    if (__VERIFIER_nondet_int() != 3)
        f = one;
    f();
    return 0;
}

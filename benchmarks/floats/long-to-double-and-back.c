/* A double does not hold every long. */
extern long __VERIFIER_nondet_long(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    long i = __VERIFIER_nondet_long();
    __VERIFIER_assume(i > 0 && i < 1000000000000000000L); if (!((long)(double)i == i))
        reach_error();
    return 0;
}

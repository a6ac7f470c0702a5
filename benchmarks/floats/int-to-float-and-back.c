/* A float does not hold all integers. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= 0 && i <= 100000000); if (!((int)(float)i == i))
        reach_error();
    return 0;
}

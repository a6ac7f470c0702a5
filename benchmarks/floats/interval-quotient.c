/* A quotient by a number that may be tiny is not bounded. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 1 && x <= 2 && y > 0 && y <= 1); if (!(x / y <= 1e300))
        reach_error();
    return 0;
}

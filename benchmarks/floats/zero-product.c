/* A product may be zero although no factor is. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    __VERIFIER_assume(x != 0 && y != 0); if (!(x * y != 0))
        reach_error();
    return 0;
}

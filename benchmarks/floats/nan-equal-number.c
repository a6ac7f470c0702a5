/* A number that is greater than another one is equal to itself. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0); if (!(x == x))
        reach_error();
    return 0;
}

/* A number plus itself is twice the number. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x == x); if (!(x + x == 2 * x))
        reach_error();
    return 0;
}

/* Adding a half and truncating does not round: the number before a half becomes one. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 0 && x < 1); if (!((int)(x + 0.5) == (x >= 0.5)))
        reach_error();
    return 0;
}

/* Two equal numbers may have different reciprocals. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    __VERIFIER_assume(x == y); if (!(1 / x == 1 / y || x != 0))
        reach_error();
    return 0;
}

/* Addition is commutative. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    __VERIFIER_assume(x <= 1e300 && x >= -1e300 && y <= 1e300 && y >= -1e300); if (!(x + y == y + x))
        reach_error();
    return 0;
}

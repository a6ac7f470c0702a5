/* A sum lies between the sums of the bounds. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    __VERIFIER_assume(x >= 1 && x <= 10 && y >= 1 && y <= 10);
    double s = x + y;
    if (!(s >= 2 && s <= 20))
        reach_error();
    return 0;
}

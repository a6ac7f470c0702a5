/* The sum of two numbers that are no NaN may be one. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    __VERIFIER_assume(x == x && y == y);
    double s = x + y;
    if (!(s == s))
        reach_error();
    return 0;
}

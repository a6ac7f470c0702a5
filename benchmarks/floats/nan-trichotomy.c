/* Of two numbers one is less, equal or greater; a NaN is none of these. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double(); if (!(x < y || x == y || x > y))
        reach_error();
    return 0;
}

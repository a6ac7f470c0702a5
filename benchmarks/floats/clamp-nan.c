/* A NaN is not clamped. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double c = x < -1 ? -1 : x > 1 ? 1 : x;
    if (!(c >= -1 && c <= 1))
        reach_error();
    return 0;
}

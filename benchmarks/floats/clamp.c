/* What is clamped lies between the bounds, unless it is a NaN. */
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double c = x < -1 ? -1 : x > 1 ? 1 : x;
    if (!((c >= -1 && c <= 1) || x != x))
        reach_error();
    return 0;
}

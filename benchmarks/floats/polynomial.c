/* A polynomial is bounded on an interval. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0 && x <= 1);
    float p = (x * 0.5f + 0.25f) * x + 1;
    if (!(p >= 1 && p <= 1.75f))
        reach_error();
    return 0;
}

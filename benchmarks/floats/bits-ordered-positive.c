/* The patterns of positive numbers are ordered as the numbers. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    union { float f; int i; } a, b;
    a.f = __VERIFIER_nondet_float();
    b.f = __VERIFIER_nondet_float();
    __VERIFIER_assume(a.f >= 0 && a.f < b.f); if (!(a.i < b.i || a.i == -2147483647 - 1))
        reach_error();
    return 0;
}

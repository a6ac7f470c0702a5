/* The patterns of negative numbers are ordered the other way round. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    union { float f; int i; } a, b;
    a.f = __VERIFIER_nondet_float();
    b.f = __VERIFIER_nondet_float();
    __VERIFIER_assume(a.f < b.f); if (!(a.i < b.i))
        reach_error();
    return 0;
}

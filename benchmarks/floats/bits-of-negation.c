/* Negation changes the sign bit only. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    union { float f; unsigned u; } a, b;
    a.f = __VERIFIER_nondet_float();
    b.f = -a.f;
    if (!((a.u ^ b.u) == 0x80000000u))
        reach_error();
    return 0;
}

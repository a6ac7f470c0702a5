/* Multiplying by a rounded reciprocal is no division. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 100); if (!(x / 10 == x * 0.1f))
        reach_error();
    return 0;
}

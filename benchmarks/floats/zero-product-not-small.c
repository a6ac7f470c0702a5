/* The product of numbers that are not small is not zero. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1e-10f && y >= 1e-10f); if (!(x * y != 0))
        reach_error();
    return 0;
}

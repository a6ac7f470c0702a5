/* A larger number has a larger square, unless both are rounded alike. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x < y && y <= 2); if (!(x * x < y * y))
        reach_error();
    return 0;
}

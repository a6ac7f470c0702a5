/* With strict bounds rounding reaches the bound. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 0 && x < 1 && y > 0 && y <= 1000); if (!(x + y < 1001))
        reach_error();
    return 0;
}

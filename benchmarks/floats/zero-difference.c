/* Two numbers whose difference is zero are equal: there are subnormal numbers. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x - y == 0); if (!(x == y))
        reach_error();
    return 0;
}

/* One more makes a difference to a number that is not large. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 1000); if (!(x + 1 > x))
        reach_error();
    return 0;
}

/* Degrees converted there and back are rounded. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= -100 && x <= 100);
    float f = x * 1.8f + 32;
    if (!((f - 32) / 1.8f == x))
        reach_error();
    return 0;
}

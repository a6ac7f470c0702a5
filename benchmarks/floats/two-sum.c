/* What a sum loses to rounding is found by four more operations. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 16 && y >= 1 && y <= 16);
    float s = x + y, b = s - x, e = (x - (s - b)) + (y - b); if (!((double)s + (double)e == (double)x + (double)y))
        reach_error();
    return 0;
}

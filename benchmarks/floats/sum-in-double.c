/* Two floats of similar size have an exact sum in double. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 1000 && y >= 1 && y <= 1000);
    double s = (double)x + y;
    if (!(s - x == y))
        reach_error();
    return 0;
}

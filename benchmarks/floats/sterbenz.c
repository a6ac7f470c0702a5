/* The difference of two numbers within a factor of two is exact: adding it again gives the first. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(y >= 1 && y <= 4 && y <= 2 * x && x <= 2 * y);
    float d = x - y;
    if (!((double)d == (double)x - (double)y))
        reach_error();
    return 0;
}

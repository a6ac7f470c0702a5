/* A maximum by one comparison loses a NaN on one side only. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    float m = x > y ? x : y;
    if (!(m >= x || x != x))
        reach_error();
    return 0;
}

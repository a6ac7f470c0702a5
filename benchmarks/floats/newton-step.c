/* A step of Newton for a root stays positive. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 4);
    float r = x;
    r = 0.5f * (r + x / r); if (!(r >= 1 && r <= 4))
        reach_error();
    return 0;
}

/* With too much gain it leaves them. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float s = 0;
    for (int k = 0; k < 3; k++) {
        float x = __VERIFIER_nondet_float();
        __VERIFIER_assume(x >= -1 && x <= 1);
        s = 0.5f * s + 0.75f * x;
    }
    if (!(s >= -1 && s <= 1))
        reach_error();
    return 0;
}

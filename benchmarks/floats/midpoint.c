/* The midpoint of two numbers of the same sign lies between them. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= y && y <= 1000);
    float m = x + (y - x) / 2;
    if (!(m >= x && m <= y))
        reach_error();
    return 0;
}

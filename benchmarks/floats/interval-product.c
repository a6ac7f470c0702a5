/* A product lies between the products of the bounds. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 2 && x <= 3 && y >= 4 && y <= 5);
    float p = x * y;
    if (!(p >= 8 && p <= 15))
        reach_error();
    return 0;
}

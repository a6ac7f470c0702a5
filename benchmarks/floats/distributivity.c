/* Multiplication does not distribute over addition. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    float z = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 2 && y >= 1 && y <= 2 && z >= 1 && z <= 2); if (!(x * (y + z) == x * y + x * z))
        reach_error();
    return 0;
}

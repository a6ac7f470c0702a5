/* Addition is not associative. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    float z = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0 && x <= 100 && y >= 0 && y <= 100 && z >= 0 && z <= 100); if (!((x + y) + z == x + (y + z)))
        reach_error();
    return 0;
}

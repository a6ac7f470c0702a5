/* Equal numbers other than zero have equal reciprocals. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x == y && x != 0); if (!(1 / x == 1 / y))
        reach_error();
    return 0;
}

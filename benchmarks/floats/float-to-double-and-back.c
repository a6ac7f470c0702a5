/* A double holds every float. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x == x); if (!((float)(double)x == x))
        reach_error();
    return 0;
}

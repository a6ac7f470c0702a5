/* A division by repeated subtraction gives quotient and rest through pointers. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

static int divide(unsigned a, unsigned b, unsigned *quotient, unsigned *rest)
{
    if (b == 0)
        return 0;
    *quotient = 0;
    while (a >= b) {
        a -= b;
        ++*quotient;
    }
    *rest = a;
    return 1;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    unsigned quotient, rest;
    if (divide(a, b, &quotient, &rest) && rest >= b)
        reach_error();
    return 0;
}

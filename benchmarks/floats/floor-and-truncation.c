/* Floor and conversion to int differ below zero. */
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -1000 && x < 1000); if (!(floor(x) == (int)x))
        reach_error();
    return 0;
}

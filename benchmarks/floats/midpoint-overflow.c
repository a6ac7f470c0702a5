/* The sum of two large numbers is infinite, and half of it too. */
#include <math.h>

extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0 && x <= y && y < INFINITY);
    float m = (x + y) / 2;
    if (!(m <= y))
        reach_error();
    return 0;
}

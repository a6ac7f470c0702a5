/* The floor of a number is at most the number, and more than the number less one. */
#include <math.h>

extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > -1000 && x < 1000);
    float f = floorf(x); if (!(f <= x && f > x - 1.001f))
        reach_error();
    return 0;
}

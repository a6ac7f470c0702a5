/* A root lies between one and its argument. */
#include <math.h>

extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 1 && x <= 100);
    float r = sqrtf(x); if (!(r >= 1 && r <= x))
        reach_error();
    return 0;
}

/* `fmax` passes over a NaN. */
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    __VERIFIER_assume(y == y);
    double m = fmax(x, y); if (!(m >= y))
        reach_error();
    return 0;
}

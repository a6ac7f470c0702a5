/* `fmin` of two NaN is one. */
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double y = __VERIFIER_nondet_double();
    double m = fmin(x, y); if (!(m <= x || m <= y))
        reach_error();
    return 0;
}

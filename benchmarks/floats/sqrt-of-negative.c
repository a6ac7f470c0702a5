/* There is no root of a negative number. */
#include <math.h>

extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    double r = sqrt(x); if (!(r >= 0 || x != x))
        reach_error();
    return 0;
}

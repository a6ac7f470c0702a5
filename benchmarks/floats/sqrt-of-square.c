/* The root of the square of a small integer is the integer. */
#include <math.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned char c = __VERIFIER_nondet_uchar();
    double s = (double)c * c;
    if (!(sqrt(s) == c))
        reach_error();
    return 0;
}

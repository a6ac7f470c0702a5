/* The absolute value of a remainder. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return abs(n % 100);
}

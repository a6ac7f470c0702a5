/* Who aborts is not asked about memory. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(4);
    if (n < 0)
        abort();
    free(p);
    return 0;
}

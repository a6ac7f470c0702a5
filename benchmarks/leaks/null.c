/* Freeing nothing. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = 0;
    if (n > 3)
        p = malloc(4);
    free(p);
    return 0;
}

/* Zeroed memory that one way forgets. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = calloc(4, 4);
    if (__VERIFIER_nondet_int() > 9)
        return 1;
    free(p);
    return 0;
}

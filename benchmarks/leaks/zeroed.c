/* Zeroed memory, freed. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = calloc(4, 4);
    if (p[3])
        return 1;
    free(p);
    return 0;
}

/* A pointer is overwritten after another one has its value. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4), *q = p;
    p = malloc(8);
    free(p);
    free(q);
    return 0;
}

/* A pointer is overwritten before its memory is freed. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    p = malloc(8);
    free(p);
    return 0;
}

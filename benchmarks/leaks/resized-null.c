/* Resizing nothing allocates. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = realloc(0, 16);
    return p == 0;
}

/* A pointer into memory keeps it. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static int *kept;

int main(void)
{
    kept = (int *)malloc(16) + 2;
    return 0;
}

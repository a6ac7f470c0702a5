/* A pointer past the end keeps nothing. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static int *kept;

int main(void)
{
    kept = (int *)malloc(16) + 4;
    return 0;
}

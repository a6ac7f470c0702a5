/* A global forgets what it pointed to. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static int *kept;

int main(void)
{
    kept = malloc(4);
    if (__VERIFIER_nondet_int() == 3)
        kept = 0;
    return 0;
}

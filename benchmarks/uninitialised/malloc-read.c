/* What malloc gives has no value. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof *p);
    if (!p)
        return 0;
    p[0] = __VERIFIER_nondet_int();
    int r = p[1] > 3 ? 1 : 0;
    free(p);
    return r;
}

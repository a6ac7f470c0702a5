/* What realloc keeps has its value. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p[0] = __VERIFIER_nondet_int();
    int *q = realloc(p, 2 * sizeof *q);
    if (!q) {
        free(p);
        return 0;
    }
    int r = q[0] > 3 ? 1 : 0;
    free(q);
    return r;
}

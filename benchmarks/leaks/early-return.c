/* One return forgets to free. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    char *p = malloc(8);
    if (n == 42)
        return 1;
    free(p);
    return 0;
}

/* A loop frees what it allocates, up to five times. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n && i < 5; i++) {
        int *p = malloc(8);
        free(p);
    }
    return 0;
}

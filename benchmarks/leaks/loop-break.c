/* A loop is left before it frees. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        int *p = malloc(8);
        if (__VERIFIER_nondet_int() == 7)
            break;
        free(p);
    }
    return 0;
}

/* A function that ends the program while main has memory. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static void fail(void)
{
    exit(1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(4);
    if (n < 0)
        fail();
    free(p);
    return 0;
}

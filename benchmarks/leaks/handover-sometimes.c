/* A function frees what it is given, but not always. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static void consume(int *p, int n)
{
    if (n != 5)
        free(p);
}

int main(void)
{
    int *p = malloc(4);
    consume(p, __VERIFIER_nondet_int());
    return 0;
}

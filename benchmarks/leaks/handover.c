/* A function takes the memory over and frees it. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static void consume(int *p)
{
    free(p);
}

int main(void)
{
    int *p = malloc(4);
    consume(p);
    return 0;
}

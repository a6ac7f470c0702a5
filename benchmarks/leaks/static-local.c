/* A static local counts like a global. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static void remember(int *p)
{
    static int *memory;
    memory = p;
}

int main(void)
{
    remember(malloc(4));
    return 0;
}

/* An array of pointers keeps what it points to. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static int *table[4];

int main(void)
{
    for (int i = 0; i < 4; i++)
        table[i] = malloc(4);
    return 0;
}

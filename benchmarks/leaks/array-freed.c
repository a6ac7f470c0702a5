/* An array of pointers, freed. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

static int *table[4];

int main(void)
{
    for (int i = 0; i < 4; i++)
        table[i] = malloc(4);
    for (int i = 0; i < 4; i++)
        free(table[i]);
    return 0;
}

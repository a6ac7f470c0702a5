/* An array of main is gone when main returns. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *table[2];
    table[0] = malloc(4);
    table[1] = 0;
    return table[1] != 0;
}

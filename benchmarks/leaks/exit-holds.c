/* At exit the variables of main still count. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    *p = 3;
    exit(0);
}

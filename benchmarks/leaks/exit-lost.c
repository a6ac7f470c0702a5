/* At exit nothing points to the memory. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    malloc(4);
    exit(0);
}

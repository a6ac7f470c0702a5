/* The resized memory is lost: the result is not kept. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4);
    realloc(p, 16);
    return 0;
}

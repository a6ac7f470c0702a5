/* A copy of a text, freed. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = strdup("text");
    free(s);
    return 0;
}

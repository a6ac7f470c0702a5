/* A copy of a text that nobody frees. */
extern int __VERIFIER_nondet_int(void);
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = strdup("text");
    return s[0] == 't';
}

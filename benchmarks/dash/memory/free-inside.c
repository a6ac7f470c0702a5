/* A pointer that has moved into a block is freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

int main(void)
{
    int skip = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= skip && skip < 8);
    char *text = malloc(8);
    if (!text)
        return 0;
    text += skip;
    *text = 'x';
    free(text);
    return 0;
}

/* A copied text needs room for the zero byte too. */
#include <stdlib.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    const char *name = __VERIFIER_nondet_bool() ? "short" : "somewhat";
    char *copy = malloc(8);
    if (!copy)
        return 0;
    strcpy(copy, name);
    free(copy);
    return 0;
}

/* Two owners free the same block. */
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct owner {
    int *block;
};

static void drop(struct owner *owner)
{
    free(owner->block);
    owner->block = 0;
}

int main(void)
{
    struct owner first, second;
    first.block = malloc(sizeof(int));
    second.block = __VERIFIER_nondet_bool() ? first.block : malloc(sizeof(int));
    drop(&first);
    drop(&first);
    if (second.block)
        drop(&second);
    return 0;
}

/* A block changes its owner; the old one forgets it. */
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
    second.block = 0;
    if (__VERIFIER_nondet_bool()) {
        second.block = first.block;
        first.block = 0;
    }
    drop(&first);
    drop(&second);
    drop(&first);
    return 0;
}

/* A small buffer lives on the stack and is freed like a large one. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char small[16];
    unsigned size = __VERIFIER_nondet_uint() % 64;
    char *buffer = size <= sizeof small ? small : malloc(size);
    if (!buffer)
        return 0;
    buffer[0] = 0;
    free(buffer);
    return 0;
}

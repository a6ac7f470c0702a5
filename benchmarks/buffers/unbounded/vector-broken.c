/* The vector grows when it is fuller than it can be. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

struct vector {
    int *cells;
    unsigned length, capacity;
};

static int push(struct vector *vector, int value)
{
    if (vector->length > vector->capacity) {
        unsigned larger = vector->capacity * 2;
        int *cells = malloc(larger * sizeof *cells);
        if (!cells)
            return 0;
        for (unsigned i = 0; i < vector->length; i++)
            cells[i] = vector->cells[i];
        free(vector->cells);
        vector->cells = cells;
        vector->capacity = larger;
    }
    vector->cells[vector->length++] = value;
    return 1;
}

int main(void)
{
    struct vector vector = {malloc(4 * sizeof(int)), 0, 4};
    unsigned n = __VERIFIER_nondet_uint();
    if (!vector.cells || n > 100000)
        return 0;
    for (unsigned i = 0; i < n; i++)
        if (!push(&vector, 1))
            break;
    if (vector.length > vector.capacity)
        reach_error();
    free(vector.cells);
    return 0;
}

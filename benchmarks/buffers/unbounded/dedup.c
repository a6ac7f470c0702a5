/* What is equal to the element before it goes. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned unique(int *cells, unsigned n)
{
    if (n == 0)
        return 0;
    unsigned kept = 1;
    for (unsigned i = 1; i < n; i++)
        if (cells[i] != cells[kept - 1])
            cells[kept++] = cells[i];
    return kept;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 100000)
        return 0;
    int *cells = malloc(n * sizeof *cells);
    if (!cells)
        return 0;
    for (unsigned i = 0; i < n; i++)
        cells[i] = (int)__VERIFIER_nondet_uint();
    unsigned kept = unique(cells, n);
    if (kept > n)
        reach_error();
    free(cells);
    return 0;
}

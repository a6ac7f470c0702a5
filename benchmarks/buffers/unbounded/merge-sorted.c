/* Two sorted arrays become one. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static int *filled(unsigned n)
{
    int *cells = malloc(n * sizeof *cells);
    if (!cells)
        abort();
    for (unsigned i = 0; i < n; i++)
        cells[i] = (int)__VERIFIER_nondet_uint();
    return cells;
}

static void merge(int *out, const int *a, unsigned n, const int *b, unsigned m)
{
    unsigned i = 0, j = 0;
    for (unsigned k = 0; k < n + m; k++)
        if (i < n && (j == m || a[i] <= b[j]))
            out[k] = a[i++];
        else
            out[k] = b[j++];
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000 || m == 0 || m > 100000)
        return 0;
    int *a = filled(n), *b = filled(m);
    int *out = malloc((n + m) * sizeof *out);
    if (!out)
        abort();
    merge(out, a, n, b, m);
    free(out);
    free(b);
    free(a);
    return 0;
}

/* Two sorted arrays are walked together, the end of the second is not looked for. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
    if (n == 0 || n > 10000 || m == 0 || m > 10000)
        return 0;
    unsigned *a = calloc(n, sizeof *a), *b = calloc(m, sizeof *b), *out = malloc((n < m ? n : m) * sizeof *out);
    if (a && b && out) {
        for (unsigned i = 0; i < n; i++)
            a[i] = __VERIFIER_nondet_uint();
        for (unsigned j = 0; j < m; j++)
            b[j] = __VERIFIER_nondet_uint();
        unsigned i = 0, j = 0, k = 0;
        while (i < n) {
            if (a[i] == b[j]) {
                out[k++] = a[i++];
                j++;
            } else if (a[i] < b[j]) {
                i++;
            } else {
                j++;
            }
        }
        if (k > n || k > m)
            reach_error();
    }
    free(a);
    free(b);
    free(out);
    return 0;
}

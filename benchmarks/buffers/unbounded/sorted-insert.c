/* An element finds its place from the back, the larger ones move on. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return 0;
    for (unsigned length = 0; length < n; length++) {
        unsigned value = __VERIFIER_nondet_uint(), at = length;
        while (at > 0 && sorted[at - 1] > value) {
            sorted[at] = sorted[at - 1];
            at--;
        }
        sorted[at] = value;
    }
    unsigned k = __VERIFIER_nondet_uint();
    if (k < n - 1 && sorted[k] > sorted[k + 1])
        reach_error();
    free(sorted);
    return 0;
}

/* Elements below the pivot come first. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), pivot = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned *numbers = malloc(n * sizeof *numbers);
    if (!numbers)
        return 0;
    for (unsigned i = 0; i < n; i++)
        numbers[i] = __VERIFIER_nondet_uint();
    unsigned below = 0;
    for (unsigned i = 0; i < n; i++)
        if (numbers[i] < pivot) {
            unsigned kept = numbers[below];
            numbers[below] = numbers[i];
            numbers[i] = kept;
            below++;
        }
    unsigned k = __VERIFIER_nondet_uint();
    if (k < below && numbers[k] >= pivot)
        reach_error();
    if (k >= below && k < n && numbers[k] < pivot)
        reach_error();
    free(numbers);
    return 0;
}

/* No element is larger than the largest. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 100000)
        return 0;
    unsigned *numbers = malloc(n * sizeof *numbers);
    if (!numbers)
        return 0;
    for (unsigned i = 0; i < n; i++)
        numbers[i] = __VERIFIER_nondet_uint();
    unsigned largest = numbers[0];
    for (unsigned i = 1; i < n; i++)
        if (numbers[i] > largest)
            largest = numbers[i];
    unsigned k = __VERIFIER_nondet_uint();
    if (k < n && numbers[k] > largest)
        reach_error();
    free(numbers);
    return 0;
}

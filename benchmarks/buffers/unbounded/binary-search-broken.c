/* The place behind the last is looked at, too. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static unsigned place_of(const unsigned *numbers, unsigned n, unsigned wanted)
{
    unsigned low = 0, high = n;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (numbers[middle + 1] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

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
    unsigned wanted = __VERIFIER_nondet_uint();
    unsigned at = place_of(numbers, n, wanted);
    if (at > n || (at < n && numbers[at] < wanted))
        reach_error();
    if (at > 0 && at <= n && numbers[at - 1] >= wanted)
        reach_error();
    free(numbers);
    return 0;
}

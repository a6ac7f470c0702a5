// Bubble sort of N numbers: the result is in order, and one number that was there is still there.
// @sizes 1 16
// @broken 4
// @also 7
#include "symbolic.h"

static void sort(int *a, int length)
{
#ifdef BROKEN
    for (int last = length - 1; last > 1; last--)
#else
    for (int last = length - 1; last > 0; last--)
#endif
        for (int i = 0; i < last; i++)
            if (a[i] > a[i + 1]) {
                int kept = a[i];
                a[i] = a[i + 1];
                a[i + 1] = kept;
            }
}

int main(void)
{
    int numbers[N], kept, found = 0;
    for (int i = 0; i < N; i++)
        numbers[i] = __VERIFIER_nondet_int();
    unsigned chosen = __VERIFIER_nondet_uint() % N;
    kept = numbers[chosen];
    sort(numbers, N);
    for (int i = 0; i < N; i++) {
        assert(i == 0 || numbers[i - 1] <= numbers[i]);
        found |= numbers[i] == kept;
    }
    assert(found);
    return 0;
}

// Selection sort of N numbers: the result is in order, and one number that was there is still there.
// @sizes 1 16
// @broken 4
// @also 7
#include "symbolic.h"

static void sort(int *a, int length)
{
    for (int i = 0; i + 1 < length; i++) {
        int least = i;
        for (int j = i + 1; j < length; j++)
#ifdef BROKEN
            if (a[j] < a[i])
#else
            if (a[j] < a[least])
#endif
                least = j;
        int kept = a[i];
        a[i] = a[least];
        a[least] = kept;
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

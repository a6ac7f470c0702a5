// Insertion sort of N numbers: the result is in order, and one number that was there is still there.
// @sizes 1 16
// @broken 4
// @also 7
#include "symbolic.h"

static void sort(int *a, int length)
{
    for (int i = 1; i < length; i++) {
        int value = a[i], j = i;
#ifdef BROKEN
        while (a[j - 1] > value) {
#else
        while (j > 0 && a[j - 1] > value) {
#endif
            a[j] = a[j - 1];
            j--;
        }
        a[j] = value;
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

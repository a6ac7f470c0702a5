#include "sum.h"

#include <assert.h>
#include <stdlib.h>

#define COUNT 5

int main(void)
{
    static const int digits[COUNT] = {3, 1, 4, 1, 5};
    static long sums[COUNT];
    int *numbers = malloc(COUNT * sizeof *numbers);

    if (numbers == NULL)
        return 1;
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = digits[i];
    assert(sum_by_parts(numbers, COUNT) == 14);
    assert(sum_by_turns(numbers, COUNT, 2) == 14);
    running_sums(numbers, sums, COUNT);
    assert(sums[0] == 3 && sums[2] == 8 && sums[4] == 14);
    free(numbers);
    return 0;
}

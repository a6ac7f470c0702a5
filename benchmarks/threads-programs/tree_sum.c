/* A sum by a tree of threads: each half by a thread of its own. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct range {
    const int *numbers;
    int count;
    long sum;
};

static void *sum(void *argument)
{
    struct range *range = argument;

    if (range->count <= 2) {
        range->sum = 0;
        for (int i = 0; i < range->count; i++)
            range->sum += range->numbers[i];
    } else {
        int half = range->count / 2;
        struct range left = {range->numbers, half, 0};
        struct range right = {range->numbers + half, range->count - half, 0};
        pthread_t thread;

        pthread_create(&thread, NULL, sum, &left);
        sum(&right);
#ifdef BROKEN
        range->sum = left.sum + right.sum;
        pthread_join(thread, NULL);
#else
        pthread_join(thread, NULL);
        range->sum = left.sum + right.sum;
#endif
    }
    return NULL;
}

int main(void)
{
    int numbers[7];
    struct range all = {numbers, 7, 0};

    for (int i = 0; i < 7; i++)
        numbers[i] = i + 1;
    sum(&all);
    assert(all.sum == 28);
    return 0;
}

/* The average of some numbers, if there are any. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

static int average(const int *values, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return count > 0 ? sum / count : 0;
}

int main(void)
{
    int values[4] = {1, 2, 3, 4};
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count <= 4);
    return average(values, count);
}

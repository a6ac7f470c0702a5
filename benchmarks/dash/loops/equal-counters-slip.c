/* Two counters run side by side until one of them slips in the eighth round. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int i = 0, j = 0;
    while (i < n) {
        i++;
        j += i == 8 ? 2 : 1;
    }
    if (i != j)
        reach_error();
    return 0;
}

/* A sum that starts with zero. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    for (int i = 0; i < n; i++)
        sum += i;
    if (sum > 3)
        return 1;
    return 0;
}

/* Factorials up to that of 12 fit. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int f = 1;
    if (n > 12)
        return 0;
    for (int i = 2; i <= n; i++)
        f *= i;
    return f;
}

/* The factorial of 13 does not fit. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int f = 1;
    if (n > 13)
        return 0;
    for (int i = 2; i <= n; i++)
        f *= i;
    return f;
}

/* A counter up to a bound that may be the greatest number. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2147483640)
        return 0;
    for (int i = 2147483640; i <= n; i++)
        ;
    return 0;
}

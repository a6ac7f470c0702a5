/* The least number is left out before the sign is changed. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == -2147483647 - 1)
        return 1;
    if (n < 0)
        n = -n;
    return n < 0;
}

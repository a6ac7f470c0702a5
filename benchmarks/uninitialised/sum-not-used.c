/* A sum that starts with nothing, and decides nothing. */
extern int __VERIFIER_nondet_int(void);
int total;

int main(void)
{
    int sum;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    for (int i = 0; i < n; i++)
        sum += i;
    total = sum;
    return 0;
}

/* The loop that writes it need not run. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int last;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    for (int i = 0; i < n; i++)
        last = i;
    if (last == 2)
        return 1;
    return 0;
}

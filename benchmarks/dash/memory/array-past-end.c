/* A loop with <= writes one element past the end. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int squares[10];
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        n = 10;
    for (int i = 0; i <= n; i++)
        squares[i] = i * i;
    return 0;
}

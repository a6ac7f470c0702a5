/* Its result is asked before the output is used. */
extern int __VERIFIER_nondet_int(void);

static int digit(int c, int *out)
{
    if (c < '0' || c > '9')
        return -1;
    *out = c - '0';
    return 0;
}

int main(void)
{
    int d;
    if (digit(__VERIFIER_nondet_int(), &d) == 0 && d == 5)
        return 1;
    return 0;
}

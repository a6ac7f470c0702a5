/* A bit of an unsigned number may be shifted anywhere within it. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 31)
        return 0;
    return (1u << n) == 7;
}

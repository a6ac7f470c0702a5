/* What an initialiser leaves out is zero. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = {1};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    if (a[i])
        return 1;
    return 0;
}

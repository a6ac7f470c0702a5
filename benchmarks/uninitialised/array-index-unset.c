/* An index that was never set says what is read. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = {1, 2, 3, 4};
    int i;
    if (__VERIFIER_nondet_int())
        i = 1;
    a[i & 3] = 7;
    return 0;
}

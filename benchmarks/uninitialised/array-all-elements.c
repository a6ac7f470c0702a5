/* All elements are written. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    for (int k = 0; k < 4; k++)
        a[k] = k;
    if (a[i] == 2)
        return 1;
    return 0;
}

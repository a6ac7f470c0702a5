/* It is read only where it was written. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x;
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        x = n;
    if (n > 10 && x > 20)
        return 1;
    return 0;
}

/* The product is made wide when it is too late. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    long long wide = n * n;
    return wide == 5;
}

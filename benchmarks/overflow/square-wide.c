/* The square of an int in twice as many bits. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    long long wide = n;
    return wide * wide == 5;
}

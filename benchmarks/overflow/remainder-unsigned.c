/* Remainders without a sign. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned d = (unsigned)y;
    if (d == 0)
        return 0;
    return (unsigned)x % d == 3;
}

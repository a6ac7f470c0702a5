/* The square of a number that fits 16 bits fits 32, of one that fits 17 it does not. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -65536 || n > 65535)
        return 0;
    return n * n == 5;
}

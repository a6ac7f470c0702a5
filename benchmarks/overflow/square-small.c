/* The square of a number of 15 bits. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -32768 || n > 32767)
        return 0;
    return n * n == 5;
}

/* A divisor of zero and of -1 is left out. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y == 0 || y == -1)
        return 0;
    return x / y == 3;
}

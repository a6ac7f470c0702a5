/* The remainder of the least number and -1. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y > -5 && y < 0)
        return x % y == 3;
    return 0;
}

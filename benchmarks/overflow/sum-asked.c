/* The sum is computed only where it fits. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y > 0 ? x > 2147483647 - y : x < -2147483647 - 1 - y)
        return 1;
    return x + y > 0;
}

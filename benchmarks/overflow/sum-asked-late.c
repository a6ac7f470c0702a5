/* Whether the sum fits is asked by computing it. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y > 0 && x + y < x)
        return 1;
    return 0;
}

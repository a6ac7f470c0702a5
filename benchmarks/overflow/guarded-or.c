/* What stands after `||` is computed where the first part does not hold. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    return x < 0 || x + 1 > y;
}

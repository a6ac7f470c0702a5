/* The difference of small numbers. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < -1000 || x > 1000 || y < -1000 || y > 1000)
        return 0;
    return x - y;
}

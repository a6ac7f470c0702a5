/* The middle of two indices, by half of their distance. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || y < x)
        return 0;
    int middle = x + (y - x) / 2;
    return middle < x;
}

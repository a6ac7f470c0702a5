/* The middle of two indices, added without a sign. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || y < x)
        return 0;
    int middle = (int)(((unsigned)x + (unsigned)y) / 2);
    return middle < x;
}

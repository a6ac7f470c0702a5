/* The middle of two indices, as many binary searches compute it. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (x < 0 || y < x)
        return 0;
    int middle = (x + y) / 2;
    return middle < x;
}

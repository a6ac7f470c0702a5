/* The least number has no negative. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        n = -n;
    return n < 0;
}

/* A variable that only one branch writes decides. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x;
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        x = 1;
    if (x == 1)
        return 1;
    return 0;
}

/* A variable that both branches write. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x;
    int n = __VERIFIER_nondet_int();
    if (n > 10)
        x = 1;
    else
        x = 2;
    if (x == 1)
        return 1;
    return 0;
}

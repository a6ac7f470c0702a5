/* A pointer that both branches set is followed. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1, y = 2;
    int *p;
    if (__VERIFIER_nondet_int() > 0)
        p = &x;
    else
        p = &y;
    *p = 2;
    return 0;
}

/* A pointer that one branch leaves open is followed. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1;
    int *p;
    if (__VERIFIER_nondet_int() > 0)
        p = &x;
    *p = 2;
    return 0;
}

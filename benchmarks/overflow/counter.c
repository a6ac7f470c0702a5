/* A counter that nothing stops. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = 2147483600;
    while (__VERIFIER_nondet_int())
        i++;
    return i;
}

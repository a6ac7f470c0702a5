/* An unsigned counter is never negative: the loop runs past zero to the largest number. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned rounds = 0;
    for (unsigned i = n; i >= 0; i--) {
        if (i > n)
            reach_error();
        if (++rounds == 1000)
            break;
    }
    return 0;
}

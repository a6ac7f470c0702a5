/* An unsigned difference is no distance. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned low = __VERIFIER_nondet_uint();
    unsigned high = __VERIFIER_nondet_uint();
    while (high - low > 10) {
        if (__VERIFIER_nondet_bool())
            low++;
        else
            high--;
    }
    if (low > high)
        reach_error();
    return 0;
}

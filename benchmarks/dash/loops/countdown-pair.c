/* Two counters start equal and count down together. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned left = n;
    while (n > 0) {
        n--;
        left--;
    }
    if (left != 0)
        reach_error();
    return 0;
}

/* The second loop undoes the first. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned i = 0, height = 0;
    while (i < n) {
        height++;
        i++;
    }
    while (i > 0) {
        height--;
        i--;
    }
    if (height != 0)
        reach_error();
    return 0;
}

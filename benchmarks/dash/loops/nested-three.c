/* An inner loop of three rounds: the total is three times the outer counter. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned total = 0, i;
    for (i = 0; i < n; i++)
        for (unsigned j = 0; j < 3; j++)
            total++;
    if (total != 3 * n)
        reach_error();
    return 0;
}

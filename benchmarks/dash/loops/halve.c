/* Pairs are taken away one by one: twice the pairs and the rest are the whole. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned rest = n, pairs = 0;
    while (rest >= 2) {
        rest -= 2;
        pairs++;
    }
    if (2 * pairs + rest != n || rest > 1)
        reach_error();
    return 0;
}

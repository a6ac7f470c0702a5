/* Static objects are zero at the start. */
extern int __VERIFIER_nondet_int(void);
static int table[3];

int main(void)
{
    static int seen;
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    if (table[i] || seen)
        return 1;
    return 0;
}

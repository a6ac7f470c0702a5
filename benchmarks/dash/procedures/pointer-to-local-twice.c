/* An exchange without a third variable loses the number when both pointers are the same. */
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

static void swap(unsigned *a, unsigned *b)
{
    *a = *a + *b;
    *b = *a - *b;
    *a = *a - *b;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    unsigned before = a;
    unsigned *other = __VERIFIER_nondet_bool() ? &a : &b;
    swap(&a, other);
    if (other == &a && a != before)
        reach_error();
    return 0;
}

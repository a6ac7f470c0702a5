/* The address of a local outlives its procedure. */
extern int __VERIFIER_nondet_int(void);

static int *larger(int *a, int limit)
{
    int bound = limit;
    return *a > bound ? a : &bound;
}

int main(void)
{
    int value = __VERIFIER_nondet_int();
    int *result = larger(&value, 10);
    *result = 0;
    return 0;
}

/* The loop ends before the last element. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int values[50];
    values[49] = 1;
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= k && k < 50);
    for (int i = 0; i < 49; i++)
        values[i] = 0;
    if (values[k] != 0)
        reach_error();
    return 0;
}

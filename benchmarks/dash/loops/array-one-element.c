/* An array is cleared in a loop; one element, any of them, is asked for. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int values[1000];
    int k = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= k && k < 1000);
    for (int i = 0; i < 1000; i++)
        values[i] = 0;
    if (values[k] != 0)
        reach_error();
    return 0;
}

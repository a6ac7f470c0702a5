/* A float holds all integers up to 2 to the 24. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    __VERIFIER_assume(i >= -16777216 && i <= 16777216); if (!((int)(float)i == i))
        reach_error();
    return 0;
}

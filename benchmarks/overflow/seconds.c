/* Hours to seconds, of any number of hours. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0)
        return 0;
    return n * 3600 == 7200;
}

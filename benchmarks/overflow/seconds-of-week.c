/* Hours to seconds, of the hours of a week. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 168)
        return 0;
    return n * 3600 == 7200;
}

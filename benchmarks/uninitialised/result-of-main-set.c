/* What main returns has a value. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int status = 1;
    int n = __VERIFIER_nondet_int();
    if (n >= 0)
        status = 0;
    return status;
}

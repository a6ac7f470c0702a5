/* What main returns has no value on one path. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int status;
    int n = __VERIFIER_nondet_int();
    if (n >= 0)
        status = 0;
    return status;
}

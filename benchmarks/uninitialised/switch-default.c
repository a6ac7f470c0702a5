/* With a default it does not. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int days;
    switch (__VERIFIER_nondet_int()) {
    case 1: days = 31; break;
    case 2: days = 28; break;
    default: days = 0;
    }
    if (days > 30)
        return 1;
    return 0;
}

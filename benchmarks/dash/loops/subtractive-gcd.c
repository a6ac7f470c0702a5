/* Repeated subtraction keeps two positive numbers positive. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();
    if (x == 0 || y == 0)
        return 0;
    while (x != y) {
        if (x > y)
            x -= y;
        else
            y -= x;
    }
    if (x == 0)
        reach_error();
    return 0;
}

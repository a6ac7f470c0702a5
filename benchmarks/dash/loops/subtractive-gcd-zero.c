/* This way of repeated subtraction arrives at zero. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    unsigned y = __VERIFIER_nondet_uint();
    if (x == 0 || y == 0)
        return 0;
    while (x > 0 && y > 0) {
        if (x >= y)
            x -= y;
        else
            y -= x;
    }
    if (x == 0)
        reach_error();
    return 0;
}

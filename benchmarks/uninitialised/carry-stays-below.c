/* What has no value stays above the bits that are looked at. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned high;
    unsigned low = __VERIFIER_nondet_int() & 0xff;
    unsigned word = (high << 16) + low;
    if ((word & 0xffff) == 5)
        return 1;
    return 0;
}

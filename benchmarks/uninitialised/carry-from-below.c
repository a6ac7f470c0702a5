/* What has no value is carried into the bits that are looked at. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned low;
    unsigned word = (low & 0xff) + (__VERIFIER_nondet_int() & 0xff00);
    if (word > 0xff00)
        return 1;
    return 0;
}

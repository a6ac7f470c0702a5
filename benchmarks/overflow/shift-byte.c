/* A byte shifted to the top of an int, as in reading big-endian numbers. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char c = (unsigned char)n;
    return (c << 24) == 7;
}

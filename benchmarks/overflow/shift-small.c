/* A byte is promoted before it is shifted. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    unsigned char c = (unsigned char)n;
    return (c << 16) == 7;
}

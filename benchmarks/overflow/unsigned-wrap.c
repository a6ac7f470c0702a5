/* Unsigned numbers wrap around. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned u = (unsigned)x;
    u = u * 31u + (unsigned)y;
    u -= 7u;
    return u == 9u;
}

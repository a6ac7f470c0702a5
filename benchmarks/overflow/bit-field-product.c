/* A wide bit-field times three. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    struct { signed int wide : 31; } s = {0};
    s.wide = n;
    return s.wide * 3 == 6;
}

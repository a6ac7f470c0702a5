/* A bit-field is computed as an int and cut off. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    struct { signed int low : 4; } s = {0};
    s.low = n;
    s.low += 7;
    return s.low * 2;
}

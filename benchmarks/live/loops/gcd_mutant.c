// The greatest common divisor is found. Changed so that it does not hold.
// violated: []({a > 0 && b > 0} -> <>{a == b})
extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned a, b;

int main(void) {
    a = 1 + __VERIFIER_nondet_uchar();
    b = 1 + __VERIFIER_nondet_uchar();
    while (a > b) {
        if (a > b)
            a -= b;
        else
            b -= a;
    }
    return 0;
}

// Halving alone comes to one. Changed so that it does not hold.
// violated: <>{x == 1}
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

unsigned x;

int main(void) {
    x = __VERIFIER_nondet_uint();
    __VERIFIER_assume(x > 0);
    while (x > 2)
        x = x / 2;
    return 0;
}

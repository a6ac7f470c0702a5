// Shifting a negative number never gives zero.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n)
        n >>= 1;
    return 0;
}

// Odd numbers pass zero.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    while (n != 0)
        n -= 2;
    return 0;
}

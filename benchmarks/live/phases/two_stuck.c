// y falls to zero, and then x stays.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    __VERIFIER_assume(x < 1000 && y < 1000);
    while (x > 0) {
        x += y;
        if (y > 0)
            y--;
    }
    return 0;
}

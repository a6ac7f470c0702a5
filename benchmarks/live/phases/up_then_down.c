// It climbs to the top, and then it comes down.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int(), up = 1;
    __VERIFIER_assume(x >= 0 && x <= 100);
    while (x >= 0) {
        if (up) {
            x++;
            if (x > 100)
                up = 0;
        } else {
            x--;
        }
    }
    return 0;
}

// At the bottom it turns round.
// expect: termination violated
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
            if (x < 1)
                up = 1;
        }
    }
    return 0;
}

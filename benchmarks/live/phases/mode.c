// A direction is chosen once.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int(), up = __VERIFIER_nondet_bool();
    __VERIFIER_assume(x > -1000 && x < 1000);
    while (x > -1000 && x < 1000) {
        if (up)
            x++;
        else
            x--;
    }
    return 0;
}

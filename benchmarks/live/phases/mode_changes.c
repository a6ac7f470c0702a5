// A direction is chosen in every round.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > -1000 && x < 1000);
    while (x > -1000 && x < 1000) {
        if (__VERIFIER_nondet_bool())
            x++;
        else
            x--;
    }
    return 0;
}

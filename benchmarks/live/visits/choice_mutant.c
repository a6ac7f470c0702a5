// What one number loses the other one gains.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x > 0 && y > 0) {
        int before = x;
        if (__VERIFIER_nondet_bool()) {
            x--;
            y = before;
        } else {
            x = y - 1;
            y = before + 1;
        }
    }
    return 0;
}

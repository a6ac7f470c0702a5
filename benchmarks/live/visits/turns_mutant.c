// Two numbers that change places.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    while (x > 0 && y > 0) {
        unsigned before = x;
        if (__VERIFIER_nondet_bool()) {
            x = before - 1;
            y = before - 1;
        } else {
            x = y;
            y = before;
        }
    }
    return 0;
}

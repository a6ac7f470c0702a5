// A machine whose states only go forward.
// expect: termination holds
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int state = 0;
    unsigned n = __VERIFIER_nondet_uint();
    while (state < 3) {
        if (state == 0 && __VERIFIER_nondet_bool())
            state = 1;
        else if (state == 1) {
            if (n > 0)
                n--;
            else
                state = 2;
        } else if (state == 2 || __VERIFIER_nondet_bool())
            state = 3;
        else
            state = 2;
    }
    return 0;
}

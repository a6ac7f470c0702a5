// It may fail again and again.
// expect: termination violated
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int tries = 0;
    while (__VERIFIER_nondet_bool())
        tries++;
    return 0;
}

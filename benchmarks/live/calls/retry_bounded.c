// It may fail three times.
// expect: termination holds
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int tries = 0;
    while (__VERIFIER_nondet_bool() && tries < 3)
        tries++;
    return 0;
}

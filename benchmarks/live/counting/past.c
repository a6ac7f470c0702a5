// Steps of two may pass each other.
// expect: termination violated
extern short __VERIFIER_nondet_short(void);

int main(void) {
    short x = __VERIFIER_nondet_short(), y = __VERIFIER_nondet_short();
    while (x != y) {
        if (x > y)
            x -= 2;
        else
            x += 2;
    }
    return 0;
}

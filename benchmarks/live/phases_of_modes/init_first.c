// Nothing is used before it is set up.
// holds: ltl: {!used} W {ready}
extern int __VERIFIER_nondet_int(void);

int used, ready;

int main(void) {
    int steps = __VERIFIER_nondet_int();
    while (steps > 0)
        steps--;
    ready = 1;
    used = 1;
    return 0;
}

// Nothing is used before it is set up. Changed so that it does not hold.
// violated: ltl: {!used} W {ready}
extern int __VERIFIER_nondet_int(void);

int used, ready;

int main(void) {
    int steps = __VERIFIER_nondet_int();
    while (steps > 0)
        steps--;
    used = 1;
    ready = 1;
    return 0;
}

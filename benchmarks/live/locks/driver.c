// The lock of a driver is free at the end.
// holds: [](empty -> {!held})
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int held;

int main(void) {
    int packets, old;
    do {
        held = 1;
        old = packets = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_bool()) {
            held = 0;
            packets++;
        }
    } while (packets != old);
    held = 0;
    return 0;
}

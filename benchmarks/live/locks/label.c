// The place where a lock is free again is reached, whatever is done with it.
// holds: []({held} -> <>{at(released)})
extern unsigned char __VERIFIER_nondet_uchar(void);

int held;

int main(void) {
    for (;;) {
        unsigned char k = __VERIFIER_nondet_uchar();
        held = 1;
        while (k & 1)
            k >>= 1;
        held = 0;
    released:
        ;
    }
}

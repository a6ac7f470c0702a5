// The place where a lock is free again is not reached when the lowest bit never changes.
// violated: []({held} -> <>{at(released)})
extern unsigned char __VERIFIER_nondet_uchar(void);

int held;

int main(void) {
    for (;;) {
        unsigned char k = __VERIFIER_nondet_uchar();
        held = 1;
        while (k & 1)
            k ^= 2;
        held = 0;
    released:
        ;
    }
}

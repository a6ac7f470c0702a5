// A lock that is taken is released.
// holds: []({held} -> <>{!held})
extern unsigned char __VERIFIER_nondet_uchar(void);

int held;

static void lock(void) { held = 1; }
static void unlock(void) { held = 0; }

int main(void) {
    for (;;) {
        unsigned char k = __VERIFIER_nondet_uchar();
        lock();
        while (k > 0) {
            k--;
            if (k == 7)
                break;
        }
        unlock();
    }
}

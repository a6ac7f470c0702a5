// A lock that is taken is released. Changed so that it does not hold.
// violated: []({held} -> <>{!held})
extern unsigned char __VERIFIER_nondet_uchar(void);

int held;

static void lock(void) { held = 1; }
static void unlock(void) { held = 0; }

int main(void) {
    for (;;) {
        unsigned char k = __VERIFIER_nondet_uchar();
        lock();
        while (k > 0) {
            if (k != 7)
                k--;
        }
        unlock();
    }
}

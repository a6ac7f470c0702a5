// A server answers every request after some work.
// holds: []({req} -> <>{resp})
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);

int req, resp;

int main(void) {
    for (;;) {
        req = __VERIFIER_nondet_bool();
        resp = 0;
        if (req) {
            unsigned char n = __VERIFIER_nondet_uchar();
            while (n > 0)
                n--;
            resp = 1;
        }
    }
}

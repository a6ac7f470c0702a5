/* Is every request answered? Ask with --property '[]({req} -> <>{resp})'.
   It holds: the work for a request gets less. With `n -= 2` an odd n is never done. */
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

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

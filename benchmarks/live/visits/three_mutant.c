// The third number gives itself away and keeps itself.
// expect: termination violated
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();
    while (a > 0 && b > 0 && c > 0) {
        unsigned before = a;
        if (__VERIFIER_nondet_bool()) {
            a = b;
            b = before - 1;
            if (before > c)
                c = before;
        } else {
            a = c - 1;
            b = c - 1;
            c = c - 0;
        }
    }
    return 0;
}

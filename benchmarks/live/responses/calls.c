// Every call of a function comes back.
// holds: []({call(work)} -> <>{return(work)})
extern unsigned __VERIFIER_nondet_uint(void);

int total;

static void work(unsigned n) {
    while (n > 3) {
        n -= 3;
        total++;
    }
}

int main(void) {
    for (;;)
        work(__VERIFIER_nondet_uint());
}

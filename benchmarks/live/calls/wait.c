// A function waits for what nobody does.
// expect: termination violated
extern _Bool __VERIFIER_nondet_bool(void);

static int done;
static void wait(void) {
    while (!done)
        ;
}

int main(void) {
    done = __VERIFIER_nondet_bool();
    wait();
    return 0;
}

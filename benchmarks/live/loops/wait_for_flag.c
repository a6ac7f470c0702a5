// A loop that waits for an input may wait for ever.
// violated: <>{flag}
// holds: []({flag} -> []{flag})
extern _Bool __VERIFIER_nondet_bool(void);

int flag;

int main(void) {
    while (!flag)
        flag = __VERIFIER_nondet_bool();
    return 0;
}

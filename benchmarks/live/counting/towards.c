// Two values come together.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    while (x != y) {
        if (x > y)
            x--;
        else
            x++;
    }
    return 0;
}

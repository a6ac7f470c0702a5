// Two calls, with the discs above.
// expect: termination holds
extern unsigned __VERIFIER_nondet_uint(void);

int moves;

static void hanoi(unsigned n, int from, int over, int to) {
    if (n == 0)
        return;
    hanoi(n - 1, from, to, over);
    moves++;
    hanoi(n - 1, over, from, to);
}

int main(void) {
    hanoi(__VERIFIER_nondet_uint(), 0, 1, 2);
    return 0;
}

// Sooner or later a search finds its place.
// holds: <>{found}
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

int found;

int main(void) {
    unsigned low = 0, high = 1000, goal = __VERIFIER_nondet_uint();
    __VERIFIER_assume(goal < high);
    while (low + 1 < high) {
        unsigned middle = low + (high - low) / 2;
        if (middle <= goal)
            low = middle;
        else
            high = middle;
    }
    found = 1;
    return 0;
}

// An interval that moves does not get smaller.
// expect: termination violated
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

int main(void) {
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    __VERIFIER_assume(low < high && high < 1000 && low > -1000);
    while (low < high) {
        if (low < 0) {
            low++;
            high++;
        } else {
            low--;
            high--;
        }
    }
    return 0;
}

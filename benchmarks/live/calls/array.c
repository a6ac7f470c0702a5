// Over the cells of an array.
// expect: termination holds
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[8], sum = 0;
    for (int i = 0; i < 8; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < 8; i++)
        sum += a[i];
    return 0;
}

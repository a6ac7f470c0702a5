/* The inner counter never leaves the triangle that the outer one spans. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            if (j < i || i < 0 || j >= n)
                reach_error();
        }
    }
    return 0;
}

/* The largest of three numbers that are no NaN. */
extern float __VERIFIER_nondet_float(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    float a[3], m;
    for (int k = 0; k < 3; k++) {
        a[k] = __VERIFIER_nondet_float();
        __VERIFIER_assume(a[k] == a[k]);
    }
    m = a[0];
    for (int k = 1; k < 3; k++)
        if (a[k] > m)
            m = a[k];
    if (!(m >= a[0] && m >= a[1] && m >= a[2]))
        reach_error();
    return 0;
}

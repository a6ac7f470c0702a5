/* The largest of four numbers, if the first one is no NaN. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float a[4], m;
    for (int k = 0; k < 4; k++)
        a[k] = __VERIFIER_nondet_float();
    m = a[0];
    for (int k = 1; k < 4; k++)
        if (a[k] > m)
            m = a[k];
    if (!(m >= a[3]))
        reach_error();
    return 0;
}

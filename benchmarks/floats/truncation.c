/* A conversion to int goes towards zero. */
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int condition);
extern void reach_error(void);

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > -1000 && x < 1000);
    int n = (int)x;
    if (!(x >= 0 ? n <= x && x < n + 1.0 : n >= x && x > n - 1.0))
        reach_error();
    return 0;
}

/* `!(x < y)` is not `x >= y`. */
extern float __VERIFIER_nondet_float(void);
extern void reach_error(void);

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float y = __VERIFIER_nondet_float(); if (!(x < y))
        if (!(x >= y))
            reach_error();
    return 0;
}

/* A char is computed as an int; what does not fit is cut off. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    signed char c = 0;
    while (__VERIFIER_nondet_int())
        c++;
    return c;
}

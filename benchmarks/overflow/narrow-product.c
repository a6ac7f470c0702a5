/* The product of two unsigned shorts is one of ints. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned short a = (unsigned short)x, b = (unsigned short)y;
    unsigned product = a * b;
    return product == 9;
}

/* The product of two unsigned shorts, as unsigned numbers. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    unsigned short a = (unsigned short)x, b = (unsigned short)y;
    unsigned product = (unsigned)a * b;
    return product == 9;
}

/* Two longs. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long a = __VERIFIER_nondet_int(), b = a * 2147483648;
    for (int i = 0; i < 3; i++)
        b += b;
    return b > 0;
}

/* The sum of ints in a long. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long sum = 0;
    for (int i = 0; i < 10; i++)
        sum += __VERIFIER_nondet_int();
    return sum > 0;
}

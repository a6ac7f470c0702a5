/* A hash over a signed number. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int h = 17;
    for (int i = 0; i < 8; i++)
        h = 31 * h + (__VERIFIER_nondet_int() & 127);
    return h;
}

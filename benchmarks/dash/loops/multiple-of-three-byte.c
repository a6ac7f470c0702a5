/* A byte that grows by three does not stay a multiple of three: 255 + 3 wraps around to 2. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned char byte = 0;
    while (__VERIFIER_nondet_bool())
        byte += 3;
    if (byte % 3 != 0)
        reach_error();
    return 0;
}

/* A byte that grows by two wraps around from 254 to 0 and stays even. */
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

int main(void)
{
    unsigned char byte = 0;
    while (__VERIFIER_nondet_bool())
        byte += 2;
    if (byte % 2 != 0)
        reach_error();
    return 0;
}

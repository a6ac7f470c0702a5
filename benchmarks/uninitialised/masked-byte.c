/* Only the byte that was written is looked at. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    union { unsigned word; unsigned char byte[4]; } u;
    u.byte[0] = __VERIFIER_nondet_int();
    if ((u.word & 0xff) == 7)
        return 1;
    return 0;
}

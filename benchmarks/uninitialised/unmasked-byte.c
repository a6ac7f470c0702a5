/* The whole word is looked at, of which one byte was written. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    union { unsigned word; unsigned char byte[4]; } u;
    u.byte[0] = __VERIFIER_nondet_int();
    if (u.word == 7)
        return 1;
    return 0;
}

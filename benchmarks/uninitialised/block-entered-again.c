/* A variable of a block has no value when the block is entered again. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int r = 0;
    for (int i = 0; i < 2; i++) {
        int seen;
        if (i == 0 && n > 0)
            seen = 1;
        else if (i == 1)
            seen = 0;
        if (seen)
            r++;
    }
    return r == 5;
}

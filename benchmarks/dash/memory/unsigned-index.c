/* As an unsigned number the index needs only one check. */
extern int __VERIFIER_nondet_int(void);

static int table[16];

static int get(int index)
{
    if ((unsigned)index >= 16)
        return -1;
    return table[index];
}

int main(void)
{
    return get(__VERIFIER_nondet_int());
}

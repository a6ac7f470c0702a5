/* The same lookup, with the question. */
extern int __VERIFIER_nondet_int(void);

struct entry {
    int key, value;
};

static struct entry table[3] = {{10, 1}, {20, 2}, {30, 3}};

static struct entry *lookup(int key)
{
    for (int i = 0; i < 3; i++)
        if (table[i].key == key)
            return &table[i];
    return 0;
}

int main(void)
{
    struct entry *found = lookup(__VERIFIER_nondet_int());
    return found ? found->value : 0;
}

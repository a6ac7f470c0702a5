/* A lookup that finds nothing returns null, and nobody asks. */
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
    return lookup(__VERIFIER_nondet_int())->value;
}

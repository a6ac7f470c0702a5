/*
 * Figure 4 of the paper: the lock is released if and only if the loop goes round again.
 * At the end of the body: (lock == 0 and x != y) or (lock != 0 and x == y).
 */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

typedef struct DE {
    int lock;
    int y;
} DE;

void Inc(DE *de)
{
    de->y++;
}

void prove_me2(DE *de, int x)
{
    de->lock = 0;
    do {
        if (de->lock != 0)
            reach_error();
        de->lock = 1;
        x = de->y;
        if (__VERIFIER_nondet_bool()) {
            de->lock = 0;
            Inc(de);
        }
    } while (x != de->y);
}

int main(void)
{
    DE de;
    de.lock = __VERIFIER_nondet_int();
    de.y = __VERIFIER_nondet_int();
    prove_me2(&de, __VERIFIER_nondet_int());
    return 0;
}

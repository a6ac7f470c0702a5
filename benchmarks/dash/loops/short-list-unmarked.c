/* One node of the list, at a place that the input chooses, is not marked. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void *malloc(unsigned long size);
extern void abort(void);
extern void reach_error(void);

struct node {
    struct node *next;
    int mark;
};

int main(void)
{
    struct node *list = 0;
    int odd = __VERIFIER_nondet_int();
    for (int i = 0; i < 5; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            abort();
        fresh->next = list;
        fresh->mark = i == odd ? 0 : 1;
        list = fresh;
    }
    for (struct node *at = list; at; at = at->next) {
        if (at->mark != 1)
            reach_error();
    }
    return 0;
}

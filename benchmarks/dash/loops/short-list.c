/* A list of at most four nodes, all marked, is walked to its end. */
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
    for (int i = 0; i < 4 && __VERIFIER_nondet_bool(); i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            abort();
        fresh->next = list;
        fresh->mark = 1;
        list = fresh;
    }
    for (struct node *at = list; at; at = at->next) {
        if (at->mark != 1)
            reach_error();
    }
    return 0;
}

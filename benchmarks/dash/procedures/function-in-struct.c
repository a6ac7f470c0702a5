/* A device whose handler was replaced counts past its limit. */
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

struct device {
    int count;
    void (*handle)(struct device *);
};

static void careful(struct device *d)
{
    if (d->count < 3)
        d->count++;
}

static void careless(struct device *d)
{
    d->count++;
}

int main(void)
{
    struct device d = {0, careful};
    int replace_at = __VERIFIER_nondet_int();
    for (int i = 0; i < 10; i++) {
        if (i == replace_at)
            d.handle = careless;
        d.handle(&d);
    }
    if (d.count == 8)
        reach_error();
    return 0;
}

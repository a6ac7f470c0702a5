/* A procedure that gets a structure changes a copy, and returns the changed copy. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct point {
    int x, y;
    unsigned char tag[2];
};

static struct point moved(struct point p, int dx)
{
    p.x = p.x + dx;
    p.tag[1] = 7;
    return p;
}

int main(void)
{
    struct point here = {0, 0, {1, 2}};
    here.y = __VERIFIER_nondet_int();
    struct point there = moved(here, 5);
    if (here.x != 0 || here.tag[1] != 2)
        reach_error();
    if (there.x != 5 || there.y != here.y || there.tag[0] != 1 || there.tag[1] != 7)
        reach_error();
    return 0;
}

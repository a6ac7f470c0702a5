// An elevator reaches the floor that was called. Changed so that it does not hold.
// violated: []({called} -> <>{floor == goal})
extern unsigned char __VERIFIER_nondet_uchar(void);

int called, floor, goal;

int main(void) {
    for (;;) {
        goal = __VERIFIER_nondet_uchar();
        called = 1;
        while (floor != goal) {
            if (floor < goal)
                floor++;
            else
                floor -= 0;
        }
        called = 0;
    }
}

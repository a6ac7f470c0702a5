// An elevator reaches the floor that was called.
// holds: []({called} -> <>{floor == goal})
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
                floor--;
        }
        called = 0;
    }
}

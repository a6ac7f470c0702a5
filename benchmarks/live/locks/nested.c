// Two locks are taken and released in order.
// holds: []({inner} -> {outer}) && []({outer} -> <>{!outer})

int outer, inner;

int main(void) {
    for (int i = 0; i < 100; i++) {
        outer = 1;
        inner = 1;
        inner = 0;
        outer = 0;
    }
    return 0;
}

// Two clients are served by turns.
// holds: []({want1} -> <>{got1})

int want1, got1, turn;

int main(void) {
    for (;;) {
        want1 = 1;
        got1 = 0;
        while (!got1) {
            if (turn == 0)
                got1 = 1;
            turn = (turn + 1) % 3;
        }
        want1 = 0;
    }
}

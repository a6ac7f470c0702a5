// Two clients are served by turns. Changed so that it does not hold.
// violated: []({want1} -> <>{got1})

int want1, got1, turn;

int main(void) {
    for (;;) {
        want1 = 1;
        got1 = 0;
        while (!got1) {
            if (turn == 0)
                got1 = 1;
            turn = 1 + (turn + 1) % 2;
        }
        want1 = 0;
    }
}

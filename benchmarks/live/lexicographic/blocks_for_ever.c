// Blocks that are counted without a sign begin again.
// expect: termination violated

int main(void) {
    unsigned x = 1, y = 1;
    for (;;) {
        if (y < x) {
            y++;
        } else {
            x++;
            y = 1;
        }
    }
    return 0;
}

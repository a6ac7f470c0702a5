// Blocks of growing length; in C the counter of blocks wraps around in the end.
// expect: termination holds

int main(void) {
    int x = 1, y = 1;
    while (x > 0) {
        if (y < x) {
            y++;
        } else {
            x++;
            y = 1;
        }
    }
    return 0;
}

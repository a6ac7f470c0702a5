// Once it has grown, it stays. Changed so that it does not hold.
// violated: []({x >= 10} -> []{x >= 10})

int x;

int main(void) {
    for (;;) {
        if (x < 100)
            x += 5;
        else
            x = 5;
    }
}

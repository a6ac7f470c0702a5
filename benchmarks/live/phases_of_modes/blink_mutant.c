// A light goes on and off for ever. Changed so that it does not hold.
// violated: []<>{light} && []<>{!light}

int light;

int main(void) {
    for (;;) {
        unsigned char wait = 10;
        light = 1;
        while (wait > 0)
            wait--;
    }
}

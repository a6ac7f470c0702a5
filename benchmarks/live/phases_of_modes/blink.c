// A light goes on and off for ever.
// holds: []<>{light} && []<>{!light}

int light;

int main(void) {
    for (;;) {
        unsigned char wait = 10;
        light = !light;
        while (wait > 0)
            wait--;
    }
}

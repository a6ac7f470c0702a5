// Green is followed by yellow, and yellow by red.
// holds: []({light == 1} -> ({light == 1} U {light == 2})) && []({light == 2} -> ({light == 2} U {light == 0}))

int light;

int main(void) {
    for (;;) {
        light = 1;
        light = 2;
        light = 0;
    }
}

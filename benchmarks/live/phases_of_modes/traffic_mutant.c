// Green is followed by yellow, and yellow by red. Changed so that it does not hold.
// violated: []({light == 1} -> ({light == 1} U {light == 2})) && []({light == 2} -> ({light == 2} U {light == 0}))

int light;

int main(void) {
    for (;;) {
        light = 1;
        light = 3;
        light = 0;
    }
}
